// The delivery log and what people can do with it (docs/delivery.md S10, S11, S15; contract/service-api/delivery.ts).
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { deliveryMetaSchema, deliveryStateSchema, sentEventSchema } from '#contract/service-api/delivery.ts';
import { eventPageSchema } from '#contract/service-api/events.ts';
import { formatTimestamp } from '#shared/time/timestamp.ts';
import { firstIdAt } from '#service/monitors/delivery/tables.ts';
import { deleteOldEvents } from '#service/monitors/delivery/delivery-log.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { engines } from '#test/service/engines.ts';
import { apiCaller, startMonitorService, turin, type MonitorService } from '#test/service/monitor-service.ts';
import { eventually } from '#test/service/eventually.ts';
import { insertEvent } from './event-rows.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const read = {
  async attempts(service: MonitorService, id: string) {
    const { json } = await service.call('GET', `/v2/events/?monitor=${id}`);
    return eventPageSchema
      .parse(json)
      .objects.flatMap(({ id: event_id, attempts }) => attempts.map((attempt) => ({ event_id, ...attempt })));
  },
  async state(service: MonitorService, id: string) {
    return z
      .strictObject(deliveryStateSchema.shape)
      .parse((await service.call('GET', `/v2/monitors/${id}/delivery/`)).json);
  },
};

async function rainUntilLogged(service: MonitorService, id: string, count: number) {
  service.rainAt(turin);
  await service.sweep();
  return eventually(async () => {
    const attempts = await read.attempts(service, id);
    expect(attempts).toHaveLength(count);
    return attempts;
  });
}

const firstAttempt = { attempt: 1, kind: 'first', latency_ms: 1, http_status: 200, error: null, answer: '' } as const;

describe.each(engines)('on %s', (engine) => {
  const launch = (options: Parameters<typeof startMonitorService>[0] = {}) =>
    startMonitorService({ engine, ...options });

  describe('the attempts in the record (docs/delivery.md S11)', () => {
    it('has each attempt with its time, status, latency, error and the beginning of the answer', async () => {
      const service = await launch();
      const endpoint = await startCallbackEndpoint((_callback, response, index) => {
        response.writeHead(index === 0 ? 500 : 200).end(index === 0 ? `broken\0 ${'x'.repeat(3000)}` : 'fine');
      });
      const id = await service.addMonitor(endpoint.url);
      const start = service.clock.now();
      const [failed] = await rainUntilLogged(service, id, 1);
      expect(failed).toMatchObject({
        event_id: endpoint.received[0]?.headers['webhook-id'],
        attempt: 1,
        kind: 'first',
        started_at: formatTimestamp(start),
        http_status: 500,
        error: 'http 500',
      });
      expect(failed?.answer).toHaveLength(2048);
      await eventually(async () => {
        const row = await service.db.selectFrom('waiting_events').selectAll().executeTakeFirstOrThrow();
        expect(row.due_at).toBe(start + 9_000);
      });
      service.clock.advance(10_000);
      await eventually(async () => expect(await read.attempts(service, id)).toHaveLength(2));
      const [, second] = await read.attempts(service, id);
      expect(second).toMatchObject({ attempt: 2, kind: 'retry', http_status: 200, error: null, answer: 'fine' });
      expect(second?.event_id).toBe(failed?.event_id);
    });

    it('reports the status of a monitor: last event, next allowed, delivered and failed', async () => {
      const [service, endpoint] = [await launch(), await startCallbackEndpoint()];
      const id = await service.addMonitor(endpoint.url);
      expect(await read.state(service, id)).toEqual({
        monitor_id: id,
        last_event_at: null,
        next_event_allowed_at: null,
        failed_in_a_row: 0,
        is_on: true,
        off_since: null,
        off_reason: null,
        created_at: formatTimestamp(service.clock.now()),
        last_attempt: null,
      });
      const at = service.clock.now();
      await rainUntilLogged(service, id, 1);
      const state = {
        last_event_at: formatTimestamp(at),
        next_event_allowed_at: formatTimestamp(at + hourMs),
      };
      expect(await read.state(service, id)).toMatchObject(state);
      expect((await service.call('GET', '/v2/delivery/')).json).toMatchObject({
        objects: [{ monitor_id: id, ...state }],
      });
      service.dryAt(turin);
      service.clock.advance(hourMs);
      expect(await read.state(service, id)).toMatchObject({ next_event_allowed_at: null });
    });

    it('sends an event again under its id, marked, without asking or moving the gate', async () => {
      const [service, endpoint] = [await launch(), await startCallbackEndpoint()];
      const id = await service.addMonitor(endpoint.url);
      const [first] = await rainUntilLogged(service, id, 1);
      const before = await read.state(service, id);
      const answer = await service.call('POST', `/v2/monitors/${id}/events/${first?.event_id}/resend/`);
      expect(answer).toMatchObject({ status: 202, json: { event_id: first?.event_id } });
      await eventually(async () => expect(await read.attempts(service, id)).toHaveLength(2));
      expect((await read.attempts(service, id)).map((attempt) => attempt.kind).toSorted()).toEqual(['first', 'resend']);
      expect(endpoint.received[1]?.headers['webhook-id']).toBe(first?.event_id);
      expect(await read.state(service, id)).toMatchObject({ last_event_at: before.last_event_at });
      expect((await service.call('POST', `/v2/monitors/${id}/events/evt_nothing/resend/`)).status).toBe(404);
    });

    it('sends again to the monitor’s current URL, as the monitor is now', async () => {
      const service = await launch();
      const [old, current] = [await startCallbackEndpoint(), await startCallbackEndpoint()];
      const id = await service.addMonitor(old.url);
      const [first] = await rainUntilLogged(service, id, 1);
      await service.call('PATCH', `/v2/monitors/${id}/`, { callback_uri: current.url });
      await service.call('POST', `/v2/monitors/${id}/events/${first?.event_id}/resend/`);
      const [resent] = await current.waitFor(1);
      expect(resent?.headers['webhook-id']).toBe(first?.event_id);
      expect(JSON.parse(resent?.body ?? '')).toMatchObject({ id, callback_uri: current.url });
      expect(old.received).toHaveLength(1);
    });

    it('does not send again what is still being tried', async () => {
      const service = await launch();
      const endpoint = await startCallbackEndpoint((_callback, response) => void response.writeHead(500).end());
      const id = await service.addMonitor(endpoint.url);
      const [first] = await rainUntilLogged(service, id, 1);
      expect((await service.call('POST', `/v2/monitors/${id}/events/${first?.event_id}/resend/`)).status).toBe(409);
    });

    it('keeps nothing for longer than 30 days', async () => {
      const service = await launch();
      const now = service.clock.now();
      const ids = [31, 29].map((days) => `${firstIdAt('evt_', now - days * dayMs)}${days}`);
      for (const id of ids) {
        await insertEvent(service.db, id, now, { state: 'delivered' });
        await service.db
          .insertInto('attempts')
          .values({ ...firstAttempt, event_id: id, started_at: now })
          .execute();
      }
      await deleteOldEvents(service.database, now);
      const left = await service.db.selectFrom('attempts').select('event_id').execute();
      expect(left).toEqual([{ event_id: ids[1] }]);
    });
  });

  describe('a test event (docs/delivery.md S15)', () => {
    it('goes the same way, with a distinct ID, and does not affect the gate', async () => {
      const [service, endpoint] = [await launch(), await startCallbackEndpoint()];
      const id = await service.addMonitor(endpoint.url);
      const answer = await service.call('POST', `/v2/monitors/${id}/test-event/`);
      expect(answer.status).toBe(202);
      const [callback] = await endpoint.waitFor(1);
      expect(callback?.headers['webhook-id']).toMatch(/^test_/);
      expect(callback?.headers['webhook-id']).toBe(sentEventSchema.parse(answer.json).event_id);
      expect(callback?.body).toBe((await service.call('GET', `/v2/monitors/${id}/`)).text);
      await eventually(async () => expect(await read.attempts(service, id)).toMatchObject([{ kind: 'test' }]));
      expect(await read.state(service, id)).toMatchObject({ last_event_at: null });
      service.rainAt(turin);
      await service.sweep();
      await endpoint.waitFor(2);
    });

    it('is sent by a public service at most 5 times a minute for a monitor, and 30 times an hour for an application', async () => {
      const config = { callbackAllowlist: ['127.0.0.1'] };
      const [service, endpoint] = [await launch({ policy: 'public', config }), await startCallbackEndpoint()];
      const statuses: number[] = [];
      for (let monitor = 0; monitor < 7; monitor += 1) {
        const id = await service.addMonitor(endpoint.url);
        for (let event = 0; event < 6; event += 1) {
          const answer = await service.call('POST', `/v2/monitors/${id}/test-event/`);
          statuses.push(answer.status);
          if (answer.status !== 429) continue;
          const wait = Number(answer.headers.get('retry-after'));
          expect([wait > 0, wait <= (monitor < 6 ? 60 : 3_600)]).toEqual([true, true]);
          expect(answer.json).toMatchObject({
            error: 'rate_limited',
            error_description: `Too many test events; try again in ${wait} s.`,
          });
        }
      }
      const perMonitor = [202, 202, 202, 202, 202, 429];
      expect(statuses).toEqual([...Array.from({ length: 6 }, () => perMonitor).flat(), ...Array(6).fill(429)]);
      const received = await endpoint.waitFor(30);
      expect(received.every(({ headers }) => headers['webhook-signature']?.includes('v1,'))).toBe(true);
    });

    it('is sent by a service on loopback without a limit', async () => {
      const [service, endpoint] = [await launch(), await startCallbackEndpoint()];
      const id = await service.addMonitor(endpoint.url);
      for (let event = 0; event < 31; event += 1) {
        expect((await service.call('POST', `/v2/monitors/${id}/test-event/`)).status).toBe(202);
      }
      await endpoint.waitFor(31);
    });
  });

  describe('a monitor whose callback is dead (docs/delivery.md S10)', () => {
    it('is seen to be off, with the reason, and is turned on again with one call', async () => {
      const service = await launch();
      const endpoint = await startCallbackEndpoint((_callback, response, index) => {
        response.writeHead(index === 0 ? 410 : 204).end();
      });
      const id = await service.addMonitor(endpoint.url);
      await rainUntilLogged(service, id, 1);
      expect(await read.state(service, id)).toMatchObject({
        is_on: false,
        failed_in_a_row: 1,
        off_reason: expect.stringContaining('410'),
      });
      for (const body of [{ is_on: 'no' }, { is_on: true, also: 1 }, {}]) {
        expect(await service.call('PATCH', `/v2/monitors/${id}/delivery/`, body)).toMatchObject({
          status: 400,
          json: { error_description: 'The body must be {is_on: true} or {is_on: false}.' },
        });
      }
      const on = await service.call('PATCH', `/v2/monitors/${id}/delivery/`, { is_on: true });
      expect(on).toMatchObject({ status: 200, json: { is_on: true, off_reason: null } });
      service.clock.advance(hourMs);
      await service.sweep();
      await endpoint.waitFor(2);
    });
  });

  it('reports the plan limit beside the monitors that count against it', async () => {
    const service = await launch({ limit: 7 });
    await service.addMonitor('http://127.0.0.1:9/');
    const { json } = await service.call('GET', '/v2/delivery/');
    expect(z.object({ objects: z.array(z.unknown()), meta: deliveryMetaSchema }).parse(json)).toMatchObject({
      objects: [expect.anything()],
      meta: { plan: { name: null, monitor_limit: 7 } },
    });
  });

  it('the public keys are for anyone, also for pages of other sites, for five minutes', async () => {
    const service = await launch();
    const response = await fetch(`${service.baseUrl}/.well-known/webhook-keys.json`);
    expect([response.status, await response.json()]).toEqual([200, { keys: [] }]);
    const shown = ['access-control-allow-origin', 'cache-control'].map((name) => response.headers.get(name));
    expect(shown).toEqual(['*', 'public, max-age=300']);
  });

  it('a foreign monitor has no log for this application, and no monitor has one without a token', async () => {
    const service = await launch();
    const id = await service.addMonitor('http://127.0.0.1:9/');
    const anonymous = apiCaller(service.baseUrl, undefined);
    await service.db.updateTable('monitors').set({ application_id: 'another' }).where('id', '=', id).execute();
    for (const [method, path] of [
      ['GET', 'delivery/'],
      ['GET', 'explanation/'],
      ['PATCH', 'delivery/'],
      ['POST', 'test-event/'],
      ['POST', 'events/evt_1/resend/'],
    ] as const) {
      const url = `/v2/monitors/${id}/${path}`;
      const statuses = [(await service.call(method, url)).status, (await anonymous(method, url)).status];
      expect([path, ...statuses]).toEqual([path, 404, 401]);
    }
    expect((await anonymous('GET', '/v2/delivery/')).status).toBe(401);
    expect((await service.call('GET', '/v2/delivery/')).json).toEqual({
      objects: [],
      meta: {
        now: formatTimestamp(service.clock.now()),
        plan: { name: null, monitor_limit: 20_000 },
        extensions: ['backtest', 'nowcast', 'feed', 'inbox'],
      },
    });
  });
});
