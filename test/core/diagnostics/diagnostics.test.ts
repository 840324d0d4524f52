// Diagnostics: what is shown is what leaves, it helps, and even a secret that got into the log by mistake does not leave.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { freePort } from '#test/setup/free-ports.ts';
import { fieldsFor } from '#test/core/session/access-harness.ts';
import { createMemoryHost, startCore } from '#test/core/core-harness.ts';
import { startFakeService } from '#test/core/fake-service.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

async function start() {
  const service = await startFakeService();
  const dataFolder = temporaryFolder();
  const host = createMemoryHost({
    receiverPort: await freePort(),
    savedPlaces: [{ name: 'Home of Ada', countryCode: 'IT', lat: 45.1, lng: 7.6, population: null }],
  });
  const harness = await startCore({ sandbox: service.introduction, dataFolder, host });
  mkdirSync(join(dataFolder, 'logs'), { recursive: true });
  const log = (text: string) => writeFileSync(join(dataFolder, 'logs', 'rainbell.log'), text);
  return { ...harness, service, log };
}

const read = (zipBase64: string) =>
  Object.fromEntries(
    Object.entries(unzipSync(Buffer.from(zipBase64, 'base64'))).map(([name, bytes]) => [
      name,
      Buffer.from(bytes).toString('utf8'),
    ]),
  );

test('diagnostics leave exactly as they were shown, with versions, states, settings and the log', async () => {
  const { client, log, statusWhere } = await start();
  log('{"msg":"hello from the log"}\n');
  await statusWhere(({ receiver, token }) => receiver.state === 'listening' && token.state === 'valid');
  const { files } = await client.diagnostics.preview();
  const { fileName, zipBase64 } = await client.diagnostics.export();
  expect(fileName).toMatch(/^rainbell-diagnostics-.*\.zip$/);
  const unzipped = read(zipBase64);
  expect(Object.keys(unzipped)).toEqual(files.map(({ name }) => name));
  // Of these the time, the memory and the sizes of files differ between two looks.
  const steady = files.filter(({ name }) => name !== 'about.json' && name !== 'files.json');
  expect(steady.map(({ name }) => unzipped[name])).toEqual(steady.map(({ text }) => text));
  for (const { text, sizeBytes, description: words } of files) {
    expect(Buffer.byteLength(text)).toBe(sizeBytes);
    expect(words).not.toBe('');
  }
  expect(unzipped['log.txt']).toContain('hello from the log');
  expect(JSON.parse(unzipped['about.json'] ?? '')).toMatchObject({ rainbell: '0.0.0', host: 'headless' });
  expect(JSON.parse(unzipped['status.json'] ?? '')).toMatchObject({ app: { connection: { name: 'Sandbox' } } });
  expect(JSON.parse(unzipped['files.json'] ?? '')).toContainEqual({ name: 'app.sqlite', bytes: expect.any(Number) });
});

test('diagnostics contain no secret, even if one got into the log by mistake, and no saved place (docs/tokens.md T21)', async () => {
  const { client, service, host, log } = await start();
  const secret = 'a secret/with + odd “letters”';
  const fields = { ...fieldsFor(service.introduction), clientSecret: 'client-secret-of-staging' };
  const { id } = await client.connections.create(fields);
  await host.secrets.write(`client secret ${id}`, 'client-secret-of-staging');
  await client.session.signIn({ way: 'password', username: 'a', password: 'b' });
  const access = (await client.session.reveal({ owner: 'user', what: 'access_token' })).token;
  const refresh = (await client.session.reveal({ owner: 'user', what: 'refresh_token' })).token;
  const { clientSecret, password } = service.introduction;
  const leaked = ['client-secret-of-staging', access, refresh, clientSecret, password];
  log(
    [
      ...leaked.map((value) => JSON.stringify({ msg: `sent ${value} there` })),
      ...leaked.map((value) => JSON.stringify({ header: `Basic ${Buffer.from(value).toString('base64')}` })),
      JSON.stringify({ url: 'https://app.example/cb?code=4711-code&state=1', password: secret }),
      JSON.stringify({ body: 'grant_type=password&password=hunter22&username=ada' }),
    ].join('\n'),
  );
  const text = JSON.stringify(read((await client.diagnostics.export()).zipBase64));
  for (const value of [...leaked, '4711-code', 'hunter22', 'odd “letters”', 'Home of Ada']) {
    expect(text).not.toContain(value);
    expect(text).not.toContain(Buffer.from(value).toString('base64'));
  }
  expect(text).toContain('there');
});

test('diagnostics hold the end of a long log, in whole lines', async () => {
  const { client, log } = await start();
  log(Array.from({ length: 20_000 }, (_, index) => JSON.stringify({ msg: `line ${index}` })).join('\n'));
  const { files } = await client.diagnostics.preview();
  const lines = files.find(({ name }) => name === 'log.txt')?.text.split('\n') ?? [];
  expect(lines.length).toBeLessThan(20_000);
  expect(lines.at(-1)).toContain('line 19999');
  expect(JSON.parse(lines[0] ?? '')).toHaveProperty('msg');
});
