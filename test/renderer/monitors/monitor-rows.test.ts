// The rows of the monitors' table: their order, their texts, and how many the filter finds.
import { describe, expect, it } from 'vitest';
import type { AppMonitor } from '#contract/app-rpc/monitors.ts';
import { orderedMonitors, shownMonitors } from '#renderer/features/monitors/table/monitor-rows.ts';
import { factsOf, monitorOf } from './monitor-samples.ts';

const now = Date.parse('2026-11-21T12:00:00Z');

describe('the table of monitors', () => {
  const monitors = [
    monitorOf('p10', { name: 'b', geo: { lat: 1, lng: 1 }, callbackUri: 'https://b.example/' }),
    monitorOf('p9', { geo: { lat: 2, lng: 2 }, callbackUri: null }),
    monitorOf('p2', { name: 'A', geo: { lat: 3, lng: 3 }, callbackUri: 'https://a.example/' }),
    monitorOf('p1', { name: 'c', geo: { lat: 4, lng: 4 } }),
  ];
  const facts = factsOf({
    p10: { is_on: false, last_event_at: '2026-11-21T10:00:00Z', created_at: '2026-11-02T00:00:00Z' },
    p9: {
      last_event_at: '2026-11-21T11:00:00Z',
      next_event_allowed_at: '2026-11-21T12:30:00Z',
      created_at: '2026-11-03T00:00:00Z',
    },
    p2: { created_at: '2026-11-01T00:00:00Z', next_event_allowed_at: '2026-11-21T12:10:00Z' },
  });
  const places = new Map([
    ['3 3', 'Oslo'],
    ['1 1', 'Bergen'],
  ]);
  const sorted = (by: Parameters<typeof orderedMonitors>[1]['sort']['by'], isDescending = false) =>
    orderedMonitors(monitors, { sort: { by, isDescending }, facts, places, baseUrl: '' }).map(
      ({ monitor }) => monitor.id,
    );

  it.each([
    ['name', ['p2', 'p10', 'p1', 'p9']],
    ['place', ['p10', 'p2', 'p1', 'p9']],
    ['state', ['p10', 'p9', 'p2', 'p1']],
    ['callback', ['p2', 'p10', 'p1', 'p9']],
    ['last', ['p9', 'p10', 'p2', 'p1']],
    ['next', ['p10', 'p1', 'p2', 'p9']],
    ['created', ['p9', 'p10', 'p2', 'p1']],
  ] as const)('is sorted by %s', (by, ids) => {
    expect(sorted(by)).toEqual(ids);
  });

  it('is sorted the other way round, too', () => {
    expect(sorted('name', true)).toEqual(['p9', 'p1', 'p10', 'p2']);
  });

  const ordered = (all: readonly AppMonitor[], baseUrl = '') =>
    orderedMonitors(all, { sort: { by: 'name', isDescending: false }, facts: null, places, baseUrl });

  it('has what is searched, in lower case', () => {
    const one = monitorOf('P1', {
      name: 'HARBOR',
      tags: ['North'],
      note: 'NOTE',
      geo: { lat: 1, lng: 1 },
      callbackUri: 'https://B.example/X',
    });
    const place = 'bergen 1, 1 1 1 1,1';
    const texts = { name: 'harbor', tags: ['north'], callbackUri: 'https://b.example/x', place };
    const [found] = ordered([one]);
    expect(found).toEqual({
      monitor: one,
      placeName: 'Bergen',
      callbackKind: 'elsewhere',
      searched: {
        ...texts,
        text: `harbor p1 north note https://b.example/x ${place}`,
      },
    });
    const [bare] = ordered([monitorOf('p', { callbackUri: null })]);
    expect(bare).toMatchObject({ placeName: '', callbackKind: 'none', searched: { callbackUri: null } });
    expect(bare?.searched.text).toMatch(/^ p {3} {2}45/);
  });

  it.each([
    ['http://127.0.0.1/hooks/abc239', 'old-app'],
    ['https://localhost:4545/hooks/abcdef', 'old-app'],
    ['http://localhost:4545/hooks/abcde', 'elsewhere'],
    ['http://localhost:4545/hooks/abcdef/x', 'elsewhere'],
    ['http://localhost:4545/hooks/abcde1', 'elsewhere'],
    ['http://example.org/hooks/abcdef', 'elsewhere'],
    ['https://127.0.0.1:4545/other', 'old-app'],
    ['http://127.0.0.1:4545/other', 'elsewhere'],
    ['https://127.0.0.1:4546/other', 'elsewhere'],
    ['https://10.0.0.1:4545/other', 'elsewhere'],
    ['ftp://127.0.0.1:4545/other', 'elsewhere'],
  ])('knows %s as %s', (callbackUri, kind) => {
    const [found] = ordered([monitorOf('p', { callbackUri })], 'http://127.0.0.1:4545');
    expect(found?.callbackKind).toBe(kind);
    const [own] = ordered([monitorOf('p', { callbackUri, toThisApp: true })], 'http://127.0.0.1:4545');
    expect(own?.callbackKind).toBe('this-app');
  });

  it('counts what the filter finds in each state, and shows one of them', () => {
    const shown = (text: string, state: Parameters<typeof shownMonitors>[1]['state']) => {
      const { rows, counts } = shownMonitors(ordered(monitors), { text, state, facts }, now);
      return { rows: rows.map(({ monitor, deliveryStatus }) => [monitor.id, deliveryStatus.condition]), counts };
    };
    const counts = { any: 4, ready: 0, 'cool-down': 2, failing: 0, off: 1, paused: 0, unknown: 1 };
    expect(shown('', 'any')).toEqual({
      rows: [
        ['p2', 'cool-down'],
        ['p10', 'off'],
        ['p1', 'unknown'],
        ['p9', 'cool-down'],
      ],
      counts,
    });
    expect(shown('', 'off')).toEqual({ rows: [['p10', 'off']], counts });
    const one = { any: 1, ready: 0, 'cool-down': 0, failing: 0, off: 1, paused: 0, unknown: 0 };
    expect(shown('p10', 'any')).toEqual({ rows: [['p10', 'off']], counts: one });
    expect(shown('p10', 'failing')).toEqual({ rows: [], counts: one });
    expect(shown('state:never', 'any').rows.map(([id]) => id)).toEqual(['p2', 'p1']);
    expect(shown('state:deleting', 'any').rows).toEqual([]);
  });
});
