// The inbox receives webhooks of any sender for an application (docs/feed.md), over real HTTP on both databases.
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import type { FeedPage } from '#contract/service-api/feed.ts';
import { deleteApplication } from '#service/accounts/delete-account.ts';
import { deleteOldRequests } from '#service/inbox/inbox.ts';
import { registerApplication } from '#test/service/oauth/registered-application.ts';
import { startCallbackEndpoint } from '../callback-endpoint.ts';
import { rainOn } from '#test/service/monitors/delivery/delivery-harness.ts';
import { engines } from '../engines.ts';
import { apiCaller, fetchToken, type MonitorService, startMonitorService } from '../monitor-service.ts';

type Call = MonitorService['call'];

async function open(call: Call): Promise<string> {
  const { json } = await call('PUT', '/v2/inbox/');
  return (json as { url: string }).url;
}

async function read(call: Call, query: string): Promise<FeedPage> {
  return (await call('GET', `/v2/deliveries/?wait=0&${query}`)).json as FeedPage;
}

const post = async (url: string, body: string | Buffer = 'x', headers: Record<string, string | string[]> = {}) => {
  const { statusCode, body: answer } = await request(url, { method: 'POST', body, headers });
  return { status: statusCode, text: await answer.text() };
};

describe.each(engines)('the inbox on %s', (engine) => {
  it('keeps each byte, header, and the order among the events, without the token', async () => {
    const service = await startMonitorService({ engine });
    const { call } = service;
    const { meta } = await read(call, 'after=now');
    const url = await open(call);
    const body = Buffer.from([0, 255, 10, 13, 128]);
    await post(`${url}git%20hub?a=1&a=2`, body, { 'X-One': ['1', '2'], 'content-encoding': 'gzip' });
    const endpoint = await startCallbackEndpoint();
    const monitorId = await rainOn(service, endpoint);
    await endpoint.waitFor(1);
    await post(`${url}last`, '{"id":1}', { 'content-type': 'application/json' });
    const page = await read(call, `after=${meta.cursor}`);
    expect(page.objects.map(({ request: received, monitor_id }) => received?.target ?? monitor_id)).toEqual([
      '/git%20hub?a=1&a=2',
      monitorId,
      '/last',
    ]);
    const [first] = page.objects;
    expect(first?.id).toMatch(/^in_/);
    expect(first?.request).toMatchObject({ method: 'POST', http_version: '1.1', remote_address: '127.0.0.1' });
    expect(Buffer.from(first?.request?.body_base64 ?? '', 'base64')).toEqual(body);
    expect(first?.request?.headers).toEqual(
      expect.arrayContaining([
        ['X-One', '1'],
        ['X-One', '2'],
      ]),
    );
    expect(JSON.stringify(page)).not.toContain(url.split('/').at(-2));
    // Page by page, each once, and none after the last.
    const seen: string[] = [];
    for (let after = meta.cursor, more = true; more;) {
      const part = await read(call, `limit=1&after=${after}`);
      seen.push(...part.objects.map(({ id }) => id));
      [after, more] = [part.meta.cursor, part.objects.length > 0];
      expect(part.meta.has_gap).toBe(false);
    }
    expect(seen).toEqual(page.objects.map(({ id }) => id));
  });

  it('refuses long bodies and a full inbox, and deletes what is old or belongs to a deleted application', async () => {
    const service = await startMonitorService({ engine });
    const { call, db } = service;
    const url = `${await open(call)}some`;
    expect((await post(url, Buffer.alloc(256 * 1024))).status).toBe(200);
    expect(await post(url, Buffer.alloc(256 * 1024 + 1))).toMatchObject({
      status: 413,
      text: expect.stringContaining('at most 262144 bytes') as string,
    });
    await db
      .updateTable('inboxes')
      .set({ held_bytes: 256 * 1024 * 1024 })
      .execute();
    expect(await post(url)).toMatchObject({
      status: 503,
      text: expect.stringContaining('This inbox is full.') as string,
    });
    const { received_at } = await db.selectFrom('inbox_requests').selectAll().executeTakeFirstOrThrow();
    await deleteOldRequests(db, Number(received_at) + 31 * 86_400_000);
    expect((await read(call, '')).objects).toEqual([]);
    expect((await post(url)).status).toBe(200);

    const other = await registerApplication(service);
    const address = await open(apiCaller(service.baseUrl, await fetchToken(service.baseUrl, other)));
    await post(`${address}some`);
    const ids = await db.selectFrom('inboxes').select('application_id').execute();
    const otherId = ids.find(({ application_id: id }) => id !== service.sandbox.applicationId)?.application_id ?? '';
    await deleteApplication(db, service.clock, otherId);
    const left = await db.selectFrom('inbox_requests').select('application_id').execute();
    expect(left).toEqual([{ application_id: service.sandbox.applicationId }]);
    expect(await db.selectFrom('inboxes').select('application_id').execute()).toHaveLength(1);
  });
});

it('the inbox is closed until its application opens it, and a new address replaces the old one', async () => {
  const { call, baseUrl, clock } = await startMonitorService();
  expect((await call('GET', '/v2/inbox/')).json).toEqual({ url: null });
  const first = await open(call);
  expect(first).toMatch(new RegExp(`^${baseUrl}/in/[\\w-]{40,}/$`));
  expect((await call('GET', '/v2/inbox/')).json).toEqual({ url: first });
  expect(await post(`${first}stripe`)).toEqual({ status: 200, text: '' });
  const changed = first.replace(/.\/$/, (end) => (end === 'A/' ? 'B/' : 'A/'));
  expect((await post(`${changed}stripe`)).status).toBe(404);
  clock.advance(1);
  const second = await open(call);
  expect((await post(`${first}stripe`)).status).toBe(404);
  expect((await post(`${second}stripe`)).status).toBe(200);
  expect((await call('DELETE', '/v2/inbox/')).status).toBe(204);
  expect((await post(`${second}stripe`)).status).toBe(404);
  expect((await read(call, '')).objects).toEqual([]);
});

it('the inbox wakes a waiting reader, and shows nothing to another application', async () => {
  // On SQLite, waiting readers look every 2 s anyway.
  const service = await startMonitorService({ engine: 'postgres' });
  const other = await registerApplication(service);
  const callOther = apiCaller(service.baseUrl, await fetchToken(service.baseUrl, other));
  const { meta } = await read(service.call, 'after=now');
  const url = await open(service.call);
  const waiting = service.call('GET', `/v2/deliveries/?wait=50&after=${meta.cursor}`);
  // Until the reader waits: later requests take as many steps.
  for (let count = 0; count < 3; count += 1) await read(service.call, 'after=now');
  await post(`${url}slow`);
  expect(((await waiting).json as FeedPage).objects).toHaveLength(1);
  expect((await read(callOther, '')).objects).toEqual([]);
});
