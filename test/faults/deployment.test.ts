// The service of deploy/compose.yaml as a process, with its environment and the image's; then observed, backed up, restored, and
// given a new key, as docs/operations.md says. Containers themselves are not run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { projectFolder } from '#scripts/tool.mjs';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { apiCaller, fetchToken, turin } from '#test/service/monitor-service.ts';
import { missingParser, scrape } from '#test/service/app/open-metrics.ts';
import { freePorts } from '#test/setup/free-ports.ts';
import { runEntry } from '#test/setup/run-entry.ts';
import { unreachableProviders } from '#test/stories/service-process.ts';
import { commandsOf, missingServer, runShell, startDebianPostgres } from './drill.ts';

beforeEach(({ skip }) => {
  const missing = missingServer ?? missingParser;
  skip(missing !== undefined, missing);
});

type Environment = Record<string, string>;
type ComposedService = {
  environment: Environment;
  secrets?: string[];
  volumes?: string[];
  ports?: string[];
};
type Compose = {
  services: Record<'service' | 'postgres', ComposedService> & { prometheus: Omit<ComposedService, 'environment'> };
  secrets: Record<string, { file: string }>;
};

const deploy = join(projectFolder, 'deploy');
const read = (file: string) => readFileSync(join(deploy, file), 'utf8');
const { services, secrets } = parse(read('compose.yaml')) as Compose;
/** What the image sets. */
const imageEnvironment = Object.fromEntries(
  [...read('Containerfile').matchAll(/^(?:ENV| {3,})\s*([A-Z_]+)=(\S+)( \\)?$/gm)].map(([, name = '', value = '']) => [
    name,
    value,
  ]),
);
const secretsFolder = '/run/secrets/';
const portOf = (address = '') => address.split(':').at(-1) ?? '';

it('the files fit together: secrets, addresses, ports, and what is mounted', () => {
  expect(imageEnvironment).toMatchObject({ RAINBELL_HOST: '0.0.0.0', RAINBELL_PORT: '8420' });
  const used = Object.values(services).flatMap((service) => {
    const { secrets: own = [] } = service;
    const named = Object.values('environment' in service ? service.environment : {}).filter((value) =>
      value.startsWith(secretsFolder),
    );
    return named.map((path) => ({ name: path.slice(secretsFolder.length), own }));
  });
  expect(used.filter(({ name, own }) => !own.includes(name) || !(name in secrets))).toEqual([]);
  expect(new Set(used.map(({ name }) => name))).toEqual(new Set(Object.keys(secrets)));

  const { prometheus, service } = services;
  const targets = [...read('prometheus.yml').matchAll(/'([\w-]+):(\d+)'/g)].map(([, host, port]) => [host, port]);
  expect(targets).toEqual([['service', portOf(service.environment['RAINBELL_METRICS_ADDRESS'])]]);
  const published = portOf(service.environment['RAINBELL_PUBLIC_URL']);
  expect(service.ports).toEqual([`127.0.0.1:${published}:${imageEnvironment['RAINBELL_PORT']}`]);
  const mounted = (prometheus.volumes ?? []).map((volume) => volume.split(':')[0] ?? '');
  expect(mounted.filter((path) => path.startsWith('./') && !existsSync(join(deploy, path)))).toEqual([]);
});

const entry = join(projectFolder, 'service/main.ts');

/** As Open-Meteo answers: rain now and for a day. */
function rain(now: number): string {
  const start = Math.floor(now / 3_600_000) * 3600 - 3600;
  const quarters = Array.from({ length: 400 }, (_, index) => start + index * 900);
  const hours = Array.from({ length: 100 }, (_, index) => start + index * 3600);
  return JSON.stringify({
    latitude: turin.lat,
    longitude: turin.lng,
    current_units: { precipitation: 'mm' },
    hourly: { time: hours, weather_code: hours.map(() => 63) },
    minutely_15_units: { precipitation: 'mm' },
    minutely_15: { time: quarters, precipitation: quarters.map(() => 2) },
  });
}

async function prepare() {
  const { url } = await startDebianPostgres();
  const { POSTGRES_USER: role = '', POSTGRES_DB: name = '' } = services.postgres.environment;
  await runShell(`psql "$ADMIN" --command="create role ${role} login superuser"`, { ADMIN: url });
  const own = url.replace('postgres@', `${role}:a-password@`).replace(/[^/]+$/, name);
  const folder = temporaryFolder();
  const secretFiles = {
    database: own,
    'secret-key': 'the first key of the service',
    'postgres-password': 'a-password',
  };
  const setSecret = (secret: string, text: string) => writeFileSync(join(folder, secret), `${text}\n`);
  for (const [secret, text] of Object.entries(secretFiles)) setSecret(secret, text);

  const provider = await startCallbackEndpoint((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(rain(Date.now()));
  });
  const [port = 0, metricsPort = 0] = await freePorts(2);
  const baseUrl = `http://127.0.0.1:${port}`;
  const withoutOurs = Object.entries(process.env).filter(([key]) => !key.startsWith('RAINBELL_'));
  const composed = Object.entries({ ...imageEnvironment, ...services.service.environment });
  /** That of the image and of compose.yaml, with the addresses of this machine. */
  const environment: Environment = {
    ...(Object.fromEntries(withoutOurs) as Record<string, string>),
    ...Object.fromEntries(composed.map(([key, value]) => [key, value.replace(secretsFolder, `${folder}/`)])),
    ...unreachableProviders,
    RAINBELL_PORT: String(port),
    RAINBELL_METRICS_ADDRESS: `127.0.0.1:${metricsPort}`,
    // Compose replaces it by nothing.
    RAINBELL_DATA: temporaryFolder(),
    RAINBELL_PUBLIC_URL: baseUrl,
    RAINBELL_CALLBACK_ALLOWLIST: '127.0.0.1',
    RAINBELL_OPEN_METEO_URL: `http://127.0.0.1:${provider.port}`,
    RAINBELL_PROVIDER: 'open-meteo',
    RAINBELL_SWEEP_SECONDS: '5',
    RAINBELL_LOG_LEVEL: 'warn',
  };
  return { url: own, setSecret, baseUrl, metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`, environment };
}

/** Starts the service; the returned function stops it. */
async function start(environment: Environment, baseUrl: string): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, [...runEntry, entry], {
    cwd: projectFolder,
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  });
  await expect
    .poll(async () => (await fetch(`${baseUrl}/health/ready`).catch(() => undefined))?.status, {
      timeout: 150_000,
      interval: 50,
    })
    .toBe(200);
  return async () => {
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  };
}

it('the service of compose.yaml is seen, backed up, restored, and given a new key', async () => {
  const { url, setSecret, baseUrl, metricsUrl, environment } = await prepare();
  const stop = await start(environment, baseUrl);
  const account = 'account create --username ann --email ann@example.org --password-stdin';
  const created = await runShell(
    `echo 'a long password' | npm run --silent operator -- ${account}
     npm run --silent operator -- --json application create --owner ann --name Umbrella --plan storm`,
    environment,
  );
  const credentials = JSON.parse(/^\{"clientId".*\}$/m.exec(created)?.[0] ?? '{}') as {
    clientId: string;
    clientSecret: string;
  };
  const token = await fetchToken(baseUrl, credentials);
  const call = apiCaller(baseUrl, token);

  const weather = (lat: number) => `/v2/weather/?location_lat=${lat}&location_lng=${turin.lng}`;

  // Metrics move with load.
  const count = async () => {
    const labels = { route: '/v2/weather/', status: '2xx' };
    return (await scrape(metricsUrl))('rainbell_http_request_duration_seconds_count', labels);
  };
  const before = await count();
  for (let index = 0; index < 20; index += 1) expect((await call('GET', weather(44))).status).toBe(200);
  await expect.poll(async () => (await count()) - before).toBe(20);

  // It rains, so the receiver gets an event.
  const endpoint = await startCallbackEndpoint();
  const monitor = { monitor_type: 'precipitation', callback_uri: endpoint.url, geo: turin };
  const { id } = (await call('POST', '/v2/monitors/', monitor)).json as { id: string };
  const [event] = await endpoint.waitFor(1);
  const resend = `/v2/monitors/${id}/events/${String(event?.headers['webhook-id'])}/resend/`;
  const isResent = async () => (await call('POST', resend)).status;

  // Backup, then a change that the restore undoes.
  const RESTORED = url.replace(/[^/]+$/, 'rainbell_restored');
  const shell = {
    ...environment,
    RAINBELL_DATABASE: url,
    RAINBELL_DATABASE_FILE: '',
    BACKUP: temporaryFolder(),
    RESTORED,
  };
  const [backUp = '', restore = ''] = commandsOf('PostgreSQL');
  await runShell(backUp, shell);
  expect((await call('DELETE', `/v2/monitors/${id}/`)).status).toBe(204);
  await stop();
  expect(await runShell(restore, shell)).toContain('The current keys can decrypt all of them.');

  setSecret('database', RESTORED);
  setSecret('secret-key', 'the second key of the service,the first key of the service');
  const stopRestored = await start(environment, baseUrl);
  const [rotate = ''] = commandsOf('Rotate the key', 1);
  const rotated = await runShell(rotate, environment);
  expect(rotated).toContain('Encrypted with the first key');
  expect(rotated).toContain('The current keys can decrypt all of them.');
  await stopRestored();
  setSecret('secret-key', 'the second key of the service');
  const stopLast = await start(environment, baseUrl);
  expect((await call('GET', '/v2/monitors/')).json).toMatchObject({ objects: [{ id }] });
  await expect.poll(isResent).toBe(202);
  await endpoint.waitFor(2);
  await stopLast();
});
