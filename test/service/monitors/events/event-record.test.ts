// The record of events (docs/delivery.md S11): why each fired, its attempts, and how it ended, in exactly one way.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { eventPageSchema, type EventRecord } from '#contract/service-api/events.ts';
import { formatTimestamp } from '#shared/time/timestamp.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { engines } from '#test/service/engines.ts';
import { eventually } from '#test/service/eventually.ts';
import { startMonitorService, turin, type MonitorService } from '#test/service/monitor-service.ts';
import { hourMs, rainOn, status } from '../delivery/delivery-harness.ts';
import { insertEvent } from '../delivery/event-rows.ts';

const page = z.strictObject({
  objects: z.array(z.strictObject(eventPageSchema.shape.objects.element.shape)),
  meta: z.strictObject(eventPageSchema.shape.meta.shape),
});

async function readPage(service: MonitorService, query = '') {
  const { json, status: code, text } = await service.call('GET', `/v2/events/${query}`);
  if (code !== 200) throw new Error(text);
  return page.parse(json);
}

async function readOne(service: MonitorService, state: EventRecord['state']) {
  return eventually(async () => {
    const [event] = (await readPage(service)).objects;
    expect(event?.state).toBe(state);
    return event!;
  });
}

describe.each(engines)('on %s', (engine) => {
  const launch = (options: Parameters<typeof startMonitorService>[0] = {}) =>
    startMonitorService({ engine, ...options });

  async function failOnce(code: number) {
    const [service, endpoint] = [await launch(), await status(code)];
    const id = await rainOn(service, endpoint);
    await eventually(async () => expect((await readOne(service, 'waiting')).attempts).toHaveLength(1));
    return { service, endpoint, id };
  }

  it('has why an event fired, what was sent and answered, and the evidence in its headers', async () => {
    const service = await launch();
    const endpoint = await startCallbackEndpoint((_callback, response) => {
      // No 204, which has no body.
      response.writeHead(200).end('thanks');
    });
    const at = service.clock.now() - 60_000;
    const amounts = [{ from: at, until: at + hourMs, mmPerHour: 0.4 }];
    const place = { lat: turin.lat, lng: turin.lng + 0.05 };
    service.see(turin, { trigger: { source: 'open-meteo', at, basis: 'forecast', kind: 'snow', place, amounts } });
    const id = await rainOn(service, endpoint);
    const event = await readOne(service, 'delivered');
    const [received] = endpoint.received;
    expect(event).toMatchObject({
      id: received?.headers['webhook-id'],
      monitor_id: id,
      type: 'precipitation',
      host: new URL(endpoint.url).host,
      trigger: {
        source: 'open-meteo',
        basis: 'forecast',
        updated_at: formatTimestamp(at),
        precipitation_rate: 0.4,
        precipitation_type: 'snow',
        distance_km: 3.9,
        coordinates: [place.lng, place.lat],
      },
      attempts: [
        {
          attempt: 1,
          kind: 'first',
          http_status: 200,
          error: null,
          answer: 'thanks',
          started_at: formatTimestamp(at + 60_000),
        },
      ],
    });
    const request = event.attempts[0]?.request;
    expect(request).toMatchObject({ url: endpoint.url, body: received?.body });
    expect(received?.headers).toMatchObject(request?.headers ?? { never: '' });
    expect(request?.headers).not.toHaveProperty('webhook-signature');
    expect(received?.headers).toMatchObject({
      'rainbell-source': 'open-meteo',
      'rainbell-observed-at': `${new Date(at).toISOString().slice(0, 19)}Z`,
      'rainbell-precipitation-rate': '0.4',
    });
    // The feed has the headers of the callback.
    const feed = (await service.call('GET', '/v2/deliveries/?wait=0')).json as { objects: { headers: object }[] };
    expect(feed.objects[0]?.headers).toMatchObject({ 'rainbell-source': 'open-meteo' });
  });

  it('keeps what earlier attempts sent when the monitor is edited, and that it was deleted', async () => {
    const { service, endpoint, id } = await failOnce(500);
    await service.call('PATCH', `/v2/monitors/${id}/`, { callback_uri: `${endpoint.url}?new` });
    service.clock.advance(11_000);
    await eventually(async () => expect((await readOne(service, 'waiting')).attempts).toHaveLength(2));
    await service.call('DELETE', `/v2/monitors/${id}/`);
    const event = await readOne(service, 'deleted');
    expect(event.attempts.map(({ request }) => request?.url)).toEqual([endpoint.url, `${endpoint.url}?new`]);
    expect(event.attempts[0]?.request?.body).toContain(JSON.stringify(endpoint.url));
    // No more of it is sent.
    service.clock.advance(70_000);
    expect((await service.call('GET', '/v2/events/')).json).toMatchObject({ objects: [{ state: 'deleted' }] });
    expect(endpoint.received).toHaveLength(2);
  });

  it('is read in pages, by time, monitor, state, and host', async () => {
    const { service, endpoint, id } = await failOnce(401);
    service.clock.advance(61_000);
    const failed = await readOne(service, 'failed');
    expect(failed.attempts.map(({ http_status }) => http_status)).toEqual([401, 401]);
    const { application_id } = await service.db.selectFrom('events').select('application_id').executeTakeFirstOrThrow();
    const now = service.clock.now();
    const old = { application_id, state: 'delivered' as const, monitor_id: 'precipitation_9' };
    const ids = Array.from(
      { length: 5 },
      (_, index) => `evt_${(now - (5 - index) * 24 * hourMs).toString(16).padStart(12, '0')}${'0'.repeat(20)}`,
    );
    const rows = ids.map((event, index) => ({ event, at: now - (5 - index) * 24 * hourMs, position: index - 10 }));
    for (const { event, at, position } of rows)
      await insertEvent(service.db, event, at, { ...old, feed_position: position, body: '{}' });
    await insertEvent(service.db, `evt_${now.toString(16).padStart(12, '0')}f`, now, {
      application_id: 'other',
      feed_position: 99,
    });

    const idsOf = async (query: string) => (await readPage(service, query)).objects.map((event) => event.id);
    const newestFirst = [failed.id, ...ids.toReversed()];
    expect(await idsOf('')).toEqual(newestFirst);
    const first = await readPage(service, '?limit=4');
    expect(first.objects.map((event) => event.id)).toEqual(newestFirst.slice(0, 4));
    expect(first.meta.next).not.toBeNull();
    expect(await idsOf('?monitor=precipitation_9')).toEqual(ids.toReversed());
    expect(await idsOf(`?monitor=${id}`)).toEqual([failed.id]);
    expect(await idsOf('?state=failed,expired')).toEqual([failed.id]);
    expect(await idsOf('?state=delivered&host=hooks.example')).toEqual(ids.toReversed());
    expect(await idsOf('?host=hooks.exampl')).toEqual([]);
    expect(await idsOf(`?host=${new URL(endpoint.url).host}`)).toEqual([failed.id]);
    const [from, to] = [formatTimestamp(now - 4 * 24 * hourMs), formatTimestamp(now - 2 * 24 * hourMs)];
    expect(await idsOf(`?from=${from}&to=${to}`)).toEqual([ids[2], ids[1]]);
    expect(await idsOf('?monitor=precipitation_404')).toEqual([]);

    const csv = await service.call('GET', '/v2/events/?format=csv&limit=1');
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.headers.get('link')).toContain('rel="next"');
    expect(csv.text.split('\r\n')).toEqual([
      'id,monitor_id,type,occurred_at,state,callback_uri,source,basis,updated_at,precipitation_rate,precipitation_type,' +
        'distance_km,episode_id,attempts,http_status,error,last_attempt_at,outcome',
      expect.stringContaining(`${failed.id},${id},precipitation,${failed.occurred_at},failed,`),
      '',
    ]);
  });
});

it('the record refuses what it cannot read, with the name of the parameter', async () => {
  const service = await startMonitorService();
  const problems = [
    ['from=yesterday', 'from must be a time such as 2026-11-28T00:00:00.'],
    ['state=lost', 'state must be one or more of waiting'],
    ['limit=501', 'limit must be a whole number from 1 to 500.'],
    ['before=x', 'before must be a whole number'],
    ['format=xml', 'format must be json or csv.'],
    ['monitor=a&monitor=b', 'monitor must appear at most once.'],
  ] as const;
  for (const [query, words] of problems) {
    const { status, json } = await service.call('GET', `/v2/events/?${query}`);
    expect([query, status, json]).toEqual([
      query,
      400,
      { error: 'invalid_request', error_description: expect.stringContaining(words) },
    ]);
  }
});
