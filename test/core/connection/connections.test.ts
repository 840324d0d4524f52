// Saved connections as screens use them. saved-connections.test.ts has the rules; test/command-line/saved-connection.test.ts has
// certificates and proxies.
import { describe, expect, test } from 'vitest';
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
    await client.connections.update({ ...made, name: 'Live', color: 'red' });
    expect(JSON.stringify(await client.connections.list())).not.toContain('hush');
    expect(JSON.stringify(host.written)).not.toContain('hush');
    await client.connections.delete({ id: made.id });
    expect((await client.connections.list()).selectedId).toBe('sandbox');
    expect([...host.stored.keys()].filter((name) => name.includes(made.id))).toEqual([]);
  });
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
    const elsewhere = { redirectUri: 'https://app.example/done' };
    await useOwn(harness, fieldsFor(service, { isPublic: true, name: 'Public', ...elsewhere }), null);
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
    const { message } = await client.session.signIn({ way: 'authorization_code' });
    const reason = ways.find(({ way }) => way === 'authorization_code')?.unavailableReason;
    for (const words of [reason, message]) expect(words).toContain('redirect URL on this computer');
    await expect(client.session.signIn({ way: 'client_credentials' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});
