// `npm run operator`, as a process of its own, beside a service that has the same database open.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { projectFolder } from '#scripts/tool.mjs';
import { systemClock } from '#shared/time/clock.ts';
import { createOutbox } from '#service/mail/outbox.ts';
import { accountCommands } from '#service/operator/account-commands.ts';
import { applicationCommands } from '#service/operator/application-commands.ts';
import { type Operation, readCommand } from '#service/operator/command-line.ts';
import { eventCommands } from '#service/operator/other-commands.ts';
import { setUpHome } from '#service/operator/setup-command.ts';
import { createSecretSeal } from '#service/secrets/secret-seal.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { newPostgres } from '#test/service/engines.ts';
import { startMonitorService, turin } from '#test/service/monitor-service.ts';
import { freePort } from '#test/setup/free-ports.ts';
import { operator } from './operator-process.ts';
import { basic, openOAuth, postToken, probe, startOAuthService } from '#test/service/oauth/oauth-service.ts';
import { registerApplication } from '#test/service/oauth/registered-application.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { runEntry } from '#test/setup/run-entry.ts';

test('an operator makes an account and an application, which work at once in a running service, until they are disabled', async () => {
  const machine = createManualClock();
  const service = await startOAuthService({}, undefined, machine);
  const { folder } = service;
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
  expect((await probe(service, token)).status).toBe(200);
  expect((await operator(folder, `application disable ${clientId}`)).output).toContain('disabled');
  machine.advance(250);
  expect((await probe(service, token)).status).toBe(401);
  expect((await postToken(service, form, { authorization })).answer['error']).toBe('invalid_client');
  await operator(folder, `application enable ${clientId}`);
  const rotated = JSON.parse((await operator(folder, `--json application rotate ${clientId}`)).output) as {
    clientSecret: string;
  };
  expect((await postToken(service, form, { authorization })).status).toBe(401);
  const renewed = basic(clientId, rotated.clientSecret);
  expect((await postToken(service, form, { authorization: renewed })).status).toBe(200);
});

test('a disabled account’s tokens end in every process that has them cached', async () => {
  const url = await newPostgres();
  const machine = createManualClock();
  const start = () => startOAuthService({ databaseUrl: url }, undefined, machine);
  const services = [await start(), await start()] as const;
  const [one] = services;
  const { clientId, clientSecret } = await registerApplication(one, { allowsPassword: true });
  const eva = { username: 'eva', password: 'a long password' };
  await one.oauth.accounts.create({ ...eva, email: 'eva@example.org' });
  const tokenFor = async (form: Record<string, string>) =>
    String((await postToken(one, form, { authorization: basic(clientId, clientSecret) })).answer['access_token']);
  const own = { grant_type: 'client_credentials' };
  // Of the application, and of another user of it.
  const tokens = [await tokenFor(own), await tokenFor({ grant_type: 'password', ...eva })];
  const statuses = async () => {
    const probes = services.flatMap((service) => tokens.map((token) => probe(service, token)));
    return (await Promise.all(probes)).map(({ status }) => status);
  };
  const run = async (command: string) =>
    expect((await operator(one.folder, command, '', { RAINBELL_DATABASE: url })).code).toBe(0);
  expect(await statuses()).toEqual([200, 200, 200, 200]);
  await run('account disable carol');
  machine.advance(999);
  expect(await statuses()).toEqual([401, 401, 401, 401]);
  // They stay ended, and new ones work.
  await run('account enable carol');
  machine.advance(999);
  expect(await statuses()).toEqual([401, 401, 401, 401]);
  tokens.splice(0, 2, await tokenFor(own));
  expect(await statuses()).toEqual([200, 200]);
});

test('what strangers write can’t control the operator’s terminal', async () => {
  const { folder, db } = await startOAuthService();
  const text = 'Hello\u001b]0;x\u0007\u009b2J\u202e\nbye';
  const mail = { to: 'a@example.org', subject: 'Contact', text, whenLimited: 'keep' as const };
  await createOutbox({ db, clock: systemClock }).put(mail, false);
  const shown = await operator(folder, 'outbox list');
  expect(shown.output).toContain('Hello\\u001b]0;x\\u0007\\u009b2J\\u202e\nbye\n');
  const json = await operator(folder, '--json outbox list');
  expect(json.output).not.toMatch(/[\u009b\u202e]/);
  expect(JSON.parse(json.output)).toMatchObject([{ text }]);
});

test.each([
  ['account fly', 2, 'Unknown command "account fly"'],
  ['account disable nobody', 1, 'There is no account with that username'],
  ['--data /nowhere/typo keys check', 2, 'There is no database in /nowhere/typo/service'],
])('“operator %s” ends with exit code %i and a one-sentence error', async (command, code, words) => {
  const result = await operator(temporaryFolder(), command);
  expect([result.code, result.complaint]).toEqual([code, expect.stringContaining(words)]);
  expect(result.complaint).not.toContain('    at ');
});

test.each([
  ['account create --username x', '--email is missing'],
  ['account create --username ann --email nobody --password-stdin', 'An email address must look like'],
  ['account disable x y', 'Unexpected argument "y"'],
  ['application create --owner nobody --name X', 'create one first with'],
  ['application create --owner x --name moc.\u202eyb', 'without control characters'],
  ['application create --owner x --name X --redirect http://evil.test/', 'http is allowed only for loopback addresses'],
  ['application rotate nothing', 'There is no application with that client ID'],
  ['events list precipitation_1 --state lost', 'state must be one or more of'],
  ['setup --callback http://127.0.0.1/', '--place is missing'],
  ['setup --place Oslo', '--callback is missing'],
  ['setup --place Oslo --callback http://192.168.1.20/', 'The service does not respond at http://127.0.0.1:'],
  ['--nonsense', "Unknown option '--nonsense'"],
  ['setup --place -33.9,18.4', "ambiguous. Did you forget to specify the option argument for '--place'? To specify an"],
])('“operator %s” is refused', async (words, problem) => {
  const { config, clock, db, oauth } = await openOAuth('sqlite');
  const tools = {
    config: { ...config, port: await freePort() },
    clock,
    db,
    oauth,
    engine: 'sqlite' as const,
    readLine: async () => 'a long password',
    outbox: createOutbox({ db, clock }),
    seal: createSecretSeal({ secretKey: undefined, databaseUrl: undefined, folder: config.dataFolder }),
  };
  const run = async () => {
    const command = readCommand(words.split(' '));
    const setup: Record<string, Operation> = { '': setUpHome };
    const commands = { account: accountCommands, application: applicationCommands, events: eventCommands, setup };
    await commands[command.subject as keyof typeof commands][command.verb]?.(command, tools);
  };
  await expect(run()).rejects.toThrow(problem);
});

test('the operator reads the events of any monitor, without secrets, and each look is logged', async () => {
  const folder = temporaryFolder();
  await mkdir(join(folder, 'service'));
  const location = { file: join(folder, 'service', 'service.sqlite') };
  const service = await startMonitorService({ folder, location });
  const endpoint = await startCallbackEndpoint();
  const id = await service.addMonitor(`${endpoint.url}?token=secret`);
  service.rainAt(turin);
  await service.sweep();
  await endpoint.waitFor(1);
  await service.close();
  const { code, output, complaint } = await operator(folder, `events list ${id}`);
  expect([code, output]).toEqual([
    0,
    expect.stringMatching(
      /^evt_\S+ {2}The event of \S+ was delivered to 127\.0\.0\.1:\d+: 204 No Content in \d+ ms\n$/,
    ),
  ]);
  expect(complaint).toContain(`"target":"${id}"`);
  const json = await operator(folder, `--json events list ${id} --state delivered`);
  expect(JSON.parse(json.output)).toMatchObject([
    { monitor_id: id, state: 'delivered', attempts: [{ http_status: 204 }] },
  ]);
  expect(json.output).not.toContain('secret');
});

test('keys check ends with 1 if the keys cannot decrypt a secret', async () => {
  const folder = temporaryFolder();
  await mkdir(join(folder, 'service'));
  const service = await startMonitorService({ folder, location: { file: join(folder, 'service', 'service.sqlite') } });
  await service.addMonitor('http://user:password@127.0.0.1:1/');
  await service.close();
  expect((await operator(folder, 'keys check')).code).toBe(0);
  await rm(join(folder, 'service', 'webhook.key'));
  const { code, output } = await operator(folder, 'keys check');
  expect([code, output]).toEqual([1, expect.stringMatching(/cannot decrypt [12] of them/)]);
});

test.runIf(process.platform === 'linux')('the operator ends with 1 if its output cannot be written', async () => {
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [...runEntry, join(projectFolder, 'service/operator/main.ts'), '--help'], {
    stdio: ['ignore', full, 'pipe'],
  });
  closeSync(full);
  const [words, [code]] = await Promise.all([text(child.stderr as Readable), once(child, 'exit')]);
  expect([words, code]).toEqual([expect.stringContaining('no space left'), 1]);
});
