// Providers that answer, refuse, hang or babble: the client gets right weather, the next source's, or a sentence; never a 500.
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '#test/core/manual-clock.ts';
import { openMeteoBody } from './providers/open-meteo/open-meteo-body.ts';
import { serveWeatherOf, startWeatherService } from './weather-harness.ts';

const recorded = readFileSync(
  new URL('../../fixtures/open-meteo/clear-night-then-overcast-alps.json', import.meta.url),
  'utf8',
);
/** The recording's present: 21:15 in a zone one hour ahead. */
const recordedNow = Date.parse('2025-02-05T20:15:00Z');

describe('the choice "auto"', () => {
  it('answers within a second when every provider takes the request and stays silent', async () => {
    const requests: ServerResponse[] = [];
    const silent = await serveWeatherOf((_request, response) => void requests.push(response));
    const urls = { openMeteoUrl: silent, metNorwayUrl: silent, metarUrl: silent };
    const settings = { ...urls, metNorwayContact: 'weather@example.org' };
    const clock = createManualClock(recordedNow);
    const service = await startWeatherService(settings, clock);
    const points = service.points(60, 11);
    await expect.poll(() => requests.length).toBe(3);
    clock.advance(1_000);
    expect((await points)[0]?.sources).toEqual(['simulation']);
    // It did not wait for their ends.
    await service.sandbox('GET', 'state');
    expect(requests.filter(({ closed }) => closed)).toEqual([]);
  });
});

const oslo = readFileSync(
  new URL('../../fixtures/met-norway/compact-clear-night-oslo.excerpt.json', import.meta.url),
  'utf8',
);
const osloNow = Date.parse('2023-11-17T19:10:00Z');
const metNorwayContact = 'weather@example.org';

describe('a provider that hangs', () => {
  it('does not keep the next one from answering within a second', async () => {
    const clock = createManualClock(osloNow);
    let hanging: ServerResponse | undefined;
    const openMeteoUrl = await serveWeatherOf((_request, response) => {
      hanging = response;
      clock.advance(300);
    });
    const metNorwayUrl = await serveWeatherOf((_request, response) => response.end(oslo));
    const settings = { openMeteoUrl, metNorwayUrl, metNorwayContact };
    const service = await startWeatherService(settings, clock);
    expect((await service.points(59.92, 10.73))[0]?.sources).toEqual(['met-norway']);
    await service.sandbox('GET', 'state');
    expect(hanging?.closed).toBe(false);
  });

  it('leaves clients with what it said before, and its late answer is there for the next', async () => {
    const waiting: (() => void)[] = [];
    let isSlow = false;
    const clock = createManualClock(recordedNow);
    const openMeteoUrl = await serveWeatherOf((_request, response) => {
      if (!isSlow) return void response.end(recorded);
      waiting.push(() => response.end(recorded.replace('"latitude":48.0', '"latitude":48.02')));
      clock.advance(250);
    });
    const service = await startWeatherService({ openMeteoUrl }, clock);
    const before = await service.points(48, 15);
    isSlow = true;
    await service.sandbox('POST', 'clock', { kind: 'advance', seconds: 16 * 60 });
    const meanwhile = await service.points(48, 15);
    expect(meanwhile.at(-1)?.weather).toEqual(before.at(-1)?.weather);
    expect(meanwhile[0]?.geo.coordinates[1]).toBe(48);
    for (const answer of waiting) answer();
    await expect.poll(async () => (await service.points(48, 15))[0]?.geo.coordinates[1]).toBe(48.02);
    expect(waiting).toHaveLength(1);
  });
});

describe('a chosen provider', () => {
  it('that asked to be left alone is, for as long as it said, and once it answered its last data are served', async () => {
    let asked = 0;
    let isDown = true;
    const openMeteoUrl = await serveWeatherOf((_request, response) => {
      asked += 1;
      response.writeHead(isDown ? 429 : 200, isDown ? { 'retry-after': '300' } : {});
      response.end(isDown ? '{"error":true,"reason":"Minutely API request limit exceeded."}' : recorded);
    });
    const service = await startWeatherService({ provider: 'open-meteo', openMeteoUrl }, createManualClock(recordedNow));
    const query = '?location_lat=48&location_lng=15';
    for (const _attempt of [1, 2, 3]) {
      const answer = await service.get(query);
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '300']);
      expect(await answer.text()).toContain('Minutely API request limit exceeded');
    }
    isDown = false;
    await service.sandbox('POST', 'clock', { kind: 'advance', seconds: 299 });
    expect((await service.get(query)).status).toBe(503);
    expect(asked).toBe(1);
    await service.sandbox('POST', 'clock', { kind: 'advance', seconds: 2 });
    expect((await service.points(48, 15))[0]?.sources).toEqual(['open-meteo']);
    isDown = true;
    await service.sandbox('POST', 'clock', { kind: 'advance', seconds: 16 * 60 });
    expect((await service.points(48, 15))[0]?.sources).toEqual(['open-meteo', 'stored']);
  });

  it('that is gone, or hangs for four seconds, gives 503 with a sentence and a time to come back', async () => {
    const clock = createManualClock();
    const requests: ServerResponse[] = [];
    const openMeteoUrl = await serveWeatherOf((_request, response) => {
      if (requests.push(response) === 1) response.destroy();
      else clock.advance(4_000);
    });
    const service = await startWeatherService({ provider: 'open-meteo', openMeteoUrl }, clock);
    for (const reason of ['it could not be reached', 'the request timed out']) {
      const answer = await service.get('?location_lat=45&location_lng=7');
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60']);
      expect(await answer.json()).toEqual({
        error: 'temporarily_unavailable',
        error_description: expect.stringContaining(`open-meteo failed: ${reason}`),
      });
      clock.advance(3_000);
    }
    // It did not wait for the end of the request, and the next one gets its late response.
    requests.at(-1)?.end(openMeteoBody({ lat: 45, lng: 7 }, clock.now()));
    await expect.poll(async () => (await service.get('?location_lat=45&location_lng=7')).status).toBe(200);
  });
});
