// The services of deploy/compose.yaml as processes, with its environment, the image's, and the proxy's configuration; then observed,
// backed up, restored, and given a new key, as docs/operations.md says. Containers themselves are not run.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { projectFolder } from '#scripts/tool.mjs';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { apiCaller, fetchToken, turin } from '#test/service/monitor-service.ts';
import { missingParser, scrape } from '#test/service/operations/open-metrics.ts';
import { freePorts } from '#test/setup/free-ports.ts';
import { quickStart } from '#test/setup/quick-start.ts';
import { unreachableProviders } from '#test/story/service-process.ts';
import { commandsOf, missingServer, runShell, startDebianPostgres } from './drill.ts';
import { missingProxy, startProxy } from './proxy.ts';

beforeEach(({ skip }) => {
  const missing = missingProxy ?? missingServer ?? missingParser;
  skip(missing !== undefined, missing);
});

type Environment = Record<string, string>;
type ComposedService = {
  environment: Environment;
  secrets?: string[];
  command?: string[];
  volumes?: string[];
  ports?: string[];
};
type Compose = {
  services: Record<'migrate' | 'service-1' | 'service-2' | 'proxy' | 'postgres', ComposedService> & {
    prometheus: Omit<ComposedService, 'environment'>;
  };
  networks: { inside: { ipam: { config: { subnet: string }[] } } };
  secrets: Record<string, { file: string }>;
};

const deploy = join(projectFolder, 'deploy');
const read = (file: string) => readFileSync(join(deploy, file), 'utf8');
const { services, networks, secrets } = parse(read('compose.yaml'), { merge: true }) as Compose;
/** What the image sets. */
const imageEnvironment = Object.fromEntries(
  [...read('Containerfile').matchAll(/^(?:ENV| {3,})\s*([A-Z_]+)=(\S+)( \\)?$/gm)].map(([, name = '', value = '']) => [
    name,
    value,
  ]),
);
const serviceNames = ['service-1', 'service-2'] as const;
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

  const { proxy, prometheus, 'service-1': first } = services;
  const targets = [...read('prometheus.yml').matchAll(/'([\w-]+):(\d+)'/g)].map(([, host, port]) => [host, port]);
  const metricsPort = portOf(first.environment['RAINBELL_METRICS_ADDRESS']);
  expect(targets).toEqual(serviceNames.map((name) => [name, metricsPort]));
  const wanted = new Set([...read('haproxy.cfg').matchAll(/"\$\{(\w+)\}"/g)].map(([, name = '']) => name));
  expect(new Set(Object.keys(proxy.environment))).toEqual(wanted);
  const servers = [1, 2].map((number) => proxy.environment[`RAINBELL_SERVER_${number}`]);
  expect(servers).toEqual(serviceNames.map((name) => `${name}:${imageEnvironment['RAINBELL_PORT']}`));
  const published = portOf(first.environment['RAINBELL_PUBLIC_URL']);
  expect([proxy.environment['RAINBELL_PROXY_BIND'], proxy.ports]).toEqual([
    `*:${published}`,
    [`${published}:${published}`],
  ]);
  expect(networks.inside.ipam.config[0]?.subnet).toBe(first.environment['RAINBELL_TRUSTED_PROXIES']);
  const mounted = [...(proxy.volumes ?? []), ...(prometheus.volumes ?? [])].map((volume) => volume.split(':')[0] ?? '');
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
  const url = await startDebianPostgres();
  const { POSTGRES_USER: role = '', POSTGRES_DB: name = '' } = services.postgres.environment;
  await runShell(`psql "$ADMIN" --command="create role ${role} login superuser"`, { ADMIN: url });
  const own = url.replace('postgres@', `${role}:a-password@`).replace(/[^/]+$/, name);
  const folder = temporaryFolder();
  const secretFiles = { database: own, 'secret-key': 'the first key of the fleet', 'postgres-password': 'a-password' };
  const setSecret = (secret: string, text: string) => writeFileSync(join(folder, secret), `${text}\n`);
  for (const [secret, text] of Object.entries(secretFiles)) setSecret(secret, text);

  const provider = await startCallbackEndpoint((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(rain(Date.now()));
  });
  const [proxyPort = 0, ...ports] = await freePorts(5);
  const proxy = await startProxy(proxyPort, [ports[0] ?? 0, ports[1] ?? 0, 9]);
  const withoutOurs = Object.entries(process.env).filter(([key]) => !key.startsWith('RAINBELL_'));
  /** The environment of the image and of compose.yaml, with the addresses of this machine. */
  const environmentOf = (service: 'migrate' | (typeof serviceNames)[number], index = 0): Record<string, string> => {
    const composed = Object.entries({ ...imageEnvironment, ...services[service].environment });
    return {
      ...(Object.fromEntries(withoutOurs) as Record<string, string>),
      ...Object.fromEntries(composed.map(([key, value]) => [key, value.replace(secretsFolder, `${folder}/`)])),
      ...unreachableProviders,
      RAINBELL_PORT: String(ports[index]),
      RAINBELL_METRICS_ADDRESS: `127.0.0.1:${ports[index + 2]}`,
      // Compose replaces it by nothing.
      RAINBELL_DATA: temporaryFolder(),
      RAINBELL_PUBLIC_URL: proxy.url,
      RAINBELL_TRUSTED_PROXIES: '127.0.0.1',
      RAINBELL_CALLBACK_ALLOWLIST: '127.0.0.1',
      RAINBELL_OPEN_METEO_URL: `http://127.0.0.1:${provider.port}`,
      RAINBELL_OPEN_METEO_BATCH: '1',
      RAINBELL_PROVIDER: 'open-meteo',
      RAINBELL_SWEEP_SECONDS: '5',
      RAINBELL_LOG_LEVEL: 'warn',
    };
  };
  const metricsUrls = serviceNames.map((_, index) => `http://127.0.0.1:${ports[index + 2]}/metrics`);
  return { url: own, setSecret, proxy, ports, environmentOf, metricsUrls };
}

type Prepared = Awaited<ReturnType<typeof prepare>>;

function run(environment: Readonly<Record<string, string>>, command: readonly string[] = []) {
  const child = spawn(process.execPath, [...quickStart, entry, ...command], {
    cwd: projectFolder,
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
  return { child, ended: once(child, 'exit').then(([code]) => ({ code: code as number | null, complaints })) };
}

/** Both processes, or those named, ready behind the proxy. */
async function startFleet(
  { environmentOf, ports }: Prepared,
  names: readonly (typeof serviceNames)[number][] = serviceNames,
  changes: Readonly<Record<string, string>> = {},
) {
  const started = names.map((name, index) =>
    run({ ...environmentOf(name, index), ...changes }, services[name].command),
  );
  onTestFinished(async () => {
    for (const { child, ended } of started) await kill(child, ended);
  });
  for (const port of ports.slice(0, names.length)) {
    await expect
      .poll(async () => (await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined))?.status, {
        timeout: 150_000,
        interval: 50,
      })
      .toBe(200);
  }
  return async () => {
    for (const { child } of started) child.kill('SIGTERM');
    for (const { ended } of started) expect(await ended).toMatchObject({ code: 0 });
  };
}

async function kill(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  await ended;
}

it('compose.yaml starts a fleet that is seen, backed up, restored, and given a new key', async () => {
  const prepared = await prepare();
  const { url, setSecret, proxy, environmentOf, metricsUrls } = prepared;
  // As `migrate` of compose.yaml, whose end the services wait for.
  const { migrate } = services;
  expect(await run(environmentOf('migrate'), migrate.command).ended).toMatchObject({ code: 0 });
  const stop = await startFleet(prepared);
  const account = 'account create --username ann --email ann@example.org --password-stdin';
  const created = await runShell(
    `echo 'a long password' | npm run --silent operator -- ${account}
     npm run --silent operator -- --json application create --owner ann --name Umbrella --plan storm`,
    environmentOf('service-1'),
  );
  const credentials = JSON.parse(/^\{.*\}$/m.exec(created)?.[0] ?? '{}') as {
    clientId: string;
    clientSecret: string;
  };
  const token = await fetchToken(proxy.url, credentials);
  const call = apiCaller(proxy.url, token);

  const weather = (lat: number) => `/v2/weather/?location_lat=${lat}&location_lng=${turin.lng}`;

  // Metrics move with load, wherever the proxy sends it.
  const count = async () => {
    const scrapes = await Promise.all(metricsUrls.map(scrape));
    const labels = { route: '/v2/weather/', status: '2xx' };
    return scrapes.reduce((sum, one) => sum + one('rainbell_http_request_duration_seconds_count', labels), 0);
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
    ...environmentOf('service-1'),
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

  // All processes are down, so both open the old key at once with the new one.
  setSecret('database', RESTORED);
  setSecret('secret-key', 'the second key of the fleet,the first key of the fleet');
  const quick = { RAINBELL_DRAIN_SECONDS: '0' };
  const stopRestored = await startFleet(prepared, serviceNames, quick);
  const [rotate = ''] = commandsOf('Rotate the key', 1);
  const rotated = await runShell(rotate, environmentOf('service-1'));
  expect(rotated).toContain('Encrypted with the first key');
  expect(rotated).toContain('The current keys can decrypt all of them.');
  await stopRestored();
  setSecret('secret-key', 'the second key of the fleet');
  const stopLast = await startFleet(prepared, ['service-1'], quick);
  // The proxy notices within its checks.
  await expect.poll(async () => (await call('GET', '/v2/monitors/')).json).toMatchObject({ objects: [{ id }] });
  await expect.poll(isResent).toBe(202);
  await endpoint.waitFor(2);
  await stopLast();
});
