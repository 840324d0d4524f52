// A Redis that processes share (RAINBELL_CACHE): what they keep there, and how they go on without it. Debian's redis-server.
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import tls from 'node:tls';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import { openSharedCache } from '#service/cache/shared-cache.ts';
import { createFleetCounters } from '#service/limits/fleet-counters.ts';
import { createRedisCounters } from '#service/limits/redis-counters.ts';
import { createRedisWeather } from '#service/weather/stored/redis-weather.ts';
import { createStoredWeather } from '#service/weather/stored/stored-weather.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { freePorts } from '#test/setup/free-ports.ts';
import { fetchAccessToken, spawnService, startServiceProcess } from '#test/story/service-process.ts';
import { startDatabaseProxy } from './database-proxy.ts';
import { newDatabase } from '../engines.ts';
import { apiCaller, temporaryFolder, turin } from '../monitor-service.ts';
import { missingRedis, redisPassword, type RedisServer, startRedis } from './redis.ts';

let redis: RedisServer;
beforeAll(async () => {
  if (missingRedis === undefined) redis = await startRedis();
});
afterAll(async () => redis?.stop());
beforeEach(({ skip }) => skip(missingRedis !== undefined, missingRedis));

/** A cache of its own, with what it logs. On a busy machine, an answer may take long. */
async function openCache({ url = redis.url, patienceMs = 30_000, namespace = randomUUID() as string } = {}) {
  const lines: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const cache = await openSharedCache({ url, namespace, clock: systemClock, log, timeoutMs: patienceMs });
  onTestFinished(() => cache.close());
  const logged = (level: number) =>
    lines.map((line) => JSON.parse(line) as { level: number; msg: string }).filter((line) => line.level === level);
  return { cache, namespace, logged, text: () => lines.join('') };
}

async function openConnectedCache(options: Parameters<typeof openCache>[0] = {}) {
  const opened = await openCache(options);
  await expect.poll(() => opened.cache.isAway()).toBe(false);
  return opened;
}

const log = pino({ level: 'silent' });
const minute = 60_000;

describe('readings in Redis', () => {
  const now = Date.parse('2026-11-21T06:00:00Z');

  async function openStored(mostRows: number, options: Parameters<typeof openCache>[0] = {}) {
    const { cache, namespace } = await openConnectedCache(options);
    const clock = createManualClock(now);
    const database = await openServiceDatabase({
      ...(await newDatabase('sqlite', await temporaryFolder())),
      clock,
      log,
    });
    onTestFinished(database.close);
    const fallback = createStoredWeather({ database, clock, log, maxRows: mostRows });
    const keys = async () => (await cache.run((client) => client.keys(`*${namespace}*`))) ?? [];
    return { ...createRedisWeather({ cache, clock, maxRows: mostRows, fallback }), cache, namespace, database, keys };
  }

  it('come back as they were, and stay within their number and age', async () => {
    const { store, cache, database, keys } = await openStored(20);
    const reading = (index: number) => ({ fetchedAt: now + index * 1000, words: 'línea\ncon nueva línea', index });
    for (let index = 0; index < 50; index += 1) await store.save('open-meteo', `cell ${index}`, reading(index));
    await store.save('met-norway', 'cell 49', { ...reading(49), words: 'other' });
    expect(await store.load('open-meteo', 'cell 49')).toEqual(reading(49));
    expect(await store.load('met-norway', 'cell 49')).toMatchObject({ words: 'other' });
    expect(await store.load('open-meteo', 'cell 0')).toBeUndefined();
    const found = await store.loadMany('open-meteo', ['cell 0', 'cell 40', 'cell 41']);
    expect([...found.keys()]).toEqual(['cell 40', 'cell 41']);
    // 20 readings, and the list of them.
    const names = await keys();
    expect(names).toHaveLength(21);
    for (const name of names) {
      const leftMs = (await cache.run((client) => client.pttl(name))) ?? 0;
      expect(leftMs).toBeGreaterThan(0);
      expect(leftMs).toBeLessThanOrEqual(6 * 60 * minute);
    }
    expect(await database.db.selectFrom('weather_cache').select('cell').execute()).toEqual([]);
  });

  it('are looked up by one process at a time, and a claim is released only by its process', async () => {
    const { claims, store, namespace } = await openStored(20);
    expect(await claims.claim('open-meteo', ['a', 'b'])).toEqual(new Set(['a', 'b']));
    expect(await claims.claim('open-meteo', ['a', 'b', 'c'])).toEqual(new Set(['c']));
    const { claims: ofOthers } = await openStored(20, { namespace });
    expect(await ofOthers.claim('open-meteo', ['a'])).toEqual(new Set());
    await ofOthers.release('open-meteo', ['a']);
    expect(await claims.claim('open-meteo', ['a'])).toEqual(new Set());
    await store.save('open-meteo', 'a', { fetchedAt: now });
    await claims.release('open-meteo', ['a', 'b']);
    // A new reading needs no lookup.
    expect(await claims.claim('open-meteo', ['a', 'b'])).toEqual(new Set(['b']));
  });
});

describe('a process that loses Redis', () => {
  it('counts in the database meanwhile, warns once, and reconnects', async () => {
    const { cache, logged, text } = await openConnectedCache();
    const database = await openServiceDatabase({ ...(await newDatabase('postgres', '')), clock: systemClock, log });
    onTestFinished(database.close);
    const counters = createRedisCounters(
      cache,
      createFleetCounters({ ...database, machineClock: systemClock, log, timeoutMs: 60_000 }),
    );
    const endsAt = Date.now() + 60 * minute;
    const countedByDatabase = async () =>
      (await database.db.selectFrom('counters').select(['key', 'used']).orderBy('key').execute()).map(
        ({ key, used }) => `${key} ${used}`,
      );
    expect(await counters.add('day', 5, endsAt)).toBe(5);
    expect(await counters.add('day', 2, endsAt)).toBe(7);
    // The next window.
    expect(await counters.add('day', 1, endsAt + minute)).toBe(1);
    expect(await counters.read('day')).toMatchObject({ used: 1 });
    expect(await counters.add('day of yesterday', 1, Date.now() - minute)).toBe(1);
    expect(await counters.read('day of yesterday')).toBeUndefined();
    expect(await counters.addSince('failures', minute)).toMatchObject({ used: 1 });
    expect(await counters.addSince('failures', minute)).toMatchObject({ used: 2 });
    const read = await counters.read('failures');
    expect(read?.used).toBe(2);
    expect(read?.leftMs).toBeLessThanOrEqual(minute);
    expect(await counters.read('nothing')).toBeUndefined();
    counters.clear('failures');
    await expect.poll(() => counters.read('failures')).toBeUndefined();
    expect(await countedByDatabase()).toEqual([]);

    await redis.kill();
    await expect.poll(() => cache.isAway()).toBe(true);
    await expect.poll(() => counters.add('away', 5, endsAt)).toBe(5);
    expect(await counters.addSince('failures away', minute)).toMatchObject({ used: 1 });
    expect(await countedByDatabase()).toEqual(['away 5', 'failures away 1']);
    await redis.start();
    await expect.poll(() => cache.isAway()).toBe(false);
    expect(await counters.add('back', 3, endsAt)).toBe(3);
    expect(await countedByDatabase()).toEqual(['away 5', 'failures away 1']);
    expect(logged(40).map(({ msg }) => msg)).toEqual(['the cache is unavailable; continuing without it']);
    expect(logged(30).map(({ msg }) => msg)).toEqual(['the cache is available again']);
    expect(text()).not.toContain(redisPassword);
  });

  it('waits a bounded time for one that is silent, and then not at all', async () => {
    const { cache, logged } = await openConnectedCache({ patienceMs: 300 });
    const ping = () => cache.run((client) => client.ping());
    await expect.poll(ping).toBe('PONG');
    redis.pause();
    onTestFinished(() => redis.resume());
    expect(await ping()).toBeUndefined();
    expect(cache.isAway()).toBe(true);
    // Nothing is sent, so nothing has to be waited for.
    let isSent = false;
    expect(await cache.run(async () => (isSent = true))).toBeUndefined();
    expect(isSent).toBe(false);
    redis.resume();
    await expect.poll(ping).toBe('PONG');
    expect(logged(40)[0]).toMatchObject({ reason: 'no response in 300 ms' });
  });

  it('keeps a wrong password out of the log', async () => {
    const url = redis.url.replace(redisPassword, 'wrong-secret-of-redis');
    const { cache, logged, text } = await openCache({ url });
    await expect.poll(() => logged(40)).toMatchObject([{ reason: 'WRONGPASS' }]);
    expect(cache.isAway()).toBe(true);
    expect(text()).not.toContain('wrong-secret');
  });
});

it('connects with TLS, and trusts no unknown authority', async () => {
  const { cache, logged } = await openCache({ url: redis.secureUrl });
  await expect.poll(() => logged(40)).toMatchObject([{ reason: expect.stringContaining('CERT') as string }]);
  expect(cache.isAway()).toBe(true);

  const before = tls.getCACertificates('default');
  tls.setDefaultCACertificates([...before, redis.authority]);
  onTestFinished(() => tls.setDefaultCACertificates(before));
  const { cache: trusting } = await openConnectedCache({ url: redis.secureUrl });
  expect(await trusting.run((client) => client.ping())).toBe('PONG');
});

describe('service processes with RAINBELL_CACHE', () => {
  it('apply a revocation without their database, show whether Redis is available, and serve without it', async () => {
    const location = await newDatabase('postgres', '');
    if (!('url' in location)) throw new Error('This test needs PostgreSQL.');
    const proxy = await startDatabaseProxy(location.url);
    proxy.restore();
    const cacheFile = join(await temporaryFolder(), 'cache-url');
    await writeFile(cacheFile, `${redis.url}\n`);
    const [metricsPort = 0] = await freePorts(1);
    const start = async (url: string, environment: Record<string, string> = {}) => {
      const flags = ['--data', await temporaryFolder(), '--database', url, '--provider', 'simulation'];
      const service = await startServiceProcess(flags, { RAINBELL_CACHE_FILE: cacheFile, ...environment });
      onTestFinished(async () => void (await service.stop()));
      return service;
    };
    const [one, other] = await Promise.all([
      start(location.url, { RAINBELL_METRICS_ADDRESS: `127.0.0.1:${metricsPort}` }),
      start(proxy.url),
    ]);
    const ready = async ({ introduction: { baseUrl } }: typeof one) => {
      // A connection that was kept may be closed meanwhile.
      const response = await fetch(`${baseUrl}/health/ready`, { headers: { connection: 'close' } });
      return [response.status, await response.json()] as const;
    };
    await expect.poll(() => ready(one)).toMatchObject([200, { status: 'ready', cache: 'ok' }]);
    await expect.poll(() => ready(other)).toMatchObject([200, { status: 'ready', cache: 'ok' }]);
    const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    await expect.poll(metrics).toContain('\nrainbell_cache_up 1\n');

    const { baseUrl, clientId, clientSecret } = one.introduction;
    const token = await fetchAccessToken(one.introduction);
    const weather = `/v2/weather/?location_lat=${turin.lat}&location_lng=${turin.lng}`;
    const sendRequest = async ({ introduction }: typeof one) => {
      return (await apiCaller(introduction.baseUrl, token)('GET', weather, undefined, { connection: 'close' })).status;
    };
    await expect.poll(() => sendRequest(other)).toBe(200);
    proxy.cut();
    await expect.poll(() => ready(other)).toMatchObject([200, { status: 'degraded' }]);
    await expect.poll(() => sendRequest(other)).toBe(200);
    const revoked = await fetch(`${baseUrl}/token/revoke/`, {
      method: 'POST',
      headers: {
        connection: 'close',
        authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      },
      body: new URLSearchParams({ token }),
    });
    expect(revoked.status).toBe(200);
    // It no longer takes the token on trust, and cannot ask its database.
    await expect.poll(() => sendRequest(other)).toBe(503);
    proxy.restore();
    await expect.poll(() => sendRequest(other)).toBe(401);

    await redis.kill();
    await expect.poll(() => ready(one)).toMatchObject([200, { status: 'ready', cache: 'away' }]);
    await expect.poll(metrics).toContain('\nrainbell_cache_up 0\n');
    const fresh = await fetchAccessToken(one.introduction);
    expect((await apiCaller(baseUrl, fresh)('GET', weather)).status).toBe(200);
    await redis.start();
    await expect.poll(() => ready(one)).toMatchObject([200, { cache: 'ok' }]);
    expect(one.complaints() + other.complaints()).not.toContain(redisPassword);
  });

  it('end at the start with one sentence if the address is none, without its secret', async () => {
    const child = spawnService([], { RAINBELL_CACHE: 'http://:secret-of-redis@127.0.0.1' });
    let complaints = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
    const code = await new Promise((resolve) => void child.once('close', resolve));
    expect(code).not.toBe(0);
    expect(complaints).toContain('RAINBELL_CACHE must be a URL like redis://');
    expect(complaints).not.toContain('secret-of-redis');
  });
});
