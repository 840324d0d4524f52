// Saved connections: words for every wrong field, one switch for every call, a test that says what works, and the token
// that a call needs (docs/tokens.md T24, T18).
import { describe, expect, test } from 'vitest';
import { createMemoryHost, startCore, type CoreHarness } from '#test/core/core-harness.ts';
import { startProxy, startTlsHost } from '#test/stories/tls-host.ts';
import { startFakeService } from '#test/core/fake-service.ts';
import { fieldsFor, startAccess, startRealService, useOwn } from '#test/core/session/access-harness.ts';

const torino = { lat: 45.0703, lng: 7.6869 };

describe('a connection', () => {
  test('is made, changed, chosen and deleted, and its secret never comes back', async () => {
    const service = await startFakeService();
    const { client, host } = await startAccess({ sandbox: service.introduction });
    const made = await client.connections.create({ ...fieldsFor(service.introduction), clientSecret: 'hush hush' });
    expect(made).toMatchObject({ kind: 'own', name: 'Staging', hasSecret: true });
    const list = await client.connections.select({ id: made.id });
    expect(list.selectedId).toBe(made.id);
    expect(list.connections.map(({ kind }) => kind)).toEqual(['sandbox', 'own']);
    expect((await client.app.status()).connection).toMatchObject({ name: 'Staging', isSandbox: false });
    await expect(client.sandbox.state()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await client.connections.update({ id: made.id, changes: { name: 'Live', color: 'red' } });
    expect(JSON.stringify(await client.connections.list())).not.toContain('hush');
    expect(JSON.stringify(host.written)).not.toContain('hush');
    await client.connections.delete({ id: made.id });
    expect((await client.connections.list()).selectedId).toBe('sandbox');
    expect([...host.stored.keys()].filter((name) => name.includes(made.id))).toEqual([]);
  });

  test('and the choice are restored after a restart', async () => {
    const service = await startFakeService();
    const host = createMemoryHost({ receiverPort: 19_876 });
    const first = await startCore({ sandbox: service.introduction, host });
    const id = await useOwn(first, fieldsFor(service.introduction), 'hush hush');
    await first.close();
    const written = host.written.at(-1);
    const again = { ...createMemoryHost(written), secrets: host.secrets };
    const second = await startCore({ host: again });
    expect((await second.client.connections.list()).selectedId).toBe(id);
    // The service on this machine is not needed for another one.
    const status = await second.statusWhere(({ token }) => token.state === 'valid');
    expect(status.connection).toMatchObject({ name: 'Staging', state: 'ready' });
  });
});

// connection-form.test.ts has every field.
test('a connection with a wrong field is not made, and the field is named', async () => {
  const { introduction } = await startFakeService();
  const { client } = await startAccess({ sandbox: introduction });
  const fields = { ...fieldsFor(introduction), redirectUri: 'https://app.example/#x', clientSecret: 'a' };
  await expect(client.connections.create(fields)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    data: { field: 'redirectUri' },
    message: expect.stringContaining('fragment'),
  });
  expect((await client.connections.list()).connections).toHaveLength(1);
});

// connection-steps.test.ts has what does not work.
describe('a test of a connection', () => {
  test('reports that everything works with our own service', async () => {
    const service = await startRealService();
    const { client } = await startAccess({ sandbox: service });
    const { steps } = await client.connections.test({ id: 'sandbox' });
    expect(steps.map(({ step, result }) => [step, result])).toEqual([
      ['address', 'ok'],
      ['token', 'ok'],
      ['weather', 'ok'],
      ['monitors', 'ok'],
      ['clock', 'ok'],
    ]);
  });
});

describe('monitors with a user’s token', () => {
  test('are refused with words and what to do, and weather is read anyway (docs/tokens.md T24)', async () => {
    const service = await startRealService();
    const harness = await startAccess({ sandbox: service });
    const { client } = harness;
    await useOwn(harness, fieldsFor(service, { isPublic: true, name: 'Public' }), null);
    await expect(client.forecast.get(torino)).rejects.toMatchObject({
      code: 'ACCESS_REFUSED',
      data: { needs: 'sign_in' },
    });
    await expect(client.monitors.list()).rejects.toMatchObject({
      code: 'ACCESS_REFUSED',
      data: { needs: 'client_credentials' },
      message: expect.stringContaining('client credentials'),
    });
    const { ways } = await client.session.state();
    expect(ways.find(({ way }) => way === 'client_credentials')?.unavailableReason).toContain('public client');
    await expect(client.session.signIn({ way: 'client_credentials' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('work when the connection also has its secret: each call takes the token it needs (docs/tokens.md T24)', async () => {
    const service = await startRealService();
    const { client } = await startAccess({ sandbox: service });
    await client.session.signIn({ way: 'password', username: service.username, password: service.password });
    expect((await client.monitors.list()).monitors).toEqual([]);
    expect((await client.forecast.get(torino)).points).toHaveLength(73);
  });
});

describe('certificates and proxy (docs/tokens.md T18)', () => {
  /** A service behind TLS with a certificate that only its own authority vouches for. */
  async function startTlsService() {
    const seen: string[] = [];
    const host = await startTlsHost((request, response) => {
      seen.push(request.url ?? '');
      const isToken = request.url === '/token/';
      const body = isToken
        ? { access_token: 'abcdef', token_type: 'bearer', expires_in: 60 }
        : { objects: [], meta: {} };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    });
    return { ...host, seen };
  }

  test('hold for token and API calls alike, and without the certificate nothing is sent', async () => {
    const [{ baseUrl, caPem, seen }, sandbox] = [await startTlsService(), await startFakeService()];
    const { proxyUrl, tunnels } = await startProxy();
    const harness = await startAccess({ sandbox: sandbox.introduction });
    const { client } = harness;
    const fields = { ...fieldsFor(sandbox.introduction), baseUrl, authUrl: baseUrl };
    const id = await useOwn(harness, fields, 'hush hush');
    await expect(client.monitors.list()).rejects.toMatchObject({
      code: 'NETWORK',
      message: expect.stringContaining('certificate'),
    });
    expect(seen).toEqual([]);
    await client.connections.update({ id, changes: { caPem } });
    expect((await client.monitors.list()).monitors).toEqual([]);
    await client.connections.update({ id, changes: { proxyUrl } });
    await client.monitors.list();
    await client.session.refresh({ owner: 'application' });
    expect(new Set(tunnels)).toEqual(new Set([new URL(baseUrl).host]));
    expect(seen).toContain('/token/');
    expect(seen).toContain('/v2/monitors/');
  });

  test('a dead proxy is named, and the service is not blamed', async () => {
    const sandbox = await startFakeService();
    const harness = await startAccess({ sandbox: sandbox.introduction });
    // Port 9 discards; nothing listens there.
    await useOwn(harness, { ...fieldsFor(sandbox.introduction), proxyUrl: 'http://127.0.0.1:9' }, 'hush hush');
    const message = expect.stringMatching(/^The proxy 127\.0\.0\.1:9 isn’t responding/);
    await expect(harness.client.monitors.list()).rejects.toMatchObject({ code: 'NETWORK', message });
    const { steps } = await harness.client.connections.test({ id: await selectedIdOf(harness) });
    expect(steps[0]).toMatchObject({ step: 'address', result: 'failed', message });
  });
});

async function selectedIdOf({ client }: Pick<CoreHarness, 'client'>): Promise<string> {
  return (await client.connections.list()).selectedId;
}
