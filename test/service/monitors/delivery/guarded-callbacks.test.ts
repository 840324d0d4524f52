// Callbacks of receivers that Basic authentication guards (RFC 7617): `callback_uri` with a user name and password.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startCallbackEndpoint, type CallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { attempts, rainOn } from './delivery-harness.ts';
import { engines } from '#test/service/engines.ts';
import { startMonitorService, turin, type MonitorService } from '#test/service/monitor-service.ts';

const password = 'pä ss:w@rd/9931';
const basicOf = (text: string) => `Basic ${Buffer.from(text, 'utf8').toString('base64')}`;

const guardedUrl = ({ url }: Pick<CallbackEndpoint, 'url'>, user = 'rain', secret = password) =>
  url.replace('http://', `http://${encodeURIComponent(user)}:${encodeURIComponent(secret)}@`);

/** A receiver that tells everything it got. */
const startEcho = () =>
  startCallbackEndpoint(({ headers }, response) => {
    const isRight = headers.authorization === basicOf(`rain:${password}`);
    response.writeHead(isRight ? 200 : 401).end(`${JSON.stringify(headers)} ${password}`);
  });

/** What a test event brings: its Authorization. */
async function authorizationNow(service: MonitorService, id: string, endpoint: CallbackEndpoint) {
  const count = endpoint.received.length + 1;
  expect((await service.call('POST', `/v2/monitors/${id}/test-event/`)).status).toBe(202);
  return (await endpoint.waitFor(count)).at(-1)?.headers.authorization;
}

describe('a password in callback_uri', () => {
  it.each(engines)('reaches only the receiver, and is stored encrypted, on %s', async (engine) => {
    const service = await startMonitorService({ engine });
    const endpoint = await startEcho();
    const id = await rainOn(service, { url: guardedUrl(endpoint) });
    const [callback] = await endpoint.waitFor(1);
    expect(callback?.headers.authorization).toBe(basicOf(`rain:${password}`));
    expect(JSON.parse(callback?.body ?? '')).toMatchObject({ id, callback_uri: endpoint.url });
    const [attempt] = await attempts(service, id, 1);
    expect(attempt).toMatchObject({
      http_status: 200,
      answer: expect.stringContaining('"authorization":"Basic ••••"'),
    });

    const texts = await Promise.all(
      ['/v2/monitors/', `/v2/monitors/${id}/`, `/v2/events/?monitor=${id}`].map(
        async (path) => (await service.call('GET', path)).text,
      ),
    );
    expect(texts.filter((text) => text.includes(endpoint.url))).toHaveLength(3);
    for (const table of ['monitors', 'events', 'waiting_events', 'attempts'] as const) {
      texts.push(JSON.stringify(await service.db.selectFrom(table).selectAll().execute()));
    }
    if (engine === 'sqlite') {
      for (const file of readdirSync(service.folder, { recursive: true, withFileTypes: true })) {
        if (file.isFile()) texts.push(readFileSync(join(file.parentPath, file.name), 'utf8'));
      }
    }
    const secrets = [password, encodeURIComponent(password), basicOf(`rain:${password}`).slice(6)];
    expect(secrets.filter((secret) => texts.some((text) => text.includes(secret)))).toEqual([]);
    const { callback_credentials: stored } = await service.db
      .selectFrom('monitors')
      .select('callback_credentials')
      .executeTakeFirstOrThrow();
    expect(stored).toMatch(/^sealed1:/);
    expect(texts.slice(0, 3).join('')).not.toContain('sealed1:');
  });

  it('stays with the same scheme, host, and port, and goes with another', async () => {
    const service = await startMonitorService();
    const [endpoint, other] = [await startCallbackEndpoint(), await startCallbackEndpoint()];
    const id = await service.addMonitor(guardedUrl(endpoint));
    const path = `/v2/monitors/${id}/`;
    const read = (await service.call('GET', path)).json as object;
    const right = basicOf(`rain:${password}`);

    expect((await service.call('PUT', path, read)).status).toBe(200);
    expect(await authorizationNow(service, id, endpoint)).toBe(right);
    await service.call('PATCH', path, { callback_uri: `${endpoint.url}/deeper?way=1` });
    expect(await authorizationNow(service, id, endpoint)).toBe(right);
    await service.call('PATCH', path, { geo: turin });
    expect(await authorizationNow(service, id, endpoint)).toBe(right);
    await service.call('PATCH', path, { callback_uri: guardedUrl(endpoint, 'sun', 'other') });
    expect(await authorizationNow(service, id, endpoint)).toBe(basicOf('sun:other'));

    await service.call('PATCH', path, { callback_uri: other.url });
    expect(await authorizationNow(service, id, other)).toBeUndefined();
    await service.call('PATCH', path, { callback_uri: endpoint.url });
    expect(await authorizationNow(service, id, endpoint)).toBeUndefined();

    await service.call('PATCH', path, { callback_uri: guardedUrl(endpoint) });
    expect(await authorizationNow(service, id, endpoint)).toBe(right);
    // An empty user removes it.
    await service.call('PATCH', path, { callback_uri: endpoint.url.replace('http://', 'http://@') });
    expect(await authorizationNow(service, id, endpoint)).toBeUndefined();
    expect((await service.call('GET', path)).json).toMatchObject({ callback_uri: endpoint.url });
  });

  // What may be in it: test/service/monitors/monitor-body.test.ts.
  it('is not repeated when it is refused, and changes nothing', async () => {
    const service = await startMonitorService();
    const valid = { monitor_type: 'precipitation', callback_uri: 'http://127.0.0.1:9/', geo: turin };
    const { uri } = (await service.call('POST', '/v2/monitors/', valid)).json as { uri: string };
    for (const [callback_uri, words] of [
      ['http://a:secret9931%zz@127.0.0.1:9/', 'percent-encoding'],
      ['http://a:secret9931@169.254.169.254/', 'link-local'],
    ] as const) {
      for (const [method, path] of [
        ['POST', '/v2/monitors/'],
        ['PATCH', uri],
        ['PUT', uri],
      ] as const) {
        const { status, text } = await service.call(method, path, { ...valid, callback_uri });
        expect([status, text]).toEqual([400, expect.stringContaining(words)]);
        expect(text).not.toContain('secret9931');
      }
    }
    expect((await service.call('GET', uri)).json).toMatchObject({ callback_uri: valid.callback_uri });
  });

  it('is refused by a service that has no key to encrypt it with', async () => {
    const service = await startMonitorService({ config: { databaseUrl: 'postgres://only.a.setting/' } });
    const monitor = { monitor_type: 'precipitation', callback_uri: 'http://a:secret9931@127.0.0.1:9/', geo: turin };
    const response = await service.call('POST', '/v2/monitors/', monitor);
    expect(response.status).toBe(400);
    expect(response.text).toContain('RAINBELL_SECRET_KEY');
    expect(await service.db.selectFrom('monitors').select('id').execute()).toEqual([]);
  });
});
