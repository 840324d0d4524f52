// Actions on many monitors: what is sent when, and what is reported.
import { describe, expect, test } from 'vitest';
import type { BulkTask } from '#contract/app-rpc/monitor-bulk.ts';
import type { Connection } from '#core/connection/connection.ts';
import { AppFailure } from '#core/errors/app-failure.ts';
import { createBulkRuns } from '#core/monitors/bulk-runs.ts';
import { activeConnectionDouble } from '../connection-double.ts';
import { connectionOf, notesTask, settle, testTask } from './monitor-samples.ts';

function startRuns() {
  const { connection, state: held } = connectionOf('one');
  const active = { connection: connection as Connection | undefined };
  const sent: string[] = [];
  const saved: string[][] = [];
  const open: (() => void)[] = [];
  const options = { isHeld: false, saveFails: false };
  const idOf = (task: BulkTask) => ('id' in task ? task.id : task.kind);
  const runs = createBulkRuns({
    activeConnection: activeConnectionDouble(() => active.connection, connection),
    work: {
      inverseOf: () => undefined,
      async send(_connection, task) {
        sent.push(idOf(task));
        if (options.isHeld) await new Promise<void>((resolve) => void open.push(resolve));
        return undefined;
      },
      isLocal: ({ kind }) => kind === 'notes',
      save(_connection, tasks) {
        if (options.saveFails) throw new AppFailure('STORAGE', 'The disk is full.');
        saved.push(tasks.map(idOf));
      },
    },
    onEnd() {},
  });
  return { runs, sent, saved, open, options, active, held, connection };
}

const done = { failed: 0, stopped: 0, isRunning: false, canUndo: false, failures: [] };

describe('an action on many monitors', () => {
  test('whose tasks come in parts starts with the last, and has them in their order', async () => {
    const { runs, sent } = startRuns();
    const part = (id: string, isLast: boolean) => ({ id, isLast });
    expect(await runs.start('Test', [testTask('x')], part('lost', false))).toBeNull();
    expect(await runs.start('Test', [testTask('b'), testTask('d')], part('one', false))).toBeNull();
    expect(runs.state()).toBeNull();
    expect(await runs.start('Test', [testTask('e')], part('one', true))).toMatchObject({ total: 3, isRunning: true });
    await settle();
    expect(sent).toEqual(['b', 'd', 'e']);
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

  test('carries out what needs no request first, at once', async () => {
    const { runs, saved, sent } = startRuns();
    await runs.start('Notes', [testTask('z'), notesTask('a'), notesTask('b')]);
    await settle();
    expect([saved, sent]).toEqual([[['a', 'b']], ['z']]);
    expect(runs.state()).toMatchObject({ total: 3, done: 3, isRunning: false });
  });

  test('says which of those failed, of 500 at most', async () => {
    const { runs, options } = startRuns();
    options.saveFails = true;
    await runs.start(
      'Notes',
      Array.from({ length: 501 }, (_, index) => notesTask(`n${index}`)),
    );
    await settle();
    expect(runs.state()).toMatchObject({ failed: 501, done: 0, canUndo: false });
    const { failures = [] } = runs.state() ?? {};
    expect([failures.length, failures[0]]).toEqual([500, { label: 'n0', message: 'The disk is full.' }]);
  });

  test('keeps 32 requests open', async () => {
    const { runs, options, open, sent, held } = startRuns();
    options.isHeld = true;
    await runs.start(
      'Test',
      Array.from({ length: 100 }, (_, index) => testTask(`m${index}`)),
    );
    await settle();
    expect(sent).toHaveLength(32);
    // It is not closed while it runs.
    runs.close();
    for (const end of open.splice(0)) end();
    await settle();
    expect([sent.length, runs.state()?.done]).toEqual([64, 32]);
    runs.stop();
    for (const end of open.splice(0)) end();
    await settle();
    expect([sent.length, held.held]).toEqual([64, 0]);
    expect(runs.state()).toEqual({ ...done, title: 'Test', total: 100, done: 64, stopped: 36 });
    options.isHeld = false;
    expect(await runs.retry()).toMatchObject({ done: 64, stopped: 0, isRunning: true });
    expect(await runs.retry()).toMatchObject({ isRunning: true });
    await settle();
    expect([sent.length, runs.state()?.done]).toEqual([100, 100]);
  });

  test('ends with its connection', async () => {
    const { runs, options, open, sent, active, connection } = startRuns();
    options.isHeld = true;
    await runs.start(
      'Test',
      Array.from({ length: 40 }, (_, index) => testTask(`m${index}`)),
    );
    await settle();
    active.connection = connectionOf('two').connection;
    expect([runs.state(), runs.stop(), await runs.retry(), await runs.undo()]).toEqual([null, null, null, null]);
    for (const end of open.splice(0)) end();
    await settle();
    expect(sent).toHaveLength(32);
    active.connection = connection;
    expect(runs.state()).toMatchObject({ done: 32, stopped: 8, isRunning: false });
    active.connection = connectionOf('two').connection;
    runs.close();
    active.connection = connection;
    expect(runs.state()).toMatchObject({ done: 32 });
    runs.close();
    expect(runs.state()).toBeNull();
  });
});
