// How a request with an access token leaves the queue of anonymous requests, and is counted, with a check and a meter of the test's.
import { expect, test } from 'vitest';
import { configWith } from '#service/config/config.ts';
import { readPlans } from '#service/accounts/plans.ts';
import { runInSlot } from '#service/http/request-slot.ts';
import { createRequireBearer } from '#service/oauth/require-bearer.ts';

const access = { applicationId: 'app', plan: 'storm', kind: 'password', scope: [], accountId: 'account' };

async function request(token: string, { loads = 0, excess = undefined as object | undefined } = {}) {
  const calls: unknown[] = [];
  const routeOptions = { config: { operation: { group: 'Weather' } } };
  const request = { url: '/v2/weather/?a=1', headers: { authorization: `Bearer ${token}` }, routeOptions };
  const requireBearer = createRequireBearer({
    check: { find: async (found: string) => (found === 'valid' ? access : undefined) } as never,
    usage: {
      isLoaded: () => calls.filter((call) => call === 'load').length >= loads,
      load: async () => void calls.push('load'),
      count: (...counted: [string, { id: string }]) => {
        calls.push(['count', counted[0], counted[1].id]);
        return excess;
      },
      fields: () => ({ 'ratelimit-remaining': '7' }),
    } as never,
    plans: readPlans(configWith({})),
  });
  const slot = { isHeld: true, leave: () => void calls.push('leave slot'), takeAgain: async () => {} };
  const reply = { headers: (fields: object) => void calls.push(fields) };
  const failure = await new Promise<unknown>((resolve) =>
    runInSlot(slot, () => {
      Promise.resolve(requireBearer.call(undefined as never, request as never, reply as never)).then(resolve, resolve);
    }),
  );
  return { failure, calls, request };
}

const fields = { 'ratelimit-remaining': '7' };

test('a valid token releases the slot, and its request counts once the application’s use is loaded', async () => {
  const { failure, calls, request: accepted } = await request('valid', { loads: 1 });
  expect(failure).toBeUndefined();
  expect(calls).toEqual(['leave slot', 'load', ['count', 'app', 'storm'], fields]);
  expect(accepted).toMatchObject({ access });
});

test('a request over the limit of its plan is refused with what remains', async () => {
  const excess = { window: 'minute', limit: 3, retryAfterSeconds: 9 };
  const { failure, calls, request: refused } = await request('valid', { excess });
  expect(failure).toMatchObject({ code: 'rate_limited', headers: { 'retry-after': '9' } });
  expect(calls).toEqual(['leave slot', ['count', 'app', 'storm'], fields]);
  expect(refused).not.toHaveProperty('access');
});

test('an unknown token keeps the slot and is not counted', async () => {
  const { failure, calls } = await request('unknown');
  expect(failure).toMatchObject({ code: 'invalid_token' });
  expect(calls).toEqual([]);
});
