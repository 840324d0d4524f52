// Who can reach the receiver, and over what; and who holds a port that it wanted.
import { createServer } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { networkInterfaces } from 'node:os';
import { describe, expect, test } from 'vitest';
import { findPortOwner } from '#core/receiver/access/port-owner.ts';
import { freePort } from '#test/setup/free-ports.ts';
import { createMemoryHost, startCore } from '../core-harness.ts';
import { startWithReceiver } from '../callbacks/callback-harness.ts';
import { startFakeService } from '../fake-service.ts';
import { fieldsFor } from '../session/access-harness.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { listen } from '#test/setup/listen.ts';

const lanAddress = Object.values(networkInterfaces())
  .flatMap((entries) => entries ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

function postOverTls(url: string, ca: string | string[]): Promise<{ status: number | undefined; error?: string }> {
  return new Promise((resolve) => {
    const sent = httpsRequest(url, { method: 'POST', ca, agent: false }, (response) => {
      response.resume();
      resolve({ status: response.statusCode });
    });
    sent.on('error', (error) => resolve({ status: undefined, error: error.message }));
    sent.end('{}');
  });
}

describe('TLS', () => {
  test('has an authority that stays, and a certificate that holds for this machine', async () => {
    const dataFolder = temporaryFolder();
    const host = createMemoryHost({ receiverPort: await freePort() });
    const first = await startWithReceiver({ dataFolder, host });
    const access = await first.client.app.changeReceiverAccess({ tls: true, lan: false });
    const pem = access.authority?.pem ?? '';
    const { receiver } = await first.client.app.status();
    expect(receiver.baseUrl).toBe(`https://127.0.0.1:${access.port}`);
    expect(access.authority?.fingerprint).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
    expect(await postOverTls(`${receiver.baseUrl}/a`, pem)).toEqual({ status: 200 });
    expect(await postOverTls(`https://localhost:${access.port}/b`, pem)).toEqual({ status: 200 });
    const stranger = await postOverTls(`${receiver.baseUrl}/c`, []);
    expect(stranger.status).toBeUndefined();
    await expect(fetch(`http://127.0.0.1:${access.port}/d`, { method: 'POST' })).rejects.toThrow(/fetch failed/);
    // Refused requests are written a moment after their connections end.
    const listed = async () => (await first.client.callbacks.list({})).items;
    await expect
      .poll(async () => (await listed()).map(({ target, refusal }) => refusal?.reason ?? target))
      .toEqual(['http-on-https', 'tls-handshake', '/b', '/a']);
    expect(new Set((await listed()).map(({ remoteAddress }) => remoteAddress))).toEqual(new Set(['127.0.0.1']));
    expect((await first.client.callbacks.get({ id: 1 })).head).toMatchObject({ isExact: true });
    // A replay to the receiver itself trusts its own authority.
    expect((await first.client.sends.replay({ id: 1, url: null })).outcome).toMatchObject({ status: 200 });
    expect([...host.stored.values()].join()).toContain('PRIVATE KEY');
    await first.close();
    const second = await startWithReceiver({ dataFolder, host });
    expect(second.baseUrl).toMatch(/^https:/);
    expect((await second.client.app.receiverAccess()).authority?.pem).toBe(pem);
    expect(await postOverTls(`${second.baseUrl}/e`, pem)).toEqual({ status: 200 });
    await second.client.app.changeReceiverAccess({ tls: false, lan: false });
    const plain = (await second.client.app.status()).receiver.baseUrl;
    expect((await fetch(`${plain}/f`, { method: 'POST' })).status).toBe(200);
  });
});

describe('an authority that is stored and can’t be read', () => {
  /** The memory host with a keyring in front of it. */
  function lockable(host: ReturnType<typeof createMemoryHost>) {
    const readable = new Set<() => void>();
    const keyring = { isLocked: false };
    const { secrets, stored } = host;
    const lockedHost = {
      ...host,
      secrets: {
        ...secrets,
        read: async (name: string) => (keyring.isLocked && stored.has(name) ? null : secrets.read(name)),
        stateOf: (name: string) => (keyring.isLocked && stored.has(name) ? 'locked' : secrets.stateOf(name)),
        onReadable: (run: () => void) => void readable.add(run),
      },
    };
    const unlock = () => {
      keyring.isLocked = false;
      for (const run of readable) run();
    };
    return { host: lockedHost, keyring, unlock };
  }

  test('is never replaced: the receiver waits until the keyring opens', async () => {
    const dataFolder = temporaryFolder();
    const { host, keyring, unlock } = lockable(createMemoryHost({ receiverPort: await freePort() }));
    const first = await startWithReceiver({ dataFolder, host });
    const { authority: trusted } = await first.client.app.changeReceiverAccess({ tls: true, lan: false });
    await first.close();

    keyring.isLocked = true;
    const { client, statusWhere } = await startCore({ dataFolder, host });
    const { receiver } = await statusWhere((status) => status.receiver.state === 'failed');
    expect(receiver.notice).toContain('Unlock the keyring');
    expect(await client.app.receiverAccess()).toMatchObject({ tls: true, authority: null });
    unlock();
    const { receiver: opened } = await statusWhere((status) => status.receiver.state === 'listening');
    expect(await postOverTls(`${opened.baseUrl}/b`, trusted?.pem ?? '')).toEqual({ status: 200 });
    expect((await client.app.receiverAccess()).authority).toEqual(trusted);
  });

  test('and a client secret likewise: it isn’t said to be missing', async () => {
    const { host, keyring } = lockable(createMemoryHost());
    const { client } = await startCore({ host });
    const fields = { ...fieldsFor((await startFakeService()).introduction), clientSecret: 'secret-of-mine' };
    const { id } = await client.connections.create(fields);
    keyring.isLocked = true;
    const { connections } = await client.connections.list();
    expect(connections.find((connection) => connection.id === id)).toMatchObject({ hasSecret: true });
  });
});

test('the sandbox gets the receiver’s certificate authority, and again after it restarts', async () => {
  const service = await startFakeService();
  service.routes['PUT /sandbox/callback-authority'] = () => ({ status: 204, body: '' });
  const { client, core } = await startCore({ sandbox: service.introduction });
  const sentCertificates = () =>
    service
      .requestsTo('PUT /sandbox/callback-authority')
      .map(({ body }) => (JSON.parse(body) as { pem: string | null }).pem);
  const { authority } = await client.app.changeReceiverAccess({ tls: true, lan: false });
  await expect.poll(sentCertificates).toEqual([authority?.pem]);
  core.connectSandbox(service.introduction);
  await expect.poll(sentCertificates).toEqual([authority?.pem, authority?.pem]);
  await client.app.changeReceiverAccess({ tls: false, lan: false });
  await expect.poll(sentCertificates).toEqual([authority?.pem, authority?.pem, null]);
});

describe.skipIf(lanAddress === undefined)('the LAN', () => {
  test('reaches the receiver only by choice and with the token in the path', async () => {
    const { client, baseUrl } = await startWithReceiver();
    const port = new URL(baseUrl).port;
    const strangerUrl = `http://${lanAddress}:${port}`;
    await expect(fetch(`${strangerUrl}/a`, { method: 'POST' })).rejects.toThrow(/fetch failed/);
    const { lanUrls } = await client.app.changeReceiverAccess({ tls: false, lan: true });
    const url = lanUrls.find((one) => one.includes(String(lanAddress))) ?? '';
    const answer = await fetch(`${strangerUrl}/a`, { method: 'POST' });
    expect([answer.status, await answer.text()]).toEqual([404, 'Not found.\n']);
    expect(answer.headers.get('connection')).toBe('close');
    const token = new URL(url).pathname.slice(1, -1);
    const strange = [`/${'x'.repeat(24)}/a`, `/${token.slice(0, -1)}`, `/${token}s/a`, `/a/${token}`];
    for (const path of strange) expect((await fetch(strangerUrl + path, { method: 'POST' })).status).toBe(404);
    for (const path of [`/${token}`, `/${token}?x`, `/${token}/hooks/a`])
      expect((await fetch(strangerUrl + path, { method: 'POST', body: 'x' })).status).toBe(200);
    expect((await fetch(`${baseUrl}/here`, { method: 'POST' })).status).toBe(200);
    const { items } = await client.callbacks.list({});
    expect(items.map(({ target, refusal }) => [target, refusal?.reason]).toReversed()).toEqual([
      ...['/a', ...strange].map((path) => [path, 'no-token']),
      [`/${token}`, undefined],
      [`/${token}?x`, undefined],
      [`/${token}/hooks/a`, undefined],
      ['/here', undefined],
    ]);
    expect(items[1]?.remoteAddress).toBe(lanAddress);
    await client.app.changeReceiverAccess({ tls: false, lan: false });
    await expect(fetch(`${url}hooks/a`, { method: 'POST' })).rejects.toThrow(/fetch failed/);
  });
});

describe.skipIf(process.platform !== 'linux')('a port that is taken', () => {
  test('is reported with the process that uses it', async () => {
    const server = createServer();
    const port = await listen(server);
    expect(await findPortOwner(port)).toContain(`(process ${process.pid})`);
    const { client } = await startWithReceiver();
    await expect(client.app.moveReceiver({ port })).rejects.toMatchObject({
      code: 'PORT_TAKEN',
      message: expect.stringContaining(`(process ${process.pid})`),
    });
  });
});
