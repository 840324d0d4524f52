// A provider that refuses one place, or garbles its weather: that place gets its fallback and is requested again later, and all others
// keep live weather. Only a provider that is down is left alone. The places are those of public bug reports: single coordinates fail.
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { LatLng } from '#contract/service-api/geo.ts';
import { instant, metDocument, symbol } from './providers/met-norway/met-documents.ts';
import { bodyFor, openMeteoBody, placesOf } from './providers/open-meteo/open-meteo-body.ts';
import { serveWeatherOf } from './weather-harness.ts';
import { now, openWeather } from './weather-parts.ts';

const second = 1_000;
const odd = { lat: 50, lng: 7 };
const others = Array.from({ length: 20 }, (_, index) => ({ lat: 45, lng: index }));
const error = '{"error":true,"reason":"API error: Something went wrong."}';
type Answer = (response: ServerResponse) => unknown;

const refusals: Record<string, Answer> = {
  '400': (response) => response.writeHead(400).end(error),
  '404': (response) => response.writeHead(404).end('{}'),
  '413': (response) => response.writeHead(413).end(),
  '414': (response) => response.writeHead(414).end(),
  '422': (response) => response.writeHead(422).end('{}'),
  'an error with 200': (response) => response.end(error),
  'a web page': (response) => response.end('<html>'),
  'no weather': (response) => response.end('{"latitude":50,"longitude":7}'),
  null: (response) => response.end('null'),
  'nothing but nulls': (response) => response.end(openMeteoBody(odd, now).replaceAll(/:\d+(\.\d+)?/g, ':null')),
  'ten megabytes': (response) => response.end(JSON.stringify({ latitude: 1, filler: 'x'.repeat(10_000_000) })),
  'a broken archive': (response) =>
    response
      .writeHead(200, { 'content-encoding': 'gzip' })
      .end(Buffer.concat([gzipSync(error).subarray(0, 12), Buffer.from('odd')])),
};

const outages: Record<string, Answer> = {
  '500': (response) => response.writeHead(500).end(),
  '503': (response) => response.writeHead(503).end(),
  '429': (response) => response.writeHead(429).end('{"error":true,"reason":"Minutely API request limit exceeded."}'),
  'a limit with 400': (response) =>
    response.writeHead(400).end('{"error":true,"reason":"Daily API request limit exceeded."}'),
  '403': (response) => response.writeHead(403).end(),
  nothing: (response) => response.destroy(),
  'half a body': (response) => {
    response.writeHead(200, { 'content-length': 300 }).write('{"latitude":50,');
    response.destroy();
  },
};

/** Open-Meteo, with this answer for a request that has the odd place. */
async function serveOpenMeteo(answer: { current: Answer | undefined }) {
  const requests: number[] = [];
  const openMeteoUrl = await serveWeatherOf((request, response) => {
    const places = placesOf(request);
    requests.push(places.length);
    if (answer.current && places.some(({ lat }) => lat === odd.lat)) return void answer.current(response);
    response.end(bodyFor(places, (place) => openMeteoBody(place, now)));
  });
  return { openMeteoUrl, requests };
}

async function startWith(answer: Answer | undefined) {
  const current = { current: answer };
  const { openMeteoUrl, requests } = await serveOpenMeteo(current);
  const parts = await openWeather({ provider: 'auto', openMeteoUrl });
  const sourceOf = async (place: typeof odd) => (await parts.pointsAt(place))[0]?.sources.join();
  return { ...parts, requests, sourceOf, answerWith: (next: Answer | undefined) => (current.current = next) };
}

describe('a place that the provider refuses', () => {
  it.each(Object.keys(refusals))('with %s has its fallback, and others keep live weather', async (name) => {
    const { sourceOf, weather } = await startWith(refusals[name]);
    expect(await sourceOf(odd)).toBe('simulation');
    expect(weather.observed.source.pause()).toBeUndefined();
    expect(await sourceOf({ lat: 45, lng: 7 })).toBe('open-meteo');
  });

  it('is requested again after 10 s, then 20 s, and so on up to an hour', async () => {
    const { precipitationAt, requests, clock, answerWith } = await startWith(refusals['400']);
    const look = async () => (await precipitationAt(odd)).isPrecipitating;
    const waits = [10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600, 3_600];
    expect(await look()).toBeNull();
    for (const wait of waits) {
      requests.length = 0;
      clock.advance(wait * second - 1);
      await look();
      expect(requests).toEqual([]);
      clock.advance(1);
      await look();
      expect(requests).toEqual([1]);
    }
    answerWith(undefined);
    clock.advance(3_600 * second);
    expect(await look()).toBe(false);
  });

  it.each(Object.keys(outages))('shares the pause of the whole provider after %s', async (name) => {
    const { sourceOf, weather, requests } = await startWith(outages[name]);
    expect(await sourceOf(odd)).toBe('simulation');
    expect(weather.observed.source.pause()).toBeDefined();
    expect(await sourceOf({ lat: 45, lng: 7 })).toBe('simulation');
    expect(requests).toHaveLength(1);
  });
});

describe('a sweep with one odd place among a hundred', () => {
  const places = [...others, odd, ...others.map(({ lng }) => ({ lat: 46, lng }))];
  const isDry = { isPrecipitating: false };

  it.each(['400', 'an error with 200'])(
    'that is refused with %s has weather everywhere else, with few requests',
    async (name) => {
      const { weather, precipitationAt, requests } = await startWith(refusals[name]);
      await weather.prepare(places);
      const found = await Promise.all(places.map((place) => precipitationAt(place)));
      expect(found.filter(({ isPrecipitating }) => isPrecipitating === null)).toHaveLength(1);
      expect(found[20]).toMatchObject({ isPrecipitating: null });
      expect(found[0]).toMatchObject(isDry);
      // The whole, its ten parts, and the cells of one part.
      expect(requests.length).toBeLessThanOrEqual(1 + 10 + 5);
      requests.length = 0;
      await weather.prepare(places);
      await precipitationAt(odd);
      expect(requests).toEqual([]);
    },
  );

  it('is requested separately the next time, and does not break the batch again', async () => {
    const { weather, precipitationAt, requests, clock } = await startWith(refusals['400']);
    await weather.prepare(places);
    await precipitationAt(odd);
    clock.advance(15 * 60 * second);
    requests.length = 0;
    await weather.prepare(places);
    expect(requests).toEqual([places.length - 1]);
  });

  it.each([['null'], [error], ['{"latitude":null,"longitude":7}']])(
    'whose body within the batch is %s leaves the others',
    async (body) => {
      const openMeteoUrl = await serveWeatherOf((request, response) => {
        const bodyOf = (place: LatLng) => (place.lat === odd.lat ? body : openMeteoBody(place, now));
        response.end(bodyFor(placesOf(request), bodyOf));
      });
      const { weather, precipitationAt, pointsAt } = await openWeather({ provider: 'auto', openMeteoUrl });
      await weather.prepare(places);
      expect(await precipitationAt(odd)).toMatchObject({ isPrecipitating: null });
      expect(weather.observed.source.pause()).toBeUndefined();
      for (const lat of [46, 1]) expect((await pointsAt({ lat, lng: 1 }))[0]?.sources).toEqual(['open-meteo']);
    },
  );

  it('ends with the pause of a provider that is down, which ends with its next response', async () => {
    const { weather, requests, clock, answerWith } = await startWith(outages['503']);
    await weather.prepare(places);
    expect(requests).toHaveLength(1);
    expect(weather.observed.source.pause()).toMatchObject({ reason: 'it returned 503' });
    clock.advance(10 * second);
    answerWith(undefined);
    await weather.prepare(places);
    expect(weather.observed.source.pause()).toBeUndefined();
  });
});

describe('MET Norway', () => {
  const time = new Date(now).toISOString();
  const body = metDocument([{ time, data: { ...instant(), next_1_hours: symbol('fog') } }]);

  const settings = { provider: 'met-norway', metNorwayContact: 'a@b.example' } as const;

  it('shares a pause with Open-Meteo, from the last one’s first failure to the first one’s next request', async () => {
    const { openMeteoUrl } = await serveOpenMeteo({ current: outages['503'] });
    let isDown = false;
    const metNorwayUrl = await serveWeatherOf((_request, response) =>
      isDown ? response.destroy() : response.end(JSON.stringify(body)),
    );
    const { weather, clock, pointsAt } = await openWeather({
      ...settings,
      provider: 'auto',
      openMeteoUrl,
      metNorwayUrl,
    });
    const pause = () => weather.observed.source.pause();
    await pointsAt(odd);
    expect(pause()).toBeUndefined();
    clock.advance(second);
    isDown = true;
    await pointsAt({ lat: 40, lng: 7 });
    expect(pause()).toEqual({ since: now + second, reason: 'it returned 503', restMs: 3 * second });
    await weather.sandbox.choose('open-meteo');
    expect(pause()).toEqual({ since: now, reason: 'it returned 503', restMs: 9 * second });
    await weather.sandbox.choose('simulation');
    expect(pause()).toBeUndefined();
  });

  it.each(['422', 'null'])('that refuses one place with %s serves the others', async (name) => {
    const metNorwayUrl = await serveWeatherOf((request, response) =>
      request.url?.includes('lat=50&') === true ? void refusals[name]?.(response) : response.end(JSON.stringify(body)),
    );
    const { pointsAt, weather } = await openWeather({ ...settings, metNorwayUrl });
    await expect(pointsAt(odd)).rejects.toMatchObject({ code: 'temporarily_unavailable' });
    expect(weather.observed.source.pause()).toBeUndefined();
    expect((await pointsAt({ lat: 45, lng: 7 }))[0]?.sources).toEqual(['met-norway']);
  });

  it('whose radar refuses one place has it for the others', async () => {
    const radar = metDocument([{ time, data: instant({ precipitation_rate: 1 }) }], { radar_coverage: 'ok' });
    const metNorwayUrl = await serveWeatherOf((request, response) => {
      if (request.url?.includes('nowcast') !== true) response.end(JSON.stringify(body));
      else if (request.url.includes('lat=60&')) response.end('<html>');
      else response.end(JSON.stringify(radar));
    });
    const { precipitationAt } = await openWeather({ ...settings, metNorwayUrl });
    expect(await precipitationAt({ lat: 60, lng: 10 })).toMatchObject({ isPrecipitating: false, observed: [] });
    expect(await precipitationAt({ lat: 61, lng: 10 })).toMatchObject({ isPrecipitating: true });
  });
});

it('airports of one place that are refused leave those of others', async () => {
  const report = { icaoId: 'LIMF', lat: 45, lon: 7, obsTime: now / second, wxString: '-RA' };
  const metarUrl = await serveWeatherOf((request, response) =>
    request.url?.includes('bbox=49') === true
      ? response.writeHead(400).end(error)
      : response.end(JSON.stringify([report])),
  );
  const { openMeteoUrl } = await serveOpenMeteo({ current: undefined });
  const { pointsAt } = await openWeather({ provider: 'auto', openMeteoUrl, metarUrl });
  expect((await pointsAt(odd))[0]?.sources).toEqual(['open-meteo']);
  expect((await pointsAt({ lat: 45, lng: 7 }))[0]?.sources).toEqual(['metar:LIMF', 'open-meteo']);
});
