// Actions on many monitors over the real database: what is stored before, during, and after each request.
import { describe, expect, test } from 'vitest';
import type { BulkTask } from '#contract/app-rpc/monitor-bulk.ts';
import type { Connection } from '#core/connection/connection.ts';
import { AppFailure } from '#core/errors/app-failure.ts';
import { createBulkRuns } from '#core/monitors/bulk-runs.ts';
import { createBulkStore } from '#core/monitors/bulk-store.ts';
import { activeConnectionDouble } from '../connection-double.ts';
import { connectionOf, notesTask, openDatabase, settle, testTask } from './monitor-samples.ts';

function startRuns() {
  const { db, clock } = openDatabase();
  const { connection, state: held } = connectionOf('one');
  const active = { connection: connection as Connection | undefined };
  const sent: string[] = [];
  const saved: string[][] = [];
  const open: (() => void)[] = [];
  const ends = { count: 0 };
  const options = { isHeld: false, saveFails: false };
  const idOf = (task: BulkTask) => ('id' in task ? task.id : task.kind);
  const runs = createBulkRuns({
    activeConnection: activeConnectionDouble(() => active.connection, connection),
    store: createBulkStore(db),
    work: {
      inverseOf: () => undefined,
      async send(_connection, task) {
        sent.push(idOf(task));
        if (options.isHeld) await new Promise<void>((resolve) => void open.push(resolve));
        return undefined;
      },
      carriedOut: async () => new Set(),
      isLocal: ({ kind }) => kind === 'notes',
      save(_connection, tasks) {
        if (options.saveFails) throw new AppFailure('STORAGE', 'The disk is full.');
        saved.push(tasks.map(idOf));
      },
    },
    clock,
    onEnd: () => (ends.count += 1),
  });
  const states = () =>
    db
      .prepare('SELECT state FROM bulk_tasks ORDER BY place')
      .all()
      .map((row) => row['state']);
  const pass = async (ms = 0) => {
    await settle();
    for (let step = 0; step < 5; step += 1) {
      clock.advance(step === 0 ? ms : 0);
      await settle();
    }
  };
  return { db, clock, runs, states, sent, saved, open, options, ends, active, held, pass, connection };
}

const done = { failed: 0, stopped: 0, isRunning: false, canUndo: false, failures: [] };

describe('an action on many monitors', () => {
  test('whose tasks come in parts starts with the last, and has them in their order', async () => {
    const { runs, sent, pass } = startRuns();
    const part = (id: string, isLast: boolean) => ({ id, isLast });
    expect(await runs.start('Test', [testTask('x')], part('lost', false))).toBeNull();
    expect(await runs.start('Test', [testTask('b'), testTask('d')], part('one', false))).toBeNull();
    expect(runs.state()).toBeNull();
    expect(await runs.start('Test', [testTask('e')], part('one', true))).toMatchObject({ total: 3, isRunning: true });
    await pass();
    expect(sent).toEqual(['b', 'd', 'e']);
    await pass(250);
    expect(await runs.start('Test', [testTask('f')], part('one', true))).toMatchObject({ total: 1 });
  });

  test('has at most 20,000 tasks, in parts, too', async () => {
    const { runs } = startRuns();
    const many = Array.from({ length: 20_000 }, () => testTask('b'));
    await runs.start('Test', many, { id: 'one', isLast: false });
    await expect(runs.start('Test', [testTask('b')], { id: 'one', isLast: true })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });

  test('runs what needs no request first, 500 at once', async () => {
    const { runs, pass, saved, sent, clock, states } = startRuns();
    const tasks = [testTask('z'), ...Array.from({ length: 501 }, (_, index) => notesTask(`n${index}`))];
    await runs.start('Notes', tasks);
    expect(saved.map(({ length }) => length)).toEqual([500]);
    expect([sent, states().filter((state) => state === 'done').length]).toEqual([[], 500]);
    clock.advance(0);
    await settle();
    expect(saved.map(({ length }) => length)).toEqual([500, 1]);
    await pass();
    expect(sent).toEqual(['z']);
    expect(runs.state()).toMatchObject({ total: 502, done: 502, isRunning: false });
  });

  test('says which of those failed, of 500 at most', async () => {
    const { runs, pass, options } = startRuns();
    options.saveFails = true;
    await runs.start(
      'Notes',
      Array.from({ length: 501 }, (_, index) => notesTask(`n${index}`)),
    );
    await pass();
    expect(runs.state()).toMatchObject({ failed: 501, done: 0, canUndo: false });
    const { failures = [] } = runs.state() ?? {};
    expect([failures.length, failures[0]]).toEqual([500, { label: 'n0', message: 'The disk is full.' }]);
  });

  test('keeps 32 requests open, and marks 64 as sent', async () => {
    const { runs, pass, options, open, sent, states } = startRuns();
    options.isHeld = true;
    await runs.start(
      'Test',
      Array.from({ length: 100 }, (_, index) => testTask(`m${index}`)),
    );
    await pass();
    const count = (state: string) => states().filter((one) => one === state).length;
    expect([sent.length, count('sent'), count('waiting')]).toEqual([32, 64, 36]);
    // It is not closed while it runs.
    runs.close();
    for (const end of open.splice(0)) end();
    await pass(250);
    expect([sent.length, count('done'), count('sent'), count('waiting')]).toEqual([64, 32, 32, 36]);
    runs.stop();
    for (const end of open.splice(0)) end();
    await pass();
    expect([sent.length, count('done'), count('stopped')]).toEqual([64, 64, 36]);
    expect(runs.state()).toEqual({ ...done, title: 'Test', total: 100, done: 64, stopped: 36 });
    options.isHeld = false;
    expect(await runs.retry()).toMatchObject({ done: 64, stopped: 0, isRunning: true });
    expect(await runs.retry()).toMatchObject({ isRunning: true });
    await pass();
    expect([sent.length, runs.state()?.done]).toEqual([100, 100]);
  });

  test('ends with its connection', async () => {
    const { runs, pass, options, open, sent, active, connection, states } = startRuns();
    options.isHeld = true;
    await runs.start(
      'Test',
      Array.from({ length: 40 }, (_, index) => testTask(`m${index}`)),
    );
    await pass();
    active.connection = connectionOf('two').connection;
    expect([runs.state(), runs.stop(), await runs.retry(), await runs.undo()]).toEqual([null, null, null, null]);
    for (const end of open.splice(0)) end();
    await pass();
    expect(sent).toHaveLength(32);
    active.connection = connection;
    expect(runs.state()).toMatchObject({ done: 32, stopped: 8, isRunning: false });
    active.connection = connectionOf('two').connection;
    runs.close();
    expect(states()).toHaveLength(40);
    active.connection = connection;
    runs.close();
    expect([states(), runs.state()]).toEqual([[], null]);
  });

  test('fails as a whole if nothing can be written', async () => {
    const { runs, pass, db, sent, ends, held } = startRuns();
    const started = runs.start('Test', [notesTask('a'), testTask('m')]);
    db.exec("CREATE TRIGGER full BEFORE UPDATE ON bulk_tasks BEGIN SELECT RAISE(ABORT, 'full'); END");
    await started;
    await pass();
    expect([sent, ends.count, held.held]).toEqual([[], 1, 0]);
    expect(runs.state()).toMatchObject({ isRunning: false, failed: 1 });
  });
});
