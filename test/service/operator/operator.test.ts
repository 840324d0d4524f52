// `npm run operator`, as a process of its own, beside a service that has the same database open.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { type Clock, systemClock } from '#shared/time/clock.ts';
import { configWith } from '#service/config/config.ts';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import { bindSocket, createHttpServer } from '#service/http/server.ts';
import { createOutbox } from '#service/mail/outbox.ts';
import { createOAuth } from '#service/oauth/create-oauth.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { engines, newDatabase } from '#test/service/engines.ts';
import { startMonitorService, turin } from '#test/service/monitor-service.ts';
import { operator } from './operator-process.ts';
import { basic, postToken } from '#test/service/oauth/oauth-service.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

async function startService(folder: string, machineClock: Clock, url?: string) {
  const log = pino({ level: 'silent' });
  await mkdir(join(folder, 'service'), { recursive: true });
  const location = url === undefined ? { file: join(folder, 'service', 'service.sqlite') } : { url };
  const database = await openServiceDatabase({ ...location, clock: systemClock, log });
  const oauth = createOAuth({
    config: configWith({ dataFolder: folder }),
    clock: systemClock,
    machineClock,
    log,
    db: database.db,
  });
  const socket = await bindSocket('127.0.0.1', 0, undefined);
  const { server, attach } = createHttpServer(socket, log);
  await oauth.registerRoutes(server, socket.baseUrl);
  server.get('/v2/probe', { preHandler: oauth.requireBearer }, async () => ({}));
  await server.ready();
  attach();
  onTestFinished(async () => {
    await server.close();
    socket.http.closeAllConnections();
    await oauth.close();
    await database.close();
  });
  return { baseUrl: socket.baseUrl };
}

test('an operator makes an account and an application, which work at once in a running service, until they are disabled', async () => {
  const folder = temporaryFolder();
  const machine = createManualClock();
  const service = await startService(folder, machine);
  const made = await operator(
    folder,
    '--json account create --username dora --email dora@example.org --password-stdin',
    'a long password\n',
  );
  expect(made.complaint).not.toContain('Error');
  expect(JSON.parse(made.output)).toMatchObject({ username: 'dora', operator: false });
  const { output } = await operator(
    folder,
    '--json application create --owner dora --name Garden%20bot --redirect https://a.example.org/cb --redirect http://127.0.0.1/cb --allow-password-grant',
  );
  const { clientId, clientSecret } = JSON.parse(output) as { clientId: string; clientSecret: string };
  expect(output.trim().split('\n')).toHaveLength(1);
  const authorization = basic(clientId, clientSecret);
  const form = { grant_type: 'password', username: 'dora', password: 'a long password' };
  const { status, answer } = await postToken(service, form, { authorization });
  expect(status).toBe(200);
  const token = String(answer['access_token']);
  const probe = async () =>
    (await fetch(`${service.baseUrl}/v2/probe`, { headers: { authorization: `Bearer ${token}` } })).status;
  expect(await probe()).toBe(200);
  expect((await operator(folder, `application disable ${clientId}`)).output).toContain('disabled');
  machine.advance(250);
  expect(await probe()).toBe(401);
  expect((await postToken(service, form, { authorization })).answer['error']).toBe('invalid_client');
  await operator(folder, `application enable ${clientId}`);
  const rotated = JSON.parse((await operator(folder, `--json application rotate ${clientId}`)).output) as {
    clientSecret: string;
  };
  expect((await postToken(service, form, { authorization })).status).toBe(401);
  const renewed = basic(clientId, rotated.clientSecret);
  expect((await postToken(service, form, { authorization: renewed })).status).toBe(200);
});

test.each(engines)('%s: a disabled account’s tokens end in every process that has them cached', async (engine) => {
  const folder = temporaryFolder();
  const { url } = { url: undefined, ...(await newDatabase(engine, folder)) };
  const machine = createManualClock();
  const services = [await startService(folder, machine, url), await startService(folder, machine, url)] as const;
  const run = async (command: string, input = '') => {
    const environment = url === undefined ? {} : { RAINBELL_DATABASE: url };
    const { code, output, complaint } = await operator(folder, `--json ${command}`, input, environment);
    if (code !== 0) throw new Error(`operator ${command}: ${complaint}`);
    return JSON.parse(output) as Record<string, string>;
  };
  for (const name of ['dora', 'eva']) {
    await run(`account create --username ${name} --email ${name}@example.org --password-stdin`, 'a long password\n');
  }
  const { clientId = '', clientSecret = '' } = await run(
    'application create --owner dora --name Bot --redirect https://a.example.org/cb --allow-password-grant',
  );
  const authorization = basic(clientId, clientSecret);
  const tokenFor = async (form: Record<string, string>) => {
    const { answer } = await postToken(services[0], form, { authorization });
    return String(answer['access_token']);
  };
  const own = { grant_type: 'client_credentials' };
  // Of the application, and of another user of it.
  const tokens = [
    await tokenFor(own),
    await tokenFor({ grant_type: 'password', username: 'eva', password: 'a long password' }),
  ];
  const statuses = async () => {
    const probes = services.flatMap(({ baseUrl }) =>
      tokens.map((token) => fetch(`${baseUrl}/v2/probe`, { headers: { authorization: `Bearer ${token}` } })),
    );
    return (await Promise.all(probes)).map(({ status }) => status);
  };
  expect(await statuses()).toEqual([200, 200, 200, 200]);
  await run('account disable dora');
  machine.advance(999);
  expect(await statuses()).toEqual([401, 401, 401, 401]);
  // They stay ended, and new ones work.
  await run('account enable dora');
  machine.advance(999);
  expect(await statuses()).toEqual([401, 401, 401, 401]);
  tokens.splice(0, 2, await tokenFor(own));
  expect(await statuses()).toEqual([200, 200]);
});

test('what strangers write can’t control the operator’s terminal', async () => {
  const folder = temporaryFolder();
  await mkdir(join(folder, 'service'), { recursive: true });
  const file = join(folder, 'service', 'service.sqlite');
  const database = await openServiceDatabase({ file, clock: systemClock, log: pino({ level: 'silent' }) });
  const text = 'Hello\u001b]0;x\u0007\u009b2J\u202e\nbye';
  const mail = { to: 'a@example.org', subject: 'Contact', text, whenLimited: 'keep' as const };
  await createOutbox({ db: database.db, clock: systemClock }).put(mail, false);
  await database.close();
  const shown = await operator(folder, 'outbox list');
  expect(shown.output).toContain('Hello\\u001b]0;x\\u0007\\u009b2J\\u202e\nbye\n');
  const json = await operator(folder, '--json outbox list');
  expect(json.output).not.toMatch(/[\u009b\u202e]/);
  expect(JSON.parse(json.output)).toMatchObject([{ text }]);
  const named = await operator(folder, `application create --owner dora --name ${encodeURIComponent('moc.\u202eyb')}`);
  expect([named.code, named.complaint]).toEqual([1, expect.stringContaining('without control characters')]);
});

test('a wrong command gets a one-sentence error', async () => {
  const folder = temporaryFolder();
  const cases: [string, number, string][] = [
    ['account fly', 2, 'Unknown command "account fly"'],
    ['account create --username x', 2, '--email is missing'],
    ['account create --username ann --email nobody --password-stdin', 1, 'An email address must look like'],
    ['account disable nobody', 1, 'There is no account with that username'],
    ['application create --owner nobody --name X', 1, 'create one first with'],
    [
      'application create --owner x --name X --redirect http://evil.test/',
      1,
      'http is allowed only for loopback addresses',
    ],
    ['application rotate nothing', 1, 'There is no application with that client ID'],
    ['application edit x', 2, 'Unknown command "application edit"'],
    ['account disable x y', 2, 'Unexpected argument "y"'],
    ['--nonsense', 2, "Unknown option '--nonsense'"],
  ];
  for (const [command, code, words] of cases) {
    const result = await operator(folder, command, 'a long password\n');
    expect([command, result.code]).toEqual([command, code]);
    expect(result.complaint).toContain(words);
    expect(result.complaint).not.toContain('    at ');
  }
});

test.each(engines)(
  '%s: the operator reads the events of any monitor, without secrets, and each look is logged',
  async (engine) => {
    const folder = temporaryFolder();
    await mkdir(join(folder, 'service'), { recursive: true });
    const location = await newDatabase(engine, join(folder, 'service'));
    const service = await startMonitorService({ folder, location });
    const endpoint = await startCallbackEndpoint();
    const id = await service.addMonitor(`${endpoint.url}?token=secret`);
    service.rainAt(turin);
    await service.sweep();
    await endpoint.waitFor(1);
    await service.close();
    const environment = 'url' in location ? { RAINBELL_DATABASE: location.url } : {};
    const { code, output, complaint } = await operator(folder, `events list ${id}`, '', environment);
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(
        /^evt_\S+ {2}The event of \S+ was delivered to 127\.0\.0\.1:\d+: 204 No Content in \d+ ms\n$/,
      ),
    ]);
    expect(complaint).toContain(`"target":"${id}"`);
    const json = await operator(folder, `--json events list ${id} --state delivered`, '', environment);
    expect(JSON.parse(json.output)).toMatchObject([
      { monitor_id: id, state: 'delivered', attempts: [{ http_status: 204 }] },
    ]);
    expect(json.output).not.toContain('secret');
    expect((await operator(folder, `events list ${id} --state lost`, '', environment)).complaint).toContain(
      'state must be one or more of',
    );
  },
);
