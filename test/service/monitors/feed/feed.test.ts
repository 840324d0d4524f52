// The feed of events (docs/feed.md), over real HTTP on both databases.
import { once } from 'node:events';
import { Webhook } from 'standardwebhooks';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { FeedPage } from '#contract/service-api/feed.ts';
import { createOutbox } from '#service/monitors/delivery/outbox.ts';
import { registerApplication } from '#test/service/oauth/registered-application.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { attempts, hourMs, rainOn, stateOf, status } from '../delivery/delivery-harness.ts';
import { engines } from '#test/service/engines.ts';
import { eventually } from '#test/service/eventually.ts';
import { addMonitorRows } from '#test/service/monitor-rows.ts';
import { apiCaller, fetchToken, type MonitorService, startMonitorService } from '#test/service/monitor-service.ts';

/** For jumps of the clock: if it advanced, a month of timers would block this process until idle connections end. */
const dayMs = 24 * hourMs;

type Call = MonitorService['call'];

async function read(call: Call, query: string): Promise<FeedPage> {
  const { status: code, json, text } = await call('GET', `/v2/deliveries/?${query}`);
  if (code !== 200) throw new Error(`The feed answered ${code}: ${text}`);
  return json as FeedPage;
}

const idsIn = ({ objects }: FeedPage) => objects.map(({ id }) => id);
const cursorNow = async (call: Call) => (await read(call, 'after=now')).meta.cursor;

describe.each(engines)('GET /v2/deliveries/ on %s', (engine) => {
  const launch = () => startMonitorService({ engine });

  it('returns the bytes of the callback, signed when it is read, and changes nothing of delivery', async () => {
    const [service, endpoint] = [await launch(), await startCallbackEndpoint()];
    const cursor = await cursorNow(service.call);
    const monitorId = await rainOn(service, endpoint);
    const [callback] = await endpoint.waitFor(1);
    await attempts(service, monitorId, 1);
    const occurredAt = service.clock.now();
    service.clock.advance(20 * 60_000);
    const page = await read(service.call, `after=${cursor}`);
    expect(page).toMatchObject({
      objects: [
        {
          id: callback?.headers['webhook-id'],
          monitor_id: monitorId,
          callback_uri: endpoint.url,
          occurred_at: new Date(occurredAt).toISOString().replace('.000Z', ''),
          body: callback?.body,
        },
      ],
      meta: { has_more: false, has_gap: false },
    });
    const [event] = page.objects;
    const [secret = ''] = await service.monitors.secrets.activeFor(service.sandbox.applicationId);
    const sent = event?.headers ?? {};
    expect(Number(sent['webhook-timestamp'])).toBe(Math.floor(service.clock.now() / 1000));
    // The library refuses what is older than five minutes by the real clock, so its signature is compared.
    const signed = new Webhook(secret).sign(event?.id ?? '', new Date(service.clock.now()), event?.body ?? '');
    expect(sent['webhook-signature']).toBe(signed);
    expect(sent['content-type']).toBe(callback?.headers['content-type']);
    expect(sent['user-agent']).toBe(callback?.headers['user-agent']);

    expect(await read(service.call, `after=${page.meta.cursor}&wait=0`)).toMatchObject({ objects: [] });
    expect(await attempts(service, monitorId, 1)).toHaveLength(1);
    expect(await stateOf(service, monitorId)).toMatchObject({ failed_in_a_row: 0 });
    const { json } = await service.call('GET', '/v2/delivery/');
    expect(json).toMatchObject({ meta: { extensions: ['backtest', 'nowcast', 'feed', 'inbox'] } });
  });

  it('answers a waiting request when an event is created, also a test event, and never another application', async () => {
    const [service, endpoint] = [await launch(), await startCallbackEndpoint()];
    const other = await registerApplication(service);
    const callOther = apiCaller(service.baseUrl, await fetchToken(service.baseUrl, other));
    const cursor = await cursorNow(service.call);
    const otherCursor = await cursorNow(callOther);
    const [mine, theirs] = [read(service.call, `after=${cursor}`), read(callOther, `after=${otherCursor}&wait=1`)];
    const monitorId = await rainOn(service, endpoint);
    const page = await mine;
    expect(page.objects.map((event) => event.monitor_id)).toEqual([monitorId]);
    expect(await theirs).toMatchObject({ objects: [] });
    expect(await read(callOther, 'wait=0')).toMatchObject({ objects: [], meta: { has_gap: false } });
    // A stolen cursor opens nothing, and does not even say whether its event exists.
    expect(await read(callOther, `after=${page.meta.cursor}&wait=0`)).toMatchObject({ objects: [] });

    const next = read(service.call, `after=${page.meta.cursor}`);
    const test = await service.call('POST', `/v2/monitors/${monitorId}/test-event/`);
    expect(idsIn(await next)).toEqual([(test.json as { event_id: string }).event_id]);
  });
});

describe('GET /v2/deliveries/', () => {
  it('has events of a monitor whose delivery is off, if the application reads the feed', async () => {
    const [service, endpoint] = [await startMonitorService(), await status(410)];
    const monitorId = await rainOn(service, endpoint);
    await eventually(async () => {
      expect(await stateOf(service, monitorId)).toMatchObject({ is_on: false });
    });
    service.clock.advance(hourMs);
    await service.sweep();
    const first = await read(service.call, '');
    expect(first.objects).toHaveLength(1);
    await service.sweep();
    const second = await read(service.call, `after=${first.meta.cursor}`);
    expect(second.objects).toHaveLength(1);
    expect(endpoint.received).toHaveLength(1);
    expect(await stateOf(service, monitorId)).toMatchObject({ is_on: false, failed_in_a_row: 1 });
    // An application that no longer reads costs nothing.
    service.clock.jump(31 * dayMs);
    await service.sweep();
    expect(await read(service.call, `after=${second.meta.cursor}&wait=0`)).toMatchObject({ objects: [] });
  });

  it('refuses what is not a cursor, a wait, or a limit, and a token of a user', async () => {
    const service = await startMonitorService();
    for (const [query, name] of [
      ['after=yesterday', 'after'],
      [`after=${Buffer.from('[1,-1,"",0]').toString('base64url')}`, 'after'],
      [`after=${'A'.repeat(5_000)}`, 'after'],
      ['after=now&after=now', 'after'],
      ['wait=56', 'wait'],
      ['wait=-1', 'wait'],
      ['wait=1.5', 'wait'],
      ['wait=', 'wait'],
      ['wait=00001', 'wait'],
      ['wait=1&wait=2', 'wait'],
      ['limit=0', 'limit'],
      ['limit=501', 'limit'],
    ]) {
      const { status: code, json } = await service.call('GET', `/v2/deliveries/?${query}`);
      expect({ query: query?.slice(0, 40), code }).toEqual({ query: query?.slice(0, 40), code: 400 });
      expect(json).toMatchObject({
        error: 'invalid_request',
        error_description: expect.stringMatching(new RegExp(`^${name} must `)),
      });
    }
    // One that is unknown here has lost events; that is answered at once, although it may wait.
    const lost = Buffer.from(`[1,9,"evt_${'f'.repeat(32)}",${service.clock.now()}]`).toString('base64url');
    expect(await read(service.call, `after=${lost}`)).toMatchObject({ objects: [], meta: { has_gap: true } });
    const { status: accepted, headers } = await service.call('GET', '/v2/deliveries/?limit=0500&wait=0000&unknown=1');
    expect([accepted, headers.get('cache-control')]).toEqual([200, 'no-store']);
    const form = new URLSearchParams({
      grant_type: 'password',
      username: service.sandbox.username,
      password: service.sandbox.password,
    });
    const token = await fetchToken(service.baseUrl, service.sandbox, String(form));
    expect((await apiCaller(service.baseUrl, token)('GET', '/v2/deliveries/')).status).toBe(403);
    expect((await apiCaller(service.baseUrl, undefined)('GET', '/v2/deliveries/')).status).toBe(401);
  });

  it('limits the waiting requests of an account, and ends them with the token and the process', async () => {
    const service = await startMonitorService();
    const cursor = await cursorNow(service.call);
    const hangUp = new AbortController();
    const waiting = Array.from({ length: 17 }, () =>
      fetch(`${service.baseUrl}/v2/deliveries/?after=${cursor}`, {
        headers: { authorization: `Bearer ${service.token}` },
        signal: hangUp.signal,
      }).catch(() => undefined),
    );
    const refused = await Promise.race(waiting);
    expect(refused?.status).toBe(429);
    expect(refused?.headers.get('retry-after')).toBe('30');
    hangUp.abort();
    await Promise.all(waiting);
    await eventually(async () => {
      expect((await service.call('GET', `/v2/deliveries/?after=${cursor}&wait=1`)).status).toBe(200);
    });

    const revoked = service.call('GET', `/v2/deliveries/?after=${cursor}&wait=1`);
    await service.oauth.tokens.revoke({ applicationId: service.sandbox.applicationId });
    expect((await revoked).status).toBe(401);

    const call = apiCaller(service.baseUrl, await fetchToken(service.baseUrl, service.sandbox));
    const arrived = once(service.http, 'request');
    const last = read(call, `after=${cursor}`);
    await arrived;
    await service.close();
    expect(await last).toMatchObject({ objects: [], meta: { cursor } });
  });
});

it('the feed on PostgreSQL waits for a claim that took its place in the feed before', async () => {
  const service = await startMonitorService({ engine: 'postgres', config: { role: 'api' } });
  const cells = await addMonitorRows(service, 2, 1);
  const claims = createOutbox(service.database, 'claims');
  const cursor = await cursorNow(service.call);
  const slow = await service.db.startTransaction().execute();
  const slowClaims = createOutbox({ engine: 'postgres', db: withoutOwnTransactions(slow) }, 'slow');
  await slowClaims.claim([cells[0] ?? ''], service.clock.now());
  const other = claims.claim([cells[1] ?? ''], service.clock.now());
  const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await waiting.execute(service.db)).rows.length).toBe(1);
  expect(await read(service.call, `after=${cursor}&wait=0`)).toMatchObject({ objects: [] });
  await slow.commit().execute();
  await other;
  const { objects } = await read(service.call, `after=${cursor}&wait=0`);
  expect(objects.map(({ monitor_id }) => monitor_id)).toEqual(['precipitation_0000', 'precipitation_1000']);
});

/** Runs a claim inside of a transaction that the test ends. */
function withoutOwnTransactions(
  trx: Awaited<ReturnType<ReturnType<MonitorService['db']['startTransaction']>['execute']>>,
) {
  return new Proxy(trx, {
    get: (target, name) =>
      name === 'transaction'
        ? () => ({ execute: (work: (trx: unknown) => unknown) => work(target) })
        : Reflect.get(target, name, target),
  }) as unknown as MonitorService['db'];
}
