// Place search as users type: any script, no diacritics, other names, codes, coordinates, typing errors; in some milliseconds.
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parseCoordinates } from '#core/places/parse-coordinates.ts';
import { createNearestPlace, largestWithin, type NearestPlace } from '#core/places/nearest-place.ts';
import { createPlaceIndex, type PlaceIndex } from '#core/places/place-index.ts';
import { createPlaceSearch } from '#core/places/place-search.ts';
import { type Cities, readAllCities } from '#shared/node/cities.ts';
import { quietLog, threadEntries } from '../core-harness.ts';

describe('the index of places', () => {
  let cities: Cities;
  let index: PlaceIndex;
  let nearest: NearestPlace | undefined;
  beforeAll(() => {
    const data = new URL(import.meta.resolve('#core/places/place-data.tsv.br'));
    cities = readAllCities();
    index = createPlaceIndex(cities, readFileSync(data));
  });
  const first = (text: string) => {
    const [place] = index.search(text, 8);
    return place && [place.name, place.region, place.countryCode].filter((part) => part !== undefined).join('/');
  };

  test.each([
    ['the center of Turin', 45.0703, 7.6869, 'Turin/Piedmont/IT'],
    ['a district of Turin', 45.05, 7.66, 'Turin/Piedmont/IT'],
    ['a district of Turin that is nearer to hamlets', 45.028, 7.62, 'Turin/Piedmont/IT'],
    ['a district of London', 51.539, -0.1426, 'London/England/GB'],
    ['Bergen harbor', 60.3971, 5.3155, 'Bergen/Vestland/NO'],
    ['Suva, beside the date line', -18.1416, 178.4419, 'Suva/Central/FJ'],
    ['the middle of the Atlantic', 30, -40, undefined],
  ])('names the town of %s', (_where, lat, lng, expected) => {
    nearest ??= createNearestPlace(cities, index.cityPlace);
    const place = nearest({ lat, lng });
    const words = place && [place.name, place.region, place.countryCode].filter((part) => part !== undefined).join('/');
    expect(words).toBe(expected);
  });

  test('names the largest towns of an area, the largest first', () => {
    const box = { south: 44, west: 7, north: 46, east: 9.5 };
    const names = largestWithin(cities, box, 3).map((city) => index.cityPlace(city).name);
    expect(names).toEqual(['Milan', 'Turin', 'Genoa']);
  });

  test.each([
    ['torino', 'Turin (Torino)/Piedmont/IT'],
    ['münchen', 'Munich (München)/Bavaria/DE'],
    ['munch', 'Munich (München)/Bavaria/DE'],
    ['kobenhavn', 'Copenhagen (København)/Capital Region/DK'],
    ['Москва', 'Moscow (Москва)/RU'],
    ['東京', 'Tokyo (東京)/JP'],
    ['zurich', 'Zürich/CH'],
    ['xian', 'Xi’an/Shaanxi/CN'],
    ['Danzig', 'Gdańsk (Danzig)/Pomerania/PL'],
    ['paris', 'Paris/Île-de-France/FR'],
    ['new yor', 'New York City/New York/US'],
    ['NYC', 'New York City (NYC)/New York/US'],
    ['washington', 'Washington, D.C./District of Columbia/US'],
    ['Washington, D.C.', 'Washington, D.C./District of Columbia/US'],
    ['paris, united states', 'Paris/Texas/US'],
    ['Springfield, IL', 'Springfield/Illinois/US'],
    ['Portland, Maine', 'Portland/Maine/US'],
    ['portland', 'Portland/Oregon/US'],
  ])('finds for “%s” %s first', (text, place) => {
    expect(first(text)).toBe(place);
  });

  test.each([
    ['LHR', 'London Heathrow Airport (LHR, EGLL)/GB', 51.47],
    ['EGLL', 'London Heathrow Airport (LHR, EGLL)/GB', 51.47],
    ['kjfk', 'John F. Kennedy International Airport (JFK, KJFK)/US', 40.64],
  ])('finds for the code “%s” %s', (text, airport, lat) => {
    expect(first(text)).toBe(airport);
    expect(index.search(text, 1)[0]?.lat).toBeCloseTo(lat, 1);
  });

  test('finds a US postal code', () => {
    expect(index.search('10001', 1)).toEqual([
      { name: '10001 New York', countryCode: 'US', region: 'New York', lat: 40.7484, lng: -73.9967, population: null },
    ]);
  });

  test.each([
    ['new yrok', 'New York City'],
    ['londno', 'London'],
    ['munchne', 'Munich'],
    ['barcalona', 'Barcelona'],
    ['san fransisco', 'San Francisco'],
  ])('forgives the typing error in “%s”', (text, name) => {
    const names = index.search(text, 8).map((place) => place.name);
    expect(names.slice(0, 3).some((one) => one.startsWith(name))).toBe(true);
  });

  test('finds a place once, though it has several matching names', () => {
    for (const text of ['rom', 'new yrok']) {
      const places = index.search(text, 50);
      expect(places.length).toBeGreaterThan(1);
      expect(new Set(places.map(({ lat, lng }) => `${lat},${lng}`)).size).toBe(places.length);
    }
  });

  test('finds nothing for nothing', () => {
    for (const text of ['', ' ', ',', 'qqqqqq', '!!!']) expect(index.search(text, 8)).toEqual([]);
  });

  test('answers in some milliseconds of CPU time', () => {
    const texts = ['t', 'to', 'tor', 'torino', 'san', 'springfield, us', 'LHR', '10001', 'new yrok', 'an', 'qqqqqq'];
    for (const text of texts) index.search(text, 8);
    const before = process.cpuUsage();
    for (const text of texts) index.search(text, 8);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000 / texts.length).toBeLessThan(30);
  });
});

describe('coordinates', () => {
  const turin = { lat: 45.07, lng: 7.69 };
  test.each([
    ['45.07, 7.69', turin],
    ['45.07,7.69', turin],
    ['45,07; 7,69', turin],
    ['45,07, 7,69', turin],
    [' -33.9 ; 151.2 ', { lat: -33.9, lng: 151.2 }],
    ['−33.9, 151.2', { lat: -33.9, lng: 151.2 }],
    ['33.9S 18.4E', { lat: -33.9, lng: 18.4 }],
    ['45.07° N, 7.69° W', { lat: 45.07, lng: -7.69 }],
    ['90, 180', { lat: 90, lng: 180 }],
    ["45°04.2'N 7°41.4'E", turin],
    ['45°04′12″N 7°41′24″E', turin],
    ['N 45 04.2 E 7 41.4', turin],
    ['45 04 12 N, 7 41 24 E', turin],
    ['-33°54′, 151°12′', { lat: -33.9, lng: 151.2 }],
    ['geo:45.07,7.69;u=35', turin],
    ['https://www.google.com/maps/@45.07,7.69,14z', turin],
    ['https://www.google.com/maps/place/X/@1,2,14z/data=!3m1!4b1!8m2!3d45.07!4d7.69', turin],
    ['https://maps.google.com/?q=45.07,7.69', turin],
    ['https://maps.apple.com/?ll=45.07%2C7.69', turin],
    ['https://www.openstreetmap.org/#map=12/45.07/7.69', turin],
    ['https://www.openstreetmap.org/?mlat=45.07&mlon=7.69#map=1/1/1', turin],
    ['https://www.bing.com/maps?cp=45.07~7.69', turin],
  ])('are read from “%s”', (text, place) => {
    expect(parseCoordinates(text)).toEqual(place);
  });

  test.each([
    '91, 0',
    '0, 181',
    '45.07',
    'torino',
    '1, 2, 3',
    '10001',
    "45°70'N 7°E",
    'geo:1,2;crs=moon',
    'https://example.net/@45.07',
    '8FVC22+22',
    '',
  ])('are not read from “%s”', (text) => {
    expect(parseCoordinates(text)).toBeUndefined();
  });
});

test('a search runs in a thread of its own, and coordinates need none', async () => {
  const search = createPlaceSearch({ workerUrl: threadEntries.places, log: quietLog });
  onTestFinished(() => search.close());
  expect(await search.search('45.07, 7.69', 8)).toEqual([
    { name: '45.07, 7.69', countryCode: null, lat: 45.07, lng: 7.69, population: null },
  ]);
  const [one, two] = await Promise.all([search.search('torino', 1), search.search('lisboa', 1)]);
  expect([one[0]?.countryCode, two[0]?.countryCode]).toEqual(['IT', 'PT']);
  expect(await search.search('  ', 8)).toEqual([]);
});
