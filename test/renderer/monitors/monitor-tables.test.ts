// What the monitors' table, their form, and actions on many of them compute.
import { describe, expect, it } from 'vitest';
import type { AppMonitor, MonitorDelivery } from '#contract/app-rpc/monitors.ts';
import {
  callbackTasks,
  duplicateTasks,
  importTasks,
  labelOf,
  movedBy,
  moveTasks,
  notesTasks,
  previewOf,
  rainTasks,
  testTasks,
} from '#renderer/features/monitors/common/bulk-tasks.ts';
import {
  conditionOf,
  conditionTones,
  type DeliveryFacts,
  type DeliveryStatus,
  formatAgo,
  formatDeliveryOutcome,
  formatNextAllowed,
  getDeliveryStatus,
} from '#renderer/features/monitors/common/delivery-status.ts';
import {
  changesOf,
  formFor,
  formOf,
  type MonitorForm,
  panelFormOf,
  readForm,
} from '#renderer/features/monitors/common/monitor-form.ts';
import {
  matchesMonitor,
  parseMonitorQuery,
  type SearchedMonitor,
} from '#renderer/features/monitors/common/monitor-query.ts';
import { orderedMonitors, shownMonitors } from '#renderer/features/monitors/table/monitor-rows.ts';

function monitorOf(id: string, part: Partial<AppMonitor> = {}): AppMonitor {
  return {
    id,
    monitorType: 'precipitation',
    callbackUri: 'https://ops.example.net/rain',
    toThisApp: false,
    geo: { lat: 45, lng: 7 },
    uri: null,
    lastCallback: null,
    name: '',
    tags: [],
    note: '',
    deletion: null,
    ...part,
  };
}

const address = (uri: string) => ({ kind: 'address', uri }) as const;
const [first, second] = [
  monitorOf('p1', { name: 'Torino', tags: ['a', 'b'], note: 'one' }),
  monitorOf('p2', { callbackUri: null, geo: { lat: -1.5, lng: 179.5 } }),
];

describe('tasks on many monitors', () => {
  it('change the callback of each', () => {
    expect(callbackTasks([first], { kind: 'this-app' })).toEqual([
      { kind: 'update', id: 'p1', changes: { callback: { kind: 'this-app' } } },
    ]);
    expect(callbackTasks([first], ({ id }) => address(`https://a.example/${id}`))).toEqual([
      { kind: 'update', id: 'p1', changes: { callback: address('https://a.example/p1') } },
    ]);
  });

  it('move and duplicate each', () => {
    const by = { lat: 0.5, lng: 1 };
    expect(moveTasks([first, second], by)).toEqual([
      { kind: 'update', id: 'p1', changes: { geo: { lat: 45.5, lng: 8 } } },
      { kind: 'update', id: 'p2', changes: { geo: { lat: -1, lng: -179.5 } } },
    ]);
    expect(duplicateTasks([first, second], by, { kind: 'this-app' })).toEqual([
      {
        kind: 'create',
        label: 'Copy of Torino (p1)',
        geo: { lat: 45.5, lng: 8 },
        callback: address('https://ops.example.net/rain'),
        notes: { name: 'Torino', tags: ['a', 'b'], note: 'one' },
      },
      {
        kind: 'create',
        label: 'Copy of p2',
        geo: { lat: -1, lng: -179.5 },
        callback: { kind: 'this-app' },
        notes: { name: '', tags: [], note: '' },
      },
    ]);
    expect(testTasks([first])).toEqual([{ kind: 'test', id: 'p1' }]);
    expect([first, second].map(labelOf)).toEqual(['Torino (p1)', 'p2']);
  });

  it('write notes only of monitors that they change', () => {
    const notes = (change: Parameters<typeof notesTasks>[1]) =>
      notesTasks([first, second], change).map((task) => (task.kind === 'notes' ? [task.id, task.notes] : task));
    expect(notes({})).toEqual([]);
    expect(notes({ addTags: ['b', 'a'] })).toEqual([['p2', { name: '', tags: ['b', 'a'], note: '' }]]);
    expect(notes({ addTags: ['c'], removeTags: ['a', 'c'] })).toEqual([
      ['p1', { name: 'Torino', tags: ['b'], note: 'one' }],
    ]);
    expect(notes({ note: 'one' })).toEqual([['p2', { name: '', tags: [], note: 'one' }]]);
    expect(notes({ note: '' })).toEqual([['p1', { name: 'Torino', tags: ['a', 'b'], note: '' }]]);
    // Not the same as the tags a and b.
    expect(notesTasks([monitorOf('p3', { tags: ['ab'] })], { addTags: ['a', 'b'], removeTags: ['ab'] })).toHaveLength(
      1,
    );
    const many = Array.from({ length: 40 }, (_, index) => `tag ${index}`);
    expect(notesTasks([second], { addTags: many })).toMatchObject([
      { kind: 'notes', notes: { tags: many.slice(0, 30) } },
    ]);
  });

  it('let it rain once on monitors that are close together', () => {
    // One degree of latitude is 111.2 km.
    const at = (id: string, km: number) => monitorOf(id, { geo: { lat: km / 111.195, lng: 0 } });
    const rain = (label: RegExp, center: AppMonitor) => ({
      kind: 'rain',
      label: expect.stringMatching(label) as string,
      center: center.geo,
      minutes: 20,
      radiusKm: 30,
    });
    const [a, b, c, d] = [at('a', 0), at('b', 24.9), at('c', 25.1), at('d', 49.9)];
    expect(rainTasks([a, b, c, d])).toEqual([rain(/^a and 1 /, a), rain(/^c and 1 /, c)]);
    expect(rainTasks([a])).toEqual([rain(/^a$/, a)]);
    expect(rainTasks([a, a, b])).toEqual([rain(/^a and 2 /, a)]);
  });

  it('create what an import plans', () => {
    const geo = { lat: 1, lng: 2 };
    const draft = { geo, callback: { kind: 'this-app' } as const };
    expect(
      importTasks([
        { line: 1, kind: 'error', message: 'x' },
        { line: 2, kind: 'create', draft, notes: { name: 'A', tags: [], note: '' } },
        { line: 3, kind: 'create', draft, notes: { name: '', tags: ['t'], note: '' } },
      ] as unknown as Parameters<typeof importTasks>[0]),
    ).toEqual([
      { kind: 'create', label: 'line 2: A', ...draft, notes: { name: 'A', tags: [], note: '' } },
      {
        kind: 'create',
        label: 'line 3: 1, 2',
        ...draft,
        notes: { name: '', tags: ['t'], note: '' },
      },
    ]);
  });

  it('are previewed with what they change', () => {
    const monitors = [first, second];
    const noName = { name: '', tags: [], note: '' };
    const lines = previewOf(monitors, [
      { kind: 'create', label: 'new', geo: { lat: 1, lng: 2 }, callback: { kind: 'this-app' }, notes: noName },
      { kind: 'rain', label: 'rain here', center: first.geo, minutes: 1, radiusKm: 1 },
      { kind: 'test', id: 'p1' },
      { kind: 'test', id: 'gone' },
      { kind: 'notes', id: 'p1', notes: { name: 'Torino', tags: [], note: 'x'.repeat(90) } },
      { kind: 'notes', id: 'p2', notes: noName },
      { kind: 'update', id: 'p1', changes: { geo: { lat: 1, lng: 2 } } },
      { kind: 'update', id: 'p1', changes: { callback: { kind: 'this-app' } } },
      { kind: 'update', id: 'p2', changes: { callback: address('https://a.example/') } },
    ]);
    expect(lines).toEqual([
      { id: 'create-0', label: 'new', before: '', after: '1, 2' },
      { id: 'rain-1', label: 'rain here', before: '', after: '' },
      { id: 'p1', label: 'Torino (p1)', before: '', after: '' },
      { id: 'gone', label: 'gone', before: '', after: '' },
      { id: 'p1', label: 'Torino (p1)', before: 'a; b · one', after: 'x'.repeat(80) },
      { id: 'p2', label: 'p2', before: '(none)', after: '(none)' },
      {
        id: 'p1',
        label: 'Torino (p1)',
        before: '45, 7',
        after: '1, 2',
      },
      { id: 'p1', label: 'Torino (p1)', before: 'https://ops.example.net/rain', after: 'this app' },
      { id: 'p2', label: 'p2', before: expect.stringContaining('not returned') as string, after: 'https://a.example/' },
    ]);
  });

  it.each([
    [
      { lat: 0, lng: 179 },
      { lat: -91, lng: 1 },
      { lat: -90, lng: 180 },
    ],
    [
      { lat: 0, lng: -179 },
      { lat: 91, lng: -1 },
      { lat: 90, lng: -180 },
    ],
    [
      { lat: 0, lng: 170 },
      { lat: 0, lng: 20 },
      { lat: 0, lng: -170 },
    ],
    [
      { lat: 0, lng: -170 },
      { lat: 0, lng: -740 },
      { lat: 0, lng: 170 },
    ],
    [
      { lat: 1e-8, lng: -1e-8 },
      { lat: 0, lng: 0 },
      { lat: 0, lng: 0 },
    ],
  ])('move %j by %j around the globe', (place, by, moved) => {
    expect(movedBy(place, by)).toEqual(moved);
  });
});

const form = (part: Partial<MonitorForm> = {}): MonitorForm => ({
  lat: '45',
  lng: '7',
  target: 'this-app',
  address: '',
  ...part,
});

describe('the form of a monitor', () => {
  it('shows what the monitor has', () => {
    expect(formFor({ lat: 1.5, lng: -2 })).toEqual(form({ lat: '1.5', lng: '-2' }));
    const own = monitorOf('p', { toThisApp: true, callbackUri: 'http://127.0.0.1/a' });
    expect(formOf(own)).toEqual(form());
    expect(panelFormOf(own)).toEqual(form({ target: 'address', address: 'http://127.0.0.1/a' }));
    expect(formOf(first)).toEqual(form({ target: 'address', address: 'https://ops.example.net/rain' }));
    for (const fill of [formOf, panelFormOf])
      expect(fill(monitorOf('p', { callbackUri: null }))).toEqual(form({ target: 'keep' }));
  });

  it('is read as a place and a callback', () => {
    const geo = { lat: 45, lng: 7 };
    const read = (part: Partial<MonitorForm>) => readForm(form(part));
    expect(read({ address: 'nonsense' })).toEqual({ ok: true, value: { geo, callback: { kind: 'this-app' } } });
    expect(read({ target: 'keep' })).toEqual({ ok: true, value: { geo, callback: null } });
    expect(read({ target: 'address', address: 'https://a.example/x' })).toEqual({
      ok: true,
      value: { geo, callback: address('https://a.example/x') },
    });
  });

  it.each<[Partial<MonitorForm>, string[]]>([
    [{ lat: '91' }, ['lat']],
    [{ lng: '181' }, ['lng']],
    [{ target: 'address', address: 'nonsense' }, ['address']],
    [{ lat: 'x', lng: '', target: 'address' }, ['lat', 'lng', 'address']],
  ])('%j has problems only with %j', (part, fields) => {
    expect(readForm(form(part))).toEqual({
      ok: false,
      problems: Object.fromEntries(fields.map((field) => [field, expect.any(String) as string])),
    });
  });

  it('changes only what differs', () => {
    const { geo } = first;
    expect(changesOf(first, { geo, callback: null })).toEqual({});
    expect(changesOf(first, { geo, callback: address('https://ops.example.net/rain') })).toEqual({});
    const moved = [
      { lat: 46, lng: 7 },
      { lat: 45, lng: 8 },
    ];
    for (const place of moved) expect(changesOf(first, { geo: place, callback: null })).toEqual({ geo: place });
    for (const callback of [{ kind: 'this-app' } as const, address('https://b.example/')])
      expect(changesOf(first, { geo, callback })).toEqual({ callback });
    const own = monitorOf('p', { toThisApp: true });
    expect(changesOf(own, { geo: own.geo, callback: { kind: 'this-app' } })).toEqual({});
  });
});

const now = Date.parse('2026-11-21T12:00:00Z');
const delivery = (part: Partial<MonitorDelivery>): MonitorDelivery =>
  ({
    isOn: true,
    offReason: null,
    lastEventAt: null,
    nextAllowedAt: null,
    lastAttempt: null,
    delivered: 0,
    failed: 0,
    recentEvents: '',
    createdAt: null,
    ...part,
  }) as MonitorDelivery;
const factsOf = (deliveries: Readonly<Record<string, Partial<MonitorDelivery>>>): DeliveryFacts => ({
  byMonitor: new Map(Object.entries(deliveries).map(([id, part]) => [id, delivery(part)])),
  aheadMs: 0,
  plan: null,
  hasRadarMinutes: false,
  hasBacktest: false,
});

describe('the table of monitors', () => {
  const monitors = [
    monitorOf('p10', { name: 'b', geo: { lat: 1, lng: 1 }, callbackUri: 'https://b.example/' }),
    monitorOf('p9', { geo: { lat: 2, lng: 2 }, callbackUri: null }),
    monitorOf('p2', { name: 'A', geo: { lat: 3, lng: 3 }, callbackUri: 'https://a.example/' }),
    monitorOf('p1', { name: 'c', geo: { lat: 4, lng: 4 } }),
  ];
  const facts = factsOf({
    p10: { isOn: false, lastEventAt: '2026-11-21T10:00:00Z', recentEvents: 'dfd', createdAt: '2026-11-02T00:00:00Z' },
    p9: {
      lastEventAt: '2026-11-21T11:00:00Z',
      nextAllowedAt: '2026-11-21T12:30:00Z',
      delivered: 1,
      recentEvents: 'fff',
      createdAt: '2026-11-03T00:00:00Z',
    },
    p2: { createdAt: '2026-11-01T00:00:00Z', nextAllowedAt: '2026-11-21T12:10:00Z' },
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
    ['recent', ['p9', 'p10', 'p2', 'p1']],
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
        text: `harbor p1 north note https://b.example/x ${place} unknown`,
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
      const { rows, counts } = shownMonitors(ordered(monitors), { text, state, facts, frontsOf: (id) => [id] }, now);
      return { rows: rows.map(({ monitor, condition }) => [monitor.id, condition]), counts };
    };
    const counts = { any: 4, ready: 0, 'cool-down': 2, failing: 0, off: 1, unknown: 1 };
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
    const one = { any: 1, ready: 0, 'cool-down': 0, failing: 0, off: 1, unknown: 0 };
    expect(shown('front:p10', 'any')).toEqual({ rows: [['p10', 'off']], counts: one });
    expect(shown('front:p10', 'failing')).toEqual({ rows: [], counts: one });
    expect(shown('state:never', 'any').rows.map(([id]) => id)).toEqual(['p2', 'p1']);
    expect(shown('state:deleting', 'any').rows).toEqual([]);
  });
});

describe('the filter of monitors', () => {
  const base: SearchedMonitor = {
    text: 'a b',
    name: 'a',
    tags: [],
    place: '',
    condition: 'ready',
    hasFired: false,
    isDeleting: false,
    callbackUri: null,
    callbackKind: 'none',
    frontIds: [],
  };
  const finds = (query: string, part: Partial<SearchedMonitor> = {}) =>
    matchesMonitor(parseMonitorQuery(query), { ...base, ...part });

  it.each<[string, Partial<SearchedMonitor>]>([
    ['state:never', { hasFired: true }],
    ['state:deleting', { isDeleting: false }],
    ['callback:none', { callbackKind: 'elsewhere', callbackUri: 'https://x.example/' }],
    ['state:ready', { condition: 'off' }],
    ['state:off', { condition: 'ready' }],
  ])('%s does not find %j', (query, part) => {
    expect(finds(query, part)).toBe(false);
  });

  it.each<[string, Partial<SearchedMonitor>]>([
    ['state:never', {}],
    ['state:deleting', { isDeleting: true }],
    ['callback:none', {}],
    ['state:ready', {}],
    ['state:cool-down', { condition: 'cool-down' }],
  ])('%s finds %j', (query, part) => {
    expect(finds(query, part)).toBe(true);
  });

  it('is split at spaces outside of quotes, and has at most 50 terms', () => {
    const term = (value: string, key: string | null = null, isExcluded = false) => ({ key, value, isExcluded });
    expect(parseMonitorQuery('Rain  TAG:"North Pier" -name:"x" "" https://a.example/ other:y "open end')).toEqual([
      term('rain'),
      term('north pier', 'tag'),
      term('x', 'name', true),
      term('https://a.example/'),
      term('other:y'),
      term('open end'),
    ]);
    expect(parseMonitorQuery('a '.repeat(60))).toHaveLength(50);
  });
});

describe('the delivery status of a monitor', () => {
  const at = (text: string) => Date.parse(`2026-11-21T${text}Z`);
  const describeStatus = (part: Partial<MonitorDelivery> | null, monitor: Partial<AppMonitor> = {}, aheadMs = 0) => {
    const facts = part === null ? null : { ...factsOf({ p: part })!, aheadMs };
    const { format, formatDetail, ...status } = getDeliveryStatus(monitorOf('p', monitor), facts, now);
    return { ...status, text: format(), ...(formatDetail ? { detail: formatDetail() } : {}) };
  };
  const common = { reason: '', lastAt: null, nextAllowedAt: null, now };
  const attempt = (part: object) => ({
    lastAttempt: { startedAt: '2026-11-21T11:50:00Z', attempt: 3, httpStatus: null, error: null, ...part },
  });

  it('is that of the service’s log', () => {
    expect(describeStatus({})).toEqual({ ...common, state: 'never', tone: 'plain', text: 'Never' });
    expect(describeStatus({ isOn: false, offReason: 'why' })).toMatchObject({
      state: 'off',
      tone: 'bad',
      reason: 'why',
    });
    expect(describeStatus({ isOn: false })).toMatchObject({ ...common, state: 'off' });
    const [lastAt, lastEventAt] = [at('11:50:00'), '2026-11-21T11:50:00Z'];
    expect(describeStatus(attempt({ httpStatus: 502, error: 'bad-answer' }))).toEqual({
      ...common,
      lastAt,
      state: 'failing',
      tone: 'bad',
      text: 'Failing · 502 · attempt 3',
      detail: '502 · attempt 3',
      reason: '502 Bad Gateway',
    });
    expect(describeStatus(attempt({ error: 'tls' }))).toMatchObject({ detail: 'TLS error · attempt 3' });
    expect(describeStatus(attempt({ error: 'odd' }))).toMatchObject({ detail: 'odd · attempt 3', reason: 'odd' });
    const delivered = { ...common, lastAt, state: 'delivering', tone: 'good', text: 'Delivered 10 min ago' };
    expect(describeStatus(attempt({ httpStatus: 200 }))).toEqual(delivered);
    expect(describeStatus({ lastEventAt, delivered: 1 })).toEqual(delivered);
    expect(describeStatus({ lastEventAt })).toEqual({
      ...common,
      lastAt,
      state: 'sending',
      tone: 'plain',
      text: expect.any(String) as string,
    });
  });

  it('has the next time by the service’s clock', () => {
    const next = { nextAllowedAt: '2026-11-21T12:00:01Z' };
    expect(describeStatus(next)).toMatchObject({ nextAllowedAt: at('12:00:01'), now });
    expect(describeStatus(next, {}, 1_000)).toMatchObject({ nextAllowedAt: null, now: now + 1_000 });
    expect(formatNextAllowed({ nextAllowedAt: null, now })).toBe('Now');
    expect(formatNextAllowed({ nextAllowedAt: now + 60_000, now })).toBe('in 1 min');
    expect([0, 29_999, 30_000, 60_000].map((ms) => formatAgo(now - ms, now))).toEqual([
      'just now',
      'just now',
      '30 s ago',
      '1 min ago',
    ]);
  });

  it('is that of the receiver if the service has no log', () => {
    const received = (receivedAt: string) =>
      describeStatus(null, { lastCallback: { receivedAt } as AppMonitor['lastCallback'] });
    expect(describeStatus(null)).toMatchObject({
      state: 'unknown',
      tone: 'plain',
      lastAt: null,
      nextAllowedAt: null,
      now,
    });
    expect(received('2026-11-21T11:30:00Z')).toEqual({
      ...common,
      state: 'received',
      tone: 'good',
      text: 'Received 30 min ago',
      lastAt: at('11:30:00'),
      nextAllowedAt: at('12:30:00'),
    });
    expect(received('2026-11-21T11:00:00Z')).toMatchObject({ nextAllowedAt: null });
  });

  it('is one of five conditions, each with its color', () => {
    const condition = (state: DeliveryStatus['state'], nextAllowedAt: number | null = null) =>
      conditionOf({ state, nextAllowedAt });
    for (const state of ['off', 'failing', 'unknown'] as const) expect(condition(state, now)).toBe(state);
    for (const state of ['delivering', 'sending', 'never', 'received'] as const)
      expect([condition(state), condition(state, now)]).toEqual(['ready', 'cool-down']);
    expect(conditionTones).toEqual({
      ready: 'plain',
      'cool-down': 'accent',
      failing: 'bad',
      off: 'warn',
      unknown: 'plain',
    });
  });

  // The names of RFC 9110, section 15.
  it.each([
    [200, 'OK'],
    [201, 'Created'],
    [202, 'Accepted'],
    [204, 'No Content'],
    [301, 'Moved Permanently'],
    [302, 'Found'],
    [307, 'Temporary Redirect'],
    [308, 'Permanent Redirect'],
    [400, 'Bad Request'],
    [401, 'Unauthorized'],
    [403, 'Forbidden'],
    [404, 'Not Found'],
    [405, 'Method Not Allowed'],
    [408, 'Request Timeout'],
    [410, 'Gone'],
    [413, 'Content Too Large'],
    [429, 'Too Many Requests'],
    [500, 'Internal Server Error'],
    [502, 'Bad Gateway'],
    [503, 'Service Unavailable'],
    [504, 'Gateway Timeout'],
  ])('names %i', (httpStatus, name) => {
    expect(formatDeliveryOutcome({ httpStatus, error: 'tls' })).toBe(`${httpStatus} ${name}`);
  });

  it('names errors without a status', () => {
    expect(formatDeliveryOutcome({ httpStatus: 299, error: null })).toBe('299');
    expect(formatDeliveryOutcome({ httpStatus: null, error: null })).not.toBe('');
    const codes = ['timeout', 'refused', 'reset', 'unknown-host', 'unreachable', 'tls', 'forbidden', 'bad-answer'];
    for (const error of [...codes, 'host-silent', 'failed']) {
      const [long, short] = [
        formatDeliveryOutcome({ httpStatus: null, error }),
        describeStatus(attempt({ error })).detail?.split(' · ')[0],
      ];
      expect([long, short].every((text) => text !== '' && text !== error)).toBe(true);
    }
  });
});
