// After a full session no secret is in plain text anywhere in the data folder: settings, databases, logs, stored
// secrets, those of the service on this machine as well (docs/tokens.md T21, T23).
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { unzipSync } from 'fflate';
import { expect, onTestFinished, test } from 'vitest';
import type { AppClient } from '#contract/app-rpc/contract.ts';
import { systemClock } from '#shared/time/clock.ts';
import { createCore } from '#core/app/create-core.ts';
import { openLog } from '#core/hosting/open-log.ts';
import { createHeadlessHost } from '#headless/headless-host.ts';
import { introductionOf } from '#service/app/embedded-service.ts';
import { fieldsFor, personWithWindow, useOwn } from '#test/core/session/access-harness.ts';
import { connectScreen, threadEntries } from '#test/core/core-harness.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { startOwnService } from '#test/service/start-own-service.ts';

const torino = { lat: 45.0703, lng: 7.6869 };

async function startProfile() {
  const dataFolder = temporaryFolder();
  const log = openLog(join(dataFolder, 'logs', 'rainbell.log'), 'app');
  const service = await startOwnService({ dataFolder }, { log });
  const sandbox = introductionOf(service);
  // Each token and code that the dialog gives away passes through here.
  const given: string[] = [];
  const note = (location: string) => {
    const { searchParams, hash } = new URL(location);
    for (const parameters of [searchParams, new URLSearchParams(hash.slice(1))]) {
      for (const name of ['code', 'access_token']) given.push(parameters.get(name) ?? '');
    }
    return location;
  };
  const host = {
    ...createHeadlessHost({ dataFolder, clock: systemClock, log }),
    ...personWithWindow(sandbox, { change: note }),
  };
  const core = await createCore({
    dataFolder,
    clock: systemClock,
    log,
    host,
    version: '0',
    workers: threadEntries,
  });
  core.connectSandbox(sandbox);
  onTestFinished(() => core.close());
  const { client, close } = await connectScreen(core);
  onTestFinished(close);
  return { dataFolder, client, sandbox, given };
}

/** Every file's name and bytes. */
function everything(folder: string): { name: string; bytes: string }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((name) => ({ name, bytes: readFileSync(name, 'latin1') }));
}

/** What a user hands out: an export of connections, the diagnostics, and the flows on the screen. */
async function leaving(client: AppClient): Promise<{ name: string; bytes: string }[]> {
  const exported = await client.connections.export();
  const { zipBase64 } = await client.diagnostics.export();
  const unzipped = Object.entries(unzipSync(Buffer.from(zipBase64, 'base64')));
  expect(unzipped.map(([name]) => name)).toEqual(expect.arrayContaining(['settings.json', 'log.txt', 'flows.json']));
  return [
    { name: 'export of connections', bytes: exported.text },
    { name: 'flows', bytes: JSON.stringify((await client.session.state()).flows) },
    ...unzipped.map(([name, bytes]) => ({ name: `diagnostics ${name}`, bytes: Buffer.from(bytes).toString('latin1') })),
  ];
}

test('no secret is in plain text in the data folder, in an export or in diagnostics after a full session (docs/tokens.md T21, T23)', async () => {
  const { dataFolder, client, sandbox, given } = await startProfile();
  const secrets = new Set<string>([sandbox.clientSecret, sandbox.password, 'a wrong guess', 'another secret word']);
  const noteTokens = async () => {
    for (const owner of ['application', 'user'] as const) {
      for (const what of ['access_token', 'refresh_token'] as const) {
        await client.session.reveal({ owner, what }).then(
          ({ token }) => secrets.add(token),
          () => {},
        );
      }
    }
  };
  const { username, password } = sandbox;
  await client.forecast.get(torino);
  await client.monitors.list();
  for (const way of ['authorization_code', 'implicit', 'client_credentials'] as const) {
    expect(await client.session.signIn({ way })).toMatchObject({ outcome: 'approved' });
    await noteTokens();
  }
  expect(await client.session.signIn({ way: 'password', username, password })).toMatchObject({ outcome: 'approved' });
  await noteTokens();
  await client.session.signIn({ way: 'password', username, password: 'a wrong guess' });
  await client.session.refresh({ owner: 'user' });
  await client.session.refresh({ owner: 'application' });
  await noteTokens();
  await useOwn({ client }, fieldsFor(sandbox), 'another secret word');
  await expect(client.forecast.get(torino)).rejects.toMatchObject({ code: 'INVALID_CLIENT' });
  await client.connections.select({ id: 'sandbox' });
  await client.session.revoke({ owner: 'user' });
  // Writes what still waits.
  const { total } = await client.traffic.list({});
  expect(total).toBeGreaterThan(10);

  for (const value of given) if (value !== '') secrets.add(value);
  const basic = Buffer.from(`${sandbox.clientId}:${sandbox.clientSecret}`).toString('base64');
  const looked = [...secrets, basic, encodeURIComponent(password)];
  expect(looked.length).toBeGreaterThan(12);
  const files = [...everything(dataFolder), ...(await leaving(client))];
  expect(files.map(({ name }) => relative(dataFolder, name))).toEqual(
    expect.arrayContaining(['app.sqlite', 'settings.json', 'secrets.json', join('logs', 'rainbell.log')]),
  );
  const found = looked.flatMap((secret, index) =>
    files.filter(({ bytes }) => bytes.includes(secret)).map(({ name }) => `secret ${index} in ${name}`),
  );
  expect(found).toEqual([]);
  // The search itself works: it finds what is not a secret.
  expect(files.some(({ bytes }) => bytes.includes(sandbox.clientId))).toBe(true);
});
