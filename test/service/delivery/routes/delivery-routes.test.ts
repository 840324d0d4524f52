// The delivery log over HTTP, without a database: which monitor a request is about, and what it returns.
import Fastify, { type FastifyRequest } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { MonitorExplanation } from '#contract/service-api/monitor-explanation.ts';
import type { DeliveryLog } from '#service/monitors/delivery/delivery-log.ts';
import { registerDeliveryRoutes } from '#service/monitors/delivery/delivery-routes.ts';
import { ServiceError } from '#service/errors/service-error.ts';
import type { MonitorRow } from '#service/monitors/monitor-json.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

/** As openapi.json describes it. */
const statusOf = (monitor_id: string) => ({
  monitor_id,
  last_event_at: null,
  next_event_allowed_at: null,
  delivered: 0,
  failed: 0,
  failed_in_a_row: 0,
  is_on: true,
  off_since: null,
  off_reason: null,
  created_at: '2026-11-21T05:00:00',
  recent_events: '',
  last_attempt: null,
});
const attemptOf = (id: string, event_id: string, monitor_id: string) => ({
  id,
  event_id,
  monitor_id,
  attempt: 1,
  kind: 'first' as const,
  started_at: '2026-11-21T05:00:00',
  latency_ms: 5,
  http_status: 200,
  error: null,
  answer: '',
});
const explanationOf = (monitor_id: string): MonitorExplanation => ({
  monitor_id,
  cause: 'dry',
  since: '2026-11-21T05:00:00',
  until: null,
  reason: null,
  checked_at: null,
  next_check_at: null,
  weather: null,
  event: null,
  sentence: 'Dry',
  now: '2026-11-21T06:00:00',
});
const verification = { confirmed: 1, not_confirmed: 0, no_evidence: 0, missed: 0, median_lead_time_seconds: 60 };
const confirmed = { verdict: 'confirmed', evidence: null, lead_time_seconds: 60 } as const;

type Sent = { resend: 'sent' | 'busy' | 'unknown'; plan?: string };

async function start({ resend, plan }: Sent = { resend: 'sent' }) {
  const calls: unknown[] = [];
  const monitorOf = async (applicationId: string, id: string) => {
    if (applicationId !== 'a' || id !== 'm1') throw new ServiceError('not_found', 'unknown monitor');
    return { id } as MonitorRow;
  };
  const log: DeliveryLog = {
    attempts: async (id) => ['evt_1', 'evt_2', 'evt_1'].map((event, index) => attemptOf(`att_${index}`, event, id)),
    states: async (applicationId) => [statusOf(`of ${applicationId}`)],
    state: async ({ id }) => statusOf(id),
    async resend(...parts) {
      calls.push(['resend', ...parts]);
      return resend;
    },
    async sendTest({ id }) {
      calls.push(['test', id]);
      return 'test_1';
    },
    turnOn: async (id) => void calls.push(['turn on', id]),
  };
  const server = Fastify();
  onTestFinished(() => server.close());
  server.setErrorHandler<ServiceError>((error, _request, reply) =>
    reply.code(error.status ?? 500).send({ error: error.code, error_description: error.message }),
  );
  registerDeliveryRoutes(server, {
    log,
    outcomes: {
      async outcomesOf(ids) {
        calls.push(['outcomes', ...ids]);
        return new Map([['evt_2', confirmed]]);
      },
      async ofMonitor(id) {
        calls.push(['verification', id]);
        return verification;
      },
    },
    clock: createManualClock(Date.parse('2026-11-21T06:00:00Z')),
    preHandler: [
      async (request: FastifyRequest) => {
        const { authorization } = request.headers;
        if (authorization === undefined) throw new ServiceError('invalid_token', 'no token');
        request.access = { applicationId: authorization } as FastifyRequest['access'];
      },
    ],
    monitorOf,
    limitOf: async (applicationId) => ({ limit: applicationId.length + 6, plan }),
    webhookKeys: { keys: [] },
    explain: async ({ id }) => explanationOf(id),
  });
  async function call(method: 'GET' | 'PATCH' | 'POST', url: string, body?: object, authorization?: string) {
    const headers = { authorization: authorization ?? 'a' };
    const response = await server.inject({ method, url, headers, ...(body && { payload: body }) });
    return [response.statusCode, response.json()] as const;
  }
  return { server, calls, call };
}

describe('GET', () => {
  it('lists the statuses of an application, with its plan and the extensions of the service', async () => {
    const meta = { now: '2026-11-21T06:00:00', extensions: ['backtest', 'nowcast', 'feed'] };
    const { call } = await start();
    expect(await call('GET', '/v2/delivery/')).toEqual([
      200,
      { objects: [statusOf('of a')], meta: { ...meta, plan: { name: null, monitor_limit: 7 } } },
    ]);
    const paid = await start({ resend: 'sent', plan: 'storm' });
    const [, page] = await paid.call('GET', '/v2/delivery/', undefined, 'abc');
    expect(page).toEqual({
      objects: [statusOf('of abc')],
      meta: { ...meta, plan: { name: 'storm', monitor_limit: 9 } },
    });
  });

  it('lists the attempts of a monitor with the outcomes of their events', async () => {
    const { call, calls } = await start();
    expect(await call('GET', '/v2/monitors/m1/deliveries/')).toEqual([
      200,
      {
        objects: [
          { ...attemptOf('att_0', 'evt_1', 'm1'), outcome: null },
          { ...attemptOf('att_1', 'evt_2', 'm1'), outcome: confirmed },
          { ...attemptOf('att_2', 'evt_1', 'm1'), outcome: null },
        ],
        meta: { verification },
      },
    ]);
    expect(calls).toEqual([
      ['outcomes', 'evt_1', 'evt_2'],
      ['verification', 'm1'],
    ]);
  });

  it('returns the status and the explanation of a monitor', async () => {
    const { call } = await start();
    expect(await call('GET', '/v2/monitors/m1/delivery/')).toEqual([200, statusOf('m1')]);
    expect(await call('GET', '/v2/monitors/m1/explanation/')).toEqual([200, explanationOf('m1')]);
  });

  it('returns the public keys to anyone, also to pages of other sites, for five minutes', async () => {
    const { server } = await start();
    const response = await server.inject('/.well-known/webhook-keys.json');
    expect([response.statusCode, response.json()]).toEqual([200, { keys: [] }]);
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=300',
    });
  });
});

describe('PATCH', () => {
  it('turns delivery on again, and returns the status', async () => {
    const { call, calls } = await start();
    const path = '/v2/monitors/m1/delivery/';
    expect(await call('PATCH', path, { is_on: true })).toEqual([200, statusOf('m1')]);
    expect(calls).toEqual([['turn on', 'm1']]);
  });

  it.each([{ is_on: false }, { is_on: true, also: 1 }, {}])('refuses %o', async (body) => {
    const { call, calls } = await start();
    expect(await call('PATCH', '/v2/monitors/m1/delivery/', body)).toEqual([
      400,
      {
        error: 'invalid_request',
        error_description: 'The body must be {is_on: true}; to stop delivery, delete the monitor.',
      },
    ]);
    expect(calls).toEqual([]);
  });
});

describe('POST', () => {
  it('resends an event', async () => {
    const { call, calls } = await start();
    expect(await call('POST', '/v2/monitors/m1/events/evt_7/resend/')).toEqual([202, { event_id: 'evt_7' }]);
    expect(calls).toEqual([['resend', 'm1', 'evt_7']]);
  });

  it.each([
    ['busy', 409, 'conflict', 'still being delivered'],
    ['unknown', 404, 'not_found', 'no event with that ID'],
  ] as const)('does not resend an event that is %s', async (resend, status, error, words) => {
    const { call } = await start({ resend });
    expect(await call('POST', '/v2/monitors/m1/events/evt_7/resend/')).toEqual([
      status,
      { error, error_description: expect.stringContaining(words) },
    ]);
  });

  it('sends a test event', async () => {
    const { call, calls } = await start();
    const path = '/v2/monitors/m1/test-event/';
    expect(await call('POST', path)).toEqual([202, { event_id: 'test_1' }]);
    expect(calls).toEqual([['test', 'm1']]);
  });
});

describe('a request', () => {
  const onMonitor = [
    ['GET', '/v2/monitors/m1/deliveries/'],
    ['GET', '/v2/monitors/m1/delivery/'],
    ['GET', '/v2/monitors/m1/explanation/'],
    ['PATCH', '/v2/monitors/m1/delivery/'],
    ['POST', '/v2/monitors/m1/events/evt_7/resend/'],
    ['POST', '/v2/monitors/m1/test-event/'],
  ] as const;

  it.each([['GET', '/v2/delivery/'] as const, ...onMonitor])('%s %s requires a token', async (method, url) => {
    const { server, calls } = await start();
    expect((await server.inject({ method, url, payload: { is_on: true } })).statusCode).toBe(401);
    expect(calls).toEqual([]);
  });

  it.each(onMonitor)('%s %s requires a monitor of its application', async (method, url) => {
    const { call, calls } = await start();
    const body = method === 'PATCH' ? { is_on: true } : undefined;
    expect((await call(method, url, body, 'b'))[0]).toBe(404);
    expect(calls).toEqual([]);
  });
});
