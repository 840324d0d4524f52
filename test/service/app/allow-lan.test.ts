// --allow-lan in a network of two computers: callbacks reach the other one by its private addresses, and nothing else that it poses as.
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { projectFolder } from '#scripts/tool.mjs';
import { missingLan, type Peer, startLan } from '#test/setup/lan.ts';
import { runEntry } from '#test/setup/run-entry.ts';
import { endWithTest } from '#test/setup/end-with-test.ts';
import { unreachableProviders } from '#test/stories/service-process.ts';
import { eventually } from '#test/service/eventually.ts';
import { openOAuth } from '#test/service/oauth/oauth-service.ts';
import { registerApplication } from '#test/service/oauth/registered-application.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

const names = { 'hooks.lan': '192.168.77.1', 'metadata.lan': '169.254.169.254', 'aws.lan': 'fd00:ec2::254' };
const addresses = [
  '192.168.77.1/24',
  '10.77.0.1/24',
  '172.20.0.1/24',
  '100.64.7.1/24',
  'fd77::1/64',
  '169.254.169.25/24',
  '169.254.169.254/32',
  'fd00:ec2::254/64',
];

async function start(flags: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const lan = await startLan(addresses, names);
  const folder = temporaryFolder();
  const location = { file: join(folder, 'service', 'service.sqlite') };
  const { clientId, clientSecret } = await registerApplication(await openOAuth('sqlite', { location }));
  const entry = join(projectFolder, 'service/main.ts');
  const base = ['--host', '0.0.0.0', '--data', folder, '--provider', 'simulation', '--json'];
  const child = lan.spawnService(process.execPath, [...runEntry, entry, ...base, ...flags], {
    ...unreachableProviders,
    RAINBELL_SIMULATED_RAIN: 'off',
    ...environment,
  });
  endWithTest(child);
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(log)));
  await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended]);
  const baseUrl = 'http://192.168.77.12:8420';
  const granted = await lan.peer.fetch(`${baseUrl}/token/`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  });
  const { access_token: token } = JSON.parse(granted.text) as { access_token: string };
  const call = async (path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await lan.peer.fetch(`${baseUrl}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body ?? {}),
    });
    return { status: answer.status, json: JSON.parse(answer.text) as Record<string, string> };
  };
  const register = (callback_uri: string) =>
    call('/v2/monitors/', { monitor_type: 'precipitation', callback_uri, geo: { lat: 45, lng: 7 } });
  return { ...lan, call, register, log: () => log };
}

/** Without those of the simulation's rain, which may be there now. */
function testPaths({ received }: Peer) {
  const tests = received.filter(({ headers }) => headers['webhook-id']?.startsWith('test_'));
  return tests.map(({ path }) => path).toSorted();
}

const missing = missingLan();

const never = [
  '169.254.169.254:8123',
  '169.254.169.25:8123',
  '[fd00:ec2::254]:8123',
  '[::ffff:a9fe:a9fe]:8123',
  'metadata.lan:8123',
  'aws.lan:8123',
  '192.168.77.12:8420',
  '127.0.0.1:8420',
];

it.skipIf(missing)('reaches the LAN, and never metadata, link-local, loopback, or the service itself', async () => {
  const { peer, call, register, log } = await start(['--allow-lan']);
  expect(log()).toContain('it has no sandbox');
  for (const host of [...never, '127.0.0.1:8123', 'localhost:8123', '0.0.0.0:8123']) {
    const { status, json } = await register(`http://${host}/`);
    expect([host, status, json['error_description']]).toEqual([host, 400, expect.stringContaining('not allowed')]);
  }
  const hosts = ['192.168.77.1', '10.77.0.1', '172.20.0.1', '100.64.7.1', '[fd77::1]', 'hooks.lan'];
  for (const [index, host] of hosts.entries()) {
    const { status, json } = await register(`http://${host}:8123/${index}`);
    expect([host, status]).toEqual([host, 201]);
    expect((await call(`/v2/monitors/${json['id']}/test-event/`)).status).toBe(202);
  }
  await eventually(() => expect(testPaths(peer)).toEqual(['/0', '/1', '/2', '/3', '/4', '/5']));
  expect(peer.received.every(({ headers }) => headers['webhook-signature']?.startsWith('v1,'))).toBe(true);
});

it.skipIf(missing)(
  'an allow-list of everything reaches the LAN, but no metadata and not the service itself',
  async () => {
    const everything = '0.0.0.0/0, ::/0, fd00::/8, metadata.lan, aws.lan';
    const { peer, call, register } = await start([], { RAINBELL_CALLBACK_ALLOWLIST: everything });
    for (const host of never) expect([host, (await register(`http://${host}/`)).status]).toEqual([host, 400]);
    const { json } = await register('http://192.168.77.1:8123/listed');
    await call(`/v2/monitors/${json['id']}/test-event/`);
    await eventually(() => expect(testPaths(peer)).toEqual(['/listed']));
  },
);
