// Deletes of monitors: held, sent, and undone.
import { describe, expect, test } from 'vitest';
import { AppFailure } from '#core/errors/app-failure.ts';
import { createPendingDeletes } from '#core/monitors/pending-deletes.ts';
import { createManualClock } from '../manual-clock.ts';
import { connectionOf, now, settle } from './monitor-samples.ts';

describe('a delete', () => {
  function startDeletes() {
    const clock = createManualClock(now);
    const { connection, state } = connectionOf('one');
    const sent: string[] = [];
    const open: ((error?: Error) => void)[] = [];
    const counts = { changed: 0, deleted: [] as string[] };
    const deletes = createPendingDeletes({
      clock,
      send(of, id) {
        sent.push(`${of.profile.id} ${id}`);
        return new Promise<void>((resolve, reject) => void open.push((error) => (error ? reject(error) : resolve())));
      },
      onDeleted: (connectionId, id) => void counts.deleted.push(`${connectionId} ${id}`),
      onChanged: () => (counts.changed += 1),
    });
    const end = async (error?: Error) => {
      open.shift()?.(error);
      await settle();
    };
    return { clock, deletes, connection, state, sent, open, counts, end };
  }
  const held = { state: 'held', sendsAt: '2026-11-23T12:00:08.000Z' };

  test('is held for 8 s, then sent', async () => {
    const { clock, deletes, connection, state, sent, counts, end } = startDeletes();
    expect(deletes.hold(connection, ['a', 'b'])).toEqual({ sendsAt: held.sendsAt });
    expect([deletes.deletionOf('one', 'a'), deletes.deletionOf('two', 'a'), deletes.deletionOf('one', 'c')]).toEqual([
      held,
      null,
      null,
    ]);
    expect([counts.changed, state.held]).toEqual([1, 2]);
    clock.advance(7999);
    expect(sent).toEqual([]);
    clock.advance(1);
    expect([sent, deletes.deletionOf('one', 'a')]).toEqual([['one a', 'one b'], { state: 'sending' }]);
    clock.advance(249);
    expect(counts.changed).toBe(1);
    clock.advance(1);
    expect(counts.changed).toBe(2);
    expect(deletes.undo(connection, ['a'])).toEqual([]);
    expect(counts.changed).toBe(3);
    await end();
    await end(new AppFailure('SERVER', 'No.', { trafficId: 7 }));
    expect([counts.deleted, deletes.deletionOf('one', 'a'), state.held]).toEqual([['one a'], null, 0]);
    expect(deletes.deletionOf('one', 'b')).toEqual({ state: 'failed', message: 'No.', trafficId: 7 });
    clock.advance(250);
    expect(counts.changed).toBe(4);
    // It can be held again.
    deletes.hold(connection, ['b']);
    expect([deletes.deletionOf('one', 'b')?.state, state.held]).toEqual(['held', 1]);
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
