// Deletes of monitors: held, sent, and undone.
import { describe, expect, test } from 'vitest';
import { AppFailure } from '#core/errors/app-failure.ts';
import { createPendingDeletes } from '#core/monitors/pending-deletes.ts';
import { createManualClock } from '../manual-clock.ts';
import { connectionOf, now, settle } from './monitor-samples.ts';

// monitor-manager.test.ts has those of a service.
describe('a delete', () => {
  function startDeletes() {
    const clock = createManualClock(now);
    const { connection, state } = connectionOf('one');
    const sent: string[] = [];
    const open: ((error?: Error) => void)[] = [];
    const counts = { changed: 0 };
    const deletes = createPendingDeletes({
      clock,
      send(of, id) {
        sent.push(`${of.profile.id} ${id}`);
        return new Promise<void>((resolve, reject) => void open.push((error) => (error ? reject(error) : resolve())));
      },
      onDeleted: () => {},
      onChanged: () => (counts.changed += 1),
    });
    const end = async (error?: Error) => {
      open.shift()?.(error);
      await settle();
    };
    return { clock, deletes, connection, state, sent, open, counts, end };
  }

  test('holds its connection until it is sent or undone, and may be held again after a failure', async () => {
    const { clock, deletes, connection, state, sent, counts, end } = startDeletes();
    deletes.hold(connection, ['a', 'b']);
    deletes.hold(connection, ['b', 'c']);
    expect(deletes.undo(connection, ['c', 'x'])).toEqual(['c']);
    expect([state.held, counts.changed, deletes.deletionOf('two', 'a')]).toEqual([2, 3, null]);
    clock.advance(8000);
    expect([sent, deletes.deletionOf('one', 'a')]).toEqual([['one a', 'one b'], { state: 'sending' }]);
    expect(deletes.undo(connection, ['a'])).toEqual([]);
    await end();
    await end(new AppFailure('SERVER', 'No.', { trafficId: 7 }));
    expect([deletes.deletionOf('one', 'a'), state.held]).toEqual([null, 0]);
    expect(deletes.deletionOf('one', 'b')).toEqual({ state: 'failed', message: 'No.', trafficId: 7 });
    deletes.hold(connection, ['b']);
    expect([deletes.deletionOf('one', 'b')?.state, state.held]).toEqual(['held', 1]);
  });

  test('reports many results at most four times a second', () => {
    const { clock, deletes, connection, counts } = startDeletes();
    deletes.hold(connection, ['a', 'b']);
    clock.advance(8249);
    expect(counts.changed).toBe(1);
    clock.advance(1);
    expect(counts.changed).toBe(2);
  });

  test('is sent before the app ends, 32 at once, and waits 5 s at most', async () => {
    const { clock, deletes, connection, sent, open, end } = startDeletes();
    deletes.hold(
      connection,
      Array.from({ length: 40 }, (_, index) => `m${index}`),
    );
    let isOver = false;
    const flushed = deletes.flush().then(() => (isOver = true));
    await settle();
    expect([sent.length, open.length]).toEqual([32, 32]);
    await end();
    expect(sent).toHaveLength(33);
    clock.advance(4999);
    await settle();
    expect(isOver).toBe(false);
    clock.advance(1);
    await flushed;
    clock.advance(8000);
    expect(sent).toHaveLength(33);
  });
});
