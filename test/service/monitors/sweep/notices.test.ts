// What processes on one PostgreSQL tell each other, and what comes of a report of the weather.
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { startWeatherService } from '#test/service/weather/weather-harness.ts';
import { startDatabaseProxy } from '#test/service/database/database-proxy.ts';
import { newDatabase } from '#test/service/engines.ts';
import { fetchToken, turin } from '#test/service/monitor-service.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

async function postgresUrl(): Promise<string> {
  const location = await newDatabase('postgres', temporaryFolder());
  if (!('url' in location)) throw new Error('This test needs PostgreSQL.');
  return location.url;
}

async function openOn(url: string) {
  const database = await openServiceDatabase({ url, clock: systemClock, log: pino({ level: 'silent' }) });
  onTestFinished(() => database.close());
  const received: string[] = [];
  let gaps = 0;
  database.notices.listen('report', {
    onNotice: (text) => void received.push(text),
    onGap: () => void (gaps += 1),
  });
  return { notices: database.notices, received, gaps: () => gaps };
}

it('a notice reaches the other processes once, many together too, and a process that was cut off is informed of the gap', async () => {
  const url = await postgresUrl();
  const proxy = await startDatabaseProxy(url);
  proxy.restore();
  const [one, other] = [await openOn(url), await openOn(proxy.url)];
  let said = 0;
  const isHeard = () => {
    one.notices.send('report', `first ${(said += 1)}`);
    return other.received.length > 0;
  };
  await expect.poll(isHeard).toBe(true);
  const many = Array.from({ length: 2_000 }, (_, index) => `place ${index}`);
  for (const text of many) one.notices.send('report', text);
  await expect.poll(() => other.received.filter((text) => text.startsWith('place'))).toEqual(many);
  expect(one.received).toEqual([]);

  proxy.cut();
  proxy.restore();
  await expect.poll(other.gaps).toBe(1);
  one.notices.send('report', 'after');
  await expect.poll(() => other.received.at(-1)).toBe('after');
});

it("a report changes the weather around it in every process, and leaves other places' answers", async () => {
  const databaseUrl = await postgresUrl();
  // The clock does not move, so an answer stays as it is until something changes it.
  const clock = createManualClock();
  const [one, other] = [
    await startWeatherService({ databaseUrl, provider: 'simulation' }, clock),
    await startWeatherService({ databaseUrl, provider: 'simulation' }, clock),
  ];
  const far = { lat: 60, lng: 20 };
  const hits = async () => ((await other.sandbox('GET', 'state')) as { cache: { hits: number } }).cache.hits;
  const sourceAt = async (service: typeof one) => (await service.points(turin.lat, turin.lng))[0]?.sources;
  // The place's name may come later, and only then is the answer kept.
  const isKept = async (place: typeof far) => {
    await other.points(place.lat, place.lng);
    const before = await hits();
    await other.points(place.lat, place.lng);
    return (await hits()) > before;
  };
  for (const place of [turin, far]) await expect.poll(() => isKept(place)).toBe(true);
  expect(await sourceAt(one)).toEqual(['simulation']);

  const { username, password } = one.introduction;
  const form = new URLSearchParams({ grant_type: 'password', username, password, scope: 'post_metag' });
  const token = await fetchToken(one.baseUrl, one.introduction, form.toString());
  const report = await fetch(`${one.baseUrl}/v2/metags/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ geo: turin, weather: { status: 'snowy' } }),
  });
  expect(report.status).toBe(201);
  expect(await sourceAt(one)).toContain('metag');
  await expect.poll(() => sourceAt(other)).toContain('metag');
  const before = await hits();
  await other.points(far.lat, far.lng);
  expect(await hits()).toBe(before + 1);
});
