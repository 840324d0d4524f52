// What a task of a bulk action sends or saves, and which task undoes it.
import { describe, expect, test } from 'vitest';
import type { BulkTask } from '#contract/app-rpc/monitor-bulk.ts';
import { createBulkWork } from '#core/monitors/bulk-work.ts';
import { createMonitorNotes, noNotes } from '#core/monitors/monitor-notes.ts';
import { connectionOf, notesTask, openDatabase, testTask } from './monitor-samples.ts';

describe('a task', () => {
  const geo = { lat: 45, lng: 7 };
  function startWork(known: { geo: typeof geo; callbackUri: string | null } | undefined) {
    const { db } = openDatabase();
    const { connection } = connectionOf('one');
    const calls: unknown[] = [];
    const store = createMonitorNotes(db);
    const rain = { scenario: 'scenario_1' as string | undefined };
    const work = createBulkWork({
      monitors: {
        async create(...given) {
          calls.push(['create', ...given]);
          return {} as never;
        },
        async update(...given) {
          calls.push(['update', ...given]);
          return {} as never;
        },
        list: async () => ({ monitors: [], problems: [], fetchedAt: '' }),
        known: (id) => (id === 'm' ? known : undefined),
        paced(of, send) {
          calls.push(['paced', of === connection]);
          return send();
        },
      },
      deliveries: {
        async sendTest(id) {
          calls.push(['test', id]);
          return { event_id: 'test_1' };
        },
      },
      notes: store,
      rain: {
        async start(over) {
          calls.push(['rain', over]);
          return rain.scenario;
        },
        async end(id) {
          calls.push(['end', id]);
        },
      },
    });
    return { work, connection, calls, store, rain };
  }
  const callback = { kind: 'address' as const, uri: 'https://b.example/' };
  const update = (changes: object): BulkTask => ({ kind: 'update', id: 'm', changes }) as BulkTask;
  const known = { geo, callbackUri: 'https://a.example/' };

  test.each([
    ['a place', update({ geo: { lat: 1, lng: 2 } }), known, update({ geo })],
    ['a URL', update({ callback }), known, update({ callback: { kind: 'address', uri: 'https://a.example/' } })],
    [
      'both',
      update({ geo: { lat: 1, lng: 2 }, callback }),
      known,
      update({ geo, callback: { kind: 'address', uri: 'https://a.example/' } }),
    ],
    ['a place, but no URL', update({ geo: { lat: 1, lng: 2 } }), { geo, callbackUri: null }, update({ geo })],
    ['not of a URL that is unknown', update({ callback }), { geo, callbackUri: null }, undefined],
    ['not of a monitor that is unknown', update({ geo }), undefined, undefined],
    ['not of a test event', testTask('m'), known, undefined],
    ['notes, to none', notesTask('m'), known, { kind: 'notes', id: 'm', notes: noNotes }],
  ])('is undone: %s', (_, task, before, inverse) => {
    const { work, connection } = startWork(before);
    expect(work.inverseOf(connection, task)).toStrictEqual(inverse);
  });

  test('of notes is undone to the notes of before, and saved with others', () => {
    const { work, connection, store } = startWork(known);
    work.save(connection, [notesTask('m', 'A'), testTask('x'), notesTask('n', 'B')]);
    expect([...store.of('one')].map(([id, { name }]) => [id, name])).toEqual([
      ['m', 'A'],
      ['n', 'B'],
    ]);
    expect(work.inverseOf(connection, notesTask('m', 'C'))).toEqual(notesTask('m', 'A'));
    expect([work.isLocal(notesTask('m')), work.isLocal(testTask('m'))]).toEqual([true, false]);
  });

  test('is sent as it is', async () => {
    const { work, connection, calls, rain } = startWork(known);
    const create = { kind: 'create', label: 'A', geo, callback } as unknown as BulkTask;
    const rainTask = { kind: 'rain', label: 'A', center: geo, minutes: 5, radiusKm: 2 } as BulkTask;
    const sent = [];
    for (const task of [
      create,
      update({ geo }),
      update({ callback }),
      testTask('m'),
      rainTask,
      { kind: 'end-rain', label: 'A', scenarioId: 's' } as BulkTask,
      notesTask('m'),
    ])
      // oxlint-disable-next-line no-await-in-loop
      sent.push(await work.send(connection, task));
    expect(sent).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      { kind: 'end-rain', label: 'A', scenarioId: 'scenario_1' },
      undefined,
      undefined,
    ]);
    expect(calls).toStrictEqual([
      ['create', create, { connection }],
      ['update', 'm', { geo }, { readBack: false, connection }],
      ['update', 'm', { callback }, { readBack: false, connection }],
      ['paced', true],
      ['test', 'm'],
      ['paced', true],
      ['rain', { center: geo, minutes: 5, radiusKm: 2 }],
      ['paced', true],
      ['end', 's'],
    ]);
    rain.scenario = undefined;
    expect(await work.send(connection, rainTask)).toBeUndefined();
  });
});
