// How a request with an access token leaves the queue of anonymous requests. How it counts: plan-limits.test.ts.
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { createUsageMeter } from '#service/accounts/usage-meter.ts';
import { readPlans } from '#service/accounts/plans.ts';
import { configWith } from '#service/config/config.ts';
import { runInSlot } from '#service/http/request-slot.ts';
import { createAccessCheck } from '#service/oauth/access-check.ts';
import { createRequireBearer } from '#service/oauth/require-bearer.ts';
import { openDeliveryRows } from '#test/service/monitors/delivery/delivery-rows.ts';
import { weatherOperation } from '#test/service/http/weather-operation.ts';

const access = {
  applicationId: 'app',
  plan: 'storm',
  kind: 'password',
  scope: [],
  accountId: 'account',
  ownerId: 'account',
  grantId: 'grant',
  expiresAt: Infinity,
} as const;

test.each([
  ['valid', 'served', 1],
  ['unknown', 'refused', 0],
])('a request for weather whose token is %s is %s, and leaves its slot %i times', async (token, outcome, count) => {
  const { db, clock, log } = await openDeliveryRows();
  const tokens = { findAccessToken: async () => undefined };
  const usage = createUsageMeter({ db, clock, log });
  onTestFinished(() => usage.close());
  const requireBearer = createRequireBearer({
    check: {
      ...createAccessCheck({ db, clock, machineClock: clock, tokens }),
      find: async (found) => (found === 'valid' ? access : undefined),
    },
    usage,
    plans: readPlans(configWith({})),
  });
  let left = 0;
  const slot = { isHeld: true, leave: () => void (left += 1), takeAgain: async () => {} };
  const server = Fastify();
  onTestFinished(() => server.close());
  server.addHook('onRequest', (_request, _reply, done) => runInSlot(slot, done));
  server.setErrorHandler((_error, _request, reply) => reply.status(200).send('refused'));
  server.get('/', { config: { operation: weatherOperation }, onRequest: requireBearer }, async () => 'served');
  const { body } = await server.inject({ url: '/', headers: { authorization: `Bearer ${token}` } });
  expect([body, left]).toEqual([outcome, count]);
});
