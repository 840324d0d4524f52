// Which task undoes a task of a bulk action, and which are saved.
import { describe, expect, test } from 'vitest';
import type { BulkTask } from '#contract/app-rpc/monitor-bulk.ts';
import { createBulkWork } from '#core/monitors/bulk-work.ts';
import { createMonitorNotes, noNotes } from '#core/monitors/monitor-notes.ts';
import { createManualClock } from '../manual-clock.ts';
import { connectionOf, notesTask, openDatabase, testTask } from './monitor-samples.ts';

const notAsked = async () => {
  throw new Error('The test did not expect this request.');
};
/** The monitors, deliveries, and rain of a bulk action that sends nothing. */
const quiet = () => ({
  monitors: { create: notAsked, update: notAsked, knownUrl: () => undefined, paced: notAsked },
  deliveries: { sendTest: notAsked, setOn: notAsked, resend: notAsked },
  notes: createMonitorNotes(openDatabase().db),
  clock: createManualClock(),
  rain: { start: notAsked, end: notAsked },
});

describe('a task', () => {
  function startWork(url: string | undefined) {
    const { db } = openDatabase();
    const { connection } = connectionOf('one');
    const store = createMonitorNotes(db);
    const monitors = { ...quiet().monitors, knownUrl: (id: string) => (id === 'm' ? url : undefined) };
    const work = createBulkWork({ ...quiet(), monitors, notes: store });
    return { work, connection, store };
  }
  const callback = (uri: string): BulkTask => ({ kind: 'callback', id: 'm', callback: { kind: 'address', uri } });
  const known = 'https://a.example/';

  test.each<[string, BulkTask, string | undefined, BulkTask | undefined]>([
    ['a URL', callback('https://b.example/'), known, callback(known)],
    ['not of a URL that is unknown', callback('https://b.example/'), undefined, undefined],
    ['not of a test event', testTask('m'), known, undefined],
    ['a pause', { kind: 'delivery', id: 'm', isOn: false }, undefined, { kind: 'delivery', id: 'm', isOn: true }],
    ['notes, to none', notesTask('m'), known, { kind: 'notes', id: 'm', notes: noNotes }],
  ])('is undone: %s', (_, task, before, inverse) => {
    const { work, connection } = startWork(before);
    expect(work.inverseOf(connection, task)).toStrictEqual(inverse);
  });

  test('resends one after another with a pause, after delivery was turned on', async () => {
    const clock = createManualClock();
    const calls: string[] = [];
    const work = createBulkWork({
      ...quiet(),
      deliveries: {
        ...quiet().deliveries,
        setOn: async (id) => void calls.push(`on ${id}`),
        resend: async (id, eventId) => void calls.push(`${id} ${eventId}`),
      },
      clock,
    });
    const { connection } = connectionOf('one');
    const task = { kind: 'resend', label: '', id: 'm' } as const;
    const all = Promise.all([
      work.send(connection, { ...task, eventId: 'a', turnsOn: true }),
      work.send(connection, { ...task, eventId: 'b', turnsOn: false }),
    ]);
    await expect.poll(() => calls).toEqual(['on m', 'm a']);
    clock.advance(200);
    await expect.poll(() => calls).toEqual(['on m', 'm a', 'm b']);
    clock.advance(200);
    await all;
  });
});
