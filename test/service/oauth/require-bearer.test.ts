// Which access tokens a request may carry (https://www.rfc-editor.org/rfc/rfc6750#section-3), and that it then leaves the queue of
// anonymous requests. How it counts: plan-limits.test.ts.
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
import { fetchToken } from '#test/service/monitor-service.ts';
import { startOAuthService } from './oauth-service.ts';

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

test('each refusal of an access token is that of RFC 6750 section 3', async () => {
  const service = await startOAuthService();
  const token = await fetchToken(service.baseUrl, service.sandbox);
  const probe = async (header?: string, query = '') => {
    const response = await fetch(
      `${service.baseUrl}/v2/probe${query}`,
      header === undefined ? {} : { headers: { authorization: header } },
    );
    const json = (await response.json()) as Record<string, unknown>;
    const { error, error_description: words } = json;
    return response.ok ? response.status : [response.status, error, words, response.headers.get('www-authenticate')];
  };
  const invalid = (words: string) => [
    401,
    'invalid_token',
    words,
    `Bearer realm="Rainbell", error="invalid_token", error_description="${words}"`,
  ];
  const none = 'Send an access token: Authorization: Bearer ACCESS_TOKEN. Get one with POST /token/.';
  expect(await probe()).toEqual([401, 'invalid_token', none, 'Bearer realm="Rainbell"']);
  for (const header of [
    'Bearer',
    'Bearer ',
    `Basic ${token}`,
    `Bearer ${token} x`,
    'Bearer a b',
    'Bearer =',
    `xBearer ${token}`,
  ]) {
    expect(await probe(header)).toEqual(invalid('The Authorization header must be: Bearer ACCESS_TOKEN.'));
  }
  const unknown = invalid('The access token is unknown, expired, or revoked; get a new one at /token/.');
  expect(await probe('Bearer x')).toEqual(unknown);
  for (const header of [`Bearer ${token}`, `bearer   ${token}`, `BEARER ${token}`])
    expect(await probe(header)).toBe(200);
  expect(await probe(`Bearer ${token}`, '?other=1')).toBe(200);
  for (const query of ['?access_token=x', '?a=1&access_token']) {
    expect(await probe(`Bearer ${token}`, query)).toEqual([
      400,
      'invalid_request',
      'Send the access token in the Authorization header, not in the URL.',
      'Bearer realm="Rainbell", error="invalid_request"',
    ]);
  }
});
