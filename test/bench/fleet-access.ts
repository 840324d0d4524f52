// The parts of the fleet's bench that need whole services or their access check: shared lookups of weather (goal 19), revocations
// (20), token grants (21), and memory and start of each role.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createInterface } from 'node:readline';
import { type ServiceAnnouncement, serviceAnnouncementSchema } from '#contract/service-api/sandbox.ts';
import { systemClock } from '#shared/time/clock.ts';
import { configWith } from '#service/config/config.ts';
import { createAccessCheck } from '#service/oauth/access-check.ts';
import { createTokenStore } from '#service/oauth/token-store.ts';
import { standardPolicy } from '#service/watch/policy.ts';
import { createObservedWeather } from '#service/weather/sources/observed-weather.ts';
import { createStoredWeather } from '#service/weather/stored/stored-weather.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { atMost, type BenchOptions, type BenchRow, assess, median, unmeasured } from './bench-row.ts';
import { fillApplication, type FleetDatabases } from './fleet-database.ts';
import { measure, silentLog } from './monitor-database.ts';
import { usageOfTree } from './process-tree.ts';

type Say = BenchOptions['say'];

const project = fileURLToPath(new URL('../..', import.meta.url));
const pause = (milliseconds: number) => new Promise<void>((resolve) => void systemClock.after(milliseconds, resolve));

export async function benchAccess(databases: FleetDatabases, isQuick: boolean, say: Say): Promise<BenchRow[]> {
  const rounds = isQuick ? 1 : 3;
  return [
    ...(await orFailed('19', () => benchLookups(databases, say))),
    ...(await orFailed('20', async () => [await benchRevocations(databases, rounds, say)])),
    ...(await orFailed('21', async () => [await benchGrants(databases, rounds, say)])),
    ...(await orFailed('13', () => benchRoles(databases, rounds, say))),
  ];
}

/** A part that fails, as on a machine that is too busy, must not lose the others. */
export async function orFailed(goal: string, part: () => Promise<BenchRow[]>): Promise<BenchRow[]> {
  try {
    return await part();
  } catch (error) {
    const subject = { goal, what: `a part of the fleet for goal ${goal}`, baseline: '–', limit: atMost(1) };
    return [unmeasured(subject, 'failed', error instanceof Error ? error.message : String(error))];
  }
}

const recorded: unknown = JSON.parse(
  readFileSync(new URL('../fixtures/open-meteo/clear-night-then-overcast-alps.json', import.meta.url), 'utf8'),
);
const recordedAt = Date.parse('2025-02-05T20:15:00Z');

async function benchLookups(databases: FleetDatabases, say: Say): Promise<BenchRow[]> {
  const asked: number[] = [];
  const provider = createServer((request, response) => {
    const query = new URL(request.url ?? '', 'http://provider').searchParams;
    const count = (query.get('longitude') ?? '').split(',').length;
    asked.push(count);
    response.end(JSON.stringify(count === 1 ? recorded : Array.from({ length: count }, () => recorded)));
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  const openMeteoUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const nowhere = 'http://127.0.0.1:9';
  const url = await databases.create();
  const clock = createManualClock(recordedAt);
  const start = async () => {
    const database = await databases.open(url);
    const settings = {
      openMeteoUrl,
      metNorwayUrl: nowhere,
      metarUrl: nowhere,
      provider: 'open-meteo',
      openMeteoBatch: 1_000,
    } as const;
    const weather = createObservedWeather({
      config: configWith({ ...settings, weatherMemoryCells: 5_000 }),
      policy: standardPolicy,
      clock,
      machineClock: systemClock,
      log: silentLog,
      stored: createStoredWeather({ database, clock, log: silentLog, maxRows: 10_000 }),
      random: () => 0.5,
    });
    return { database, weather };
  };
  const processes = [await start(), await start()];
  const places = Array.from({ length: 200 }, (_, index) => ({ lat: 45, lng: index / 2 }));
  // Few at a time: a request that the machine delays for seconds counts as failed.
  for (let start = 0; start < places.length; start += 10) {
    const some = places.slice(start, start + 10);
    await Promise.all(processes.flatMap(({ weather }) => some.map((place) => weather.weatherOf(place))));
  }
  const perCell = asked.reduce((sum, count) => sum + count, 0) / places.length;
  asked.length = 0;
  const many = Array.from({ length: 2_000 }, (_, index) => ({
    lat: 10 + Math.floor(index / 1_000),
    lng: (index % 1_000) / 5 - 100,
  }));
  await Promise.all(processes.map(({ weather }) => weather.prepare(many)));
  const perMany = asked.reduce((sum, count) => sum + count, 0) / many.length;
  say(`lookups: ${perCell.toFixed(2)} a cell; ${asked.length} requests for 2,000 cells that are due together`);
  for (const { database, weather } of processes) {
    await weather.endRequests();
    await weather.close();
    await database.close();
  }
  provider.close();
  provider.closeAllConnections();
  const what = 'the same 200 cold cells requested from 2 processes at once, provider requests';
  return [
    assess({ goal: '19', what, baseline: '1 per cell', limit: atMost(1) }, [perCell]),
    assess(
      {
        goal: '19',
        what: '2,000 cells due at once in 2 processes, locations requested',
        baseline: '1 per cell',
        limit: atMost(1),
        note: `in ${asked.length} requests`,
      },
      [perMany],
    ),
  ];
}

/** 2,000 hot requests a second with 600 tokens, as the fast path and its fallback check them. */
async function benchRevocations(databases: FleetDatabases, rounds: number, say: Say): Promise<BenchRow> {
  const url = await databases.create();
  const [own, other] = [await databases.open(url), await databases.open(url)];
  await fillApplication(own.db);
  const tokens = createTokenStore({ db: own.db, clock: systemClock, lifetimes: configWith({}), onRevoked: () => {} });
  const revoker = createTokenStore({
    db: other.db,
    clock: systemClock,
    lifetimes: configWith({}),
    onRevoked: () => {},
  });
  const issue = async (count: number) => {
    const issued: { grantId: string; token: string }[] = [];
    for (let index = 0; index < count; index += 1) {
      const grant = await tokens.createGrant({
        applicationId: 'application',
        accountId: null,
        kind: 'client_credentials',
        scope: [],
      });
      issued.push({ grantId: grant.id, token: await tokens.issueAccessToken(grant, []) });
    }
    return issued;
  };
  const used = await issue(600);
  const victims = await issue(20 + rounds * 40);
  const check = createAccessCheck({ db: own.db, clock: systemClock, machineClock: systemClock, tokens });
  const hot = async () => {
    for (let batch = 0; batch < 150; batch += 1) {
      for (let index = 0; index < 40; index += 1) {
        const { token } = used[(batch * 40 + index) % used.length] as (typeof used)[0];
        if (!check.peek(token) && !(await check.find(token))) throw new Error('A token that counts was refused.');
      }
      await pause(20);
    }
  };
  await hot();
  // What revoking costs is measured apart, because it is another process's.
  const some = victims.splice(0, 20);
  const alone = await measure(async () => {
    for (const { grantId } of some) await revoker.revoke({ grantId });
  });
  const revokingMs = alone.cpuMilliseconds / some.length;
  const seen: [quiet: number, busy: number][] = [];
  for (let round = 0; round < rounds; round += 1) {
    const quiet = await measure(hot);
    let revoked = 0;
    let isOver = false;
    const revoking = (async () => {
      for (const { grantId } of victims.splice(0, 40)) {
        if (isOver) return;
        await revoker.revoke({ grantId });
        revoked += 1;
        await pause(100);
      }
    })();
    const busy = await measure(hot);
    isOver = true;
    await revoking;
    const busyMs = busy.cpuMilliseconds - revoked * revokingMs;
    seen.push([(quiet.cpuMilliseconds * 1000) / 6_000, (busyMs * 1000) / 6_000]);
    say(`hot request: ${seen.at(-1)?.[0].toFixed(1)} µs, ${seen.at(-1)?.[1].toFixed(1)} µs while tokens are revoked`);
  }
  await own.close();
  await other.close();
  const note = `${median(seen.map(([, busy]) => busy)).toFixed(1)} and ${median(seen.map(([quiet]) => quiet)).toFixed(1)} µs at 2,000 requests a second`;
  return assess(
    {
      goal: '20',
      what: 'token check of a hot request while 10 other tokens per second are revoked, CPU',
      baseline: 'no revocations',
      limit: atMost(1.1),
      note,
    },
    seen.map(([quiet, busy]) => busy / quiet),
  );
}

type Service = ServiceAnnouncement & { child: ChildProcess; startMs: number; stop(): Promise<void> };

/** As `npm run service` starts it: a bundle, if there is a fresh one. */
async function startService(url: string, role: string): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), 'rainbell-fleet-'));
  const quickStart = new URL('../../scripts/quick-start.mjs', import.meta.url).href;
  const args = [
    '--import',
    quickStart,
    join(project, 'service/main.ts'),
    '--json',
    '--port',
    '0',
    '--provider',
    'simulation',
  ];
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...args, '--role', role, '--data', folder, '--database', url], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, RAINBELL_SECRET_KEY: 'a key for the bench of a fleet' },
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const startMs = performance.now() - startedAt;
  return {
    ...serviceAnnouncementSchema.parse(JSON.parse(line)),
    child,
    startMs,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** What a grant took before client credentials stopped storing rows, quiet, on PostgreSQL: 820 to 990 µs. */
const grantBefore = 905;

async function benchGrants(databases: FleetDatabases, rounds: number, say: Say): Promise<BenchRow> {
  const service = await startService(await databases.create(), 'all');
  const authorization = `Basic ${Buffer.from(`${service.clientId}:${service.clientSecret}`).toString('base64')}`;
  const body = 'grant_type=client_credentials';
  const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
  const grant = async () => {
    const response = await fetch(`${service.baseUrl}/token/`, { method: 'POST', headers, body });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`POST /token/ returned ${response.status}.`);
  };
  const grants = async (count: number) => {
    let left = count;
    const lane = async () => {
      while ((left -= 1) >= 0) await grant();
    };
    await Promise.all(Array.from({ length: 16 }, lane));
  };
  await grants(2_000);
  const costs: [service: number, server: number][] = [];
  const own = () => usageOfTree(service.child.pid ?? 0).cpuMicroseconds;
  for (let round = 0; round < rounds; round += 1) {
    const [before, serverBefore] = [own(), databases.cpuMilliseconds()];
    await grants(3_000);
    costs.push([(own() - before) / 3_000, ((databases.cpuMilliseconds() - serverBefore) * 1000) / 3_000]);
    say(
      `grant: ${costs
        .at(-1)
        ?.map((cost) => cost.toFixed(0))
        .join(' + ')} µs`,
    );
  }
  await service.stop();
  const note = costs.map((cost) => cost.map((part) => part.toFixed(0)).join(' + ')).join(', ');
  return assess(
    {
      goal: '21',
      what: 'token grant, client credentials, CPU of the service and the database',
      baseline: `${grantBefore} µs, as measured on 2026-11-22`,
      limit: atMost(0.5),
      note: `${note} µs`,
    },
    costs.map(([ours, server]) => (ours + server) / grantBefore),
  );
}

async function benchRoles(databases: FleetDatabases, rounds: number, say: Say): Promise<BenchRow[]> {
  const roles = ['all', 'api', 'sweeper', 'sender'] as const;
  const url = await databases.create();
  const seen = new Map<string, { startMs: number; megabytes: number; cpuMs: number }[]>();
  for (let round = -1; round < rounds; round += 1) {
    for (const role of roles) {
      const service = await startService(url, role);
      const cpuMs = usageOfTree(service.child.pid ?? 0).cpuMicroseconds / 1000;
      await pause(4_000);
      const megabytes = usageOfTree(service.child.pid ?? 0).rssBytes / 2 ** 20;
      await service.stop();
      if (round >= 0) seen.set(role, [...(seen.get(role) ?? []), { startMs: service.startMs, megabytes, cpuMs }]);
    }
  }
  const middle = (role: string, what: 'startMs' | 'megabytes' | 'cpuMs') =>
    median((seen.get(role) ?? []).map((one) => one[what]));
  for (const role of roles) {
    say(
      `${role}: ${middle(role, 'startMs').toFixed(0)} ms, ${middle(role, 'cpuMs').toFixed(0)} ms CPU, ${middle(role, 'megabytes').toFixed(0)} MB`,
    );
  }
  return roles.slice(1).flatMap((role) => [
    assess(
      {
        goal: '13',
        isBeside: true,
        what: `startup with the \`${role}\` role on PostgreSQL, CPU`,
        baseline: 'the `all` role',
        limit: atMost(1.1),
        note: `${middle(role, 'cpuMs').toFixed(0)} and ${middle('all', 'cpuMs').toFixed(0)} ms; ${middle(role, 'startMs').toFixed(0)} ms to its first line of output`,
      },
      (seen.get(role) ?? []).map(({ cpuMs }, round) => cpuMs / (seen.get('all')?.[round]?.cpuMs ?? Number.NaN)),
    ),
    assess(
      {
        goal: '22',
        isBeside: true,
        what: `memory with the \`${role}\` role on PostgreSQL, 4 s after startup`,
        baseline: 'the `all` role',
        limit: atMost(1.1),
        note: `${middle(role, 'megabytes').toFixed(0)} and ${middle('all', 'megabytes').toFixed(0)} MB`,
      },
      (seen.get(role) ?? []).map(
        ({ megabytes }, round) => megabytes / (seen.get('all')?.[round]?.megabytes ?? Number.NaN),
      ),
    ),
  ]);
}
