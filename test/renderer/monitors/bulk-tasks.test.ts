// Which tasks an action on many monitors has, and how they are previewed.
import { describe, expect, it } from 'vitest';
import type { AppMonitor } from '#contract/app-rpc/monitors.ts';
import { importTasks, previewOf, rainTasks, tagTasks } from '#renderer/features/monitors/common/bulk-tasks.ts';
import { addressOf, monitorOf } from './monitor-samples.ts';

const [first, second] = [
  monitorOf('p1', { name: 'Torino', tags: ['a', 'b'], note: 'one' }),
  monitorOf('p2', { callbackUri: null, geo: { lat: -1.5, lng: 179.5 } }),
];

describe('tasks on many monitors', () => {
  it('change tags only of monitors that have others then', () => {
    const tags = (add: string[], remove: string[] = []) =>
      tagTasks([first, second], add, remove).map((task) => (task.kind === 'notes' ? [task.id, task.notes] : task));
    expect(tags([])).toEqual([]);
    expect(tags(['b', 'a'])).toEqual([['p2', { name: '', tags: ['b', 'a'], note: '' }]]);
    expect(tags(['c'], ['a', 'c'])).toEqual([['p1', { name: 'Torino', tags: ['b'], note: 'one' }]]);
    // Not the same as the tags a and b.
    expect(tagTasks([monitorOf('p3', { tags: ['ab'] })], ['a', 'b'], ['ab'])).toHaveLength(1);
    const many = Array.from({ length: 40 }, (_, index) => `tag ${index}`);
    expect(tagTasks([second], many, [])).toMatchObject([{ kind: 'notes', notes: { tags: many.slice(0, 30) } }]);
  });

  it('let it rain once on monitors that are close together', () => {
    // One degree of latitude is 111.2 km.
    const at = (id: string, km: number) => monitorOf(id, { geo: { lat: km / 111.195, lng: 0 } });
    const snow = { kind: 'snow', mmPerHour: 3, minutes: 40 } as const;
    const rain = (label: RegExp, center: AppMonitor) => ({
      kind: 'rain',
      label: expect.stringMatching(label) as string,
      center: center.geo,
      rain: snow,
    });
    const [a, b, c, d] = [at('a', 0), at('b', 24.9), at('c', 25.1), at('d', 49.9)];
    expect(rainTasks([a, b, c, d], snow)).toEqual([rain(/^a and 1 /, a), rain(/^c and 1 /, c)]);
    expect(rainTasks([a], snow)).toEqual([rain(/^a$/, a)]);
    expect(rainTasks([a, a, b], snow)).toEqual([rain(/^a and 2 /, a)]);
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
      { kind: 'rain', label: 'rain here', center: first.geo, rain: {} },
      { kind: 'test', id: 'p1' },
      { kind: 'test', id: 'gone' },
      { kind: 'notes', id: 'p1', notes: { name: 'Torino', tags: ['c'], note: 'one' } },
      { kind: 'notes', id: 'p2', notes: noName },
      { kind: 'callback', id: 'p1', callback: { kind: 'this-app' } },
      { kind: 'callback', id: 'p2', callback: addressOf('https://a.example/') },
    ]);
    expect(lines).toEqual([
      { id: 'rain-0', label: 'rain here', before: '', after: '' },
      { id: 'p1', label: 'Torino (p1)', before: '', after: '' },
      { id: 'gone', label: 'gone', before: '', after: '' },
      { id: 'p1', label: 'Torino (p1)', before: 'a; b', after: 'c' },
      { id: 'p2', label: 'p2', before: '(none)', after: '(none)' },
      { id: 'p1', label: 'Torino (p1)', before: 'https://ops.example.net/rain', after: 'this app' },
      { id: 'p2', label: 'p2', before: expect.stringContaining('not returned') as string, after: 'https://a.example/' },
    ]);
  });
});
