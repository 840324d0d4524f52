// Refreshing the token in use before it expires: at most every 30 s, more slowly after failures, only while something uses the
// connection, and only the active one's.
import { describe, expect, test } from 'vitest';
import { createRefreshAhead } from '#core/connection/refresh-ahead.ts';
import { AppFailure } from '#core/errors/app-failure.ts';
import { connectionDouble } from '../connection-double.ts';
import { startCore } from '../core-harness.ts';
import { issueTokens, startFakeService } from '../fake-service.ts';
import { createManualClock } from '../manual-clock.ts';

/** A connection whose tokens live so long; `fails` says what a refresh does. Returns when refreshes began, in seconds. */
function start(lifetimeSeconds: number, tookSeconds = 0) {
  const clock = createManualClock();
  const startedAt = clock.now();
  const begun: number[] = [];
  const state = { expiresAt: clock.now() + lifetimeSeconds * 1000, fails: false, isInUse: true };
  const connection = connectionDouble('one', {
    refreshAt: () => state.expiresAt - Math.min(30_000, lifetimeSeconds * 500),
    async prepareToken() {
      begun.push((clock.now() - startedAt) / 1000);
      if (tookSeconds > 0) await new Promise<void>((resolve) => void clock.after(tookSeconds * 1000, resolve));
      if (state.fails) throw new AppFailure('NETWORK', 'Nothing answers.');
      state.expiresAt = clock.now() + lifetimeSeconds * 1000;
    },
  });
  const refreshAhead = createRefreshAhead({
    activeConnection: { present: () => connection },
    isInUse: () => state.isInUse,
    clock,
  });
  refreshAhead.plan();
  /** Lets promises between two seconds settle. */
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      clock.advance(1_000);
      await Promise.resolve().then(() => {});
      await new Promise((resolve) => void setImmediate(resolve));
    }
  };
  return { clock, begun, state, pass, refreshAhead };
}

describe('a refresh ahead', () => {
  test('comes 30 s before the end of a token', async () => {
    const { begun, pass } = start(3_600);
    await pass(7_200);
    expect(begun).toEqual([3_570, 7_140]);
  });

  test('comes at most every 30 s, however short tokens live', async () => {
    const { begun, pass } = start(6);
    await pass(125);
    expect(begun).toEqual([3, 33, 63, 93, 123]);
  });

  test('counts 30 s from the start of a refresh that succeeds, and 5 min from the end of one that fails', async () => {
    const startsOf = async (fails: boolean) => {
      const { begun, state, pass } = start(6, 10);
      state.fails = fails;
      await pass(320);
      return begun.slice(0, 3);
    };
    expect(await startsOf(false)).toEqual([3, 33, 63]);
    expect(await startsOf(true)).toEqual([3, 313]);
  });

  test('is left out while nothing uses the connection, and comes again within 30 s of use', async () => {
    const { begun, state, pass } = start(6);
    state.isInUse = false;
    await pass(300);
    expect(begun).toEqual([]);
    state.isInUse = true;
    await pass(30);
    expect(begun).toHaveLength(1);
  });

  test('ends with the app', async () => {
    const { begun, pass, refreshAhead } = start(6);
    refreshAhead.close();
    await pass(120);
    expect(begun).toEqual([]);
  });
});

test('the app refreshes the token of the connection in use ahead of time, while its receiver listens', async () => {
  const clock = createManualClock();
  const service = await startFakeService({ 'POST /token/': issueTokens({ expires_in: 60 }) });
  const { statusWhere } = await startCore({ sandbox: service.introduction, clock });
  await statusWhere(({ token, receiver }) => token.state === 'valid' && receiver.state === 'listening');
  clock.advance(31_000);
  await expect.poll(() => service.requestsTo('POST /token/')).toHaveLength(2);
});
