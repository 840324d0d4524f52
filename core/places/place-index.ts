// Finds places by name in some milliseconds: one pass over folded names, ranked by how well the name matches and, within
// that, by population.
import type { Place } from '#contract/app-rpc/places.ts';
import { foldName } from './fold-name.ts';

export type City = { name: string; countryCode: string; lat: number; lng: number; population: number };

/** Other names of a city, for instance in its own script: the alias, the name in the data, and its country. */
export type PlaceAlias = readonly [alias: string, name: string, countryCode: string];

export type PlaceIndex = { search(text: string, limit: number): Place[] };

type Entry = { folded: string; city: City; shownName: string };

const matchScores = { whole: 4, beginning: 2, word: 1, inside: 0 };

export function createPlaceIndex(cities: Iterable<City>, aliases: readonly PlaceAlias[]): PlaceIndex {
  const entries: Entry[] = [];
  for (const city of cities) entries.push({ folded: foldName(city.name), city, shownName: city.name });
  entries.push(...aliasEntries(entries, aliases));
  const countries = countryCodesByName(entries);

  return {
    search(text, limit) {
      const { wanted, countryCode } = splitCountry(text, countries);
      if (wanted === '') return [];
      const best: { entry: Entry; score: number }[] = [];
      for (const entry of entries) {
        const match = matchScore(entry.folded, wanted);
        if (match === undefined || (countryCode && entry.city.countryCode !== countryCode)) continue;
        best.push({ entry, score: match + 0.6 * Math.log10(Math.max(entry.city.population, 1)) });
      }
      best.sort((one, other) => other.score - one.score);
      return distinctPlaces(
        best.map(({ entry }) => entry),
        limit,
      );
    },
  };
}

function matchScore(name: string, wanted: string): number | undefined {
  const position = name.indexOf(wanted);
  if (position < 0) return undefined;
  if (position === 0) return name.length === wanted.length ? matchScores.whole : matchScores.beginning;
  if (name.includes(` ${wanted}`)) return matchScores.word;
  return wanted.length >= 3 ? matchScores.inside : undefined;
}

/** A city found by its name and by an alias is one place. */
function distinctPlaces(entries: readonly Entry[], limit: number): Place[] {
  const seen = new Set<City>();
  const places: Place[] = [];
  for (const { city, shownName } of entries) {
    if (places.length === limit) break;
    if (seen.has(city)) continue;
    seen.add(city);
    places.push({
      name: shownName,
      countryCode: city.countryCode,
      lat: city.lat,
      lng: city.lng,
      population: city.population,
    });
  }
  return places;
}

function aliasEntries(entries: readonly Entry[], aliases: readonly PlaceAlias[]): Entry[] {
  const largest = new Map<string, City>();
  for (const { folded, city } of entries) {
    const key = `${folded}/${city.countryCode}`;
    const known = largest.get(key);
    if (!known || known.population < city.population) largest.set(key, city);
  }
  return aliases.flatMap(([alias, name, countryCode]) => {
    const city = largest.get(`${foldName(name)}/${countryCode}`);
    return city ? [{ folded: foldName(alias), city, shownName: `${city.name} (${alias})` }] : [];
  });
}

function countryCodesByName(entries: readonly Entry[]): ReadonlyMap<string, string> {
  const names = new Intl.DisplayNames('en', { type: 'region' });
  const codes = new Set(entries.map(({ city }) => city.countryCode));
  const byName = new Map<string, string>();
  for (const code of codes) {
    if (!/^[A-Z]{2}$/.test(code)) continue;
    byName.set(code.toLowerCase(), code);
    byName.set(foldName(names.of(code) ?? code), code);
  }
  return byName;
}

/** `Springfield, US` and `Paris, France` ask for a country; a comma before anything else is only punctuation. */
function splitCountry(
  text: string,
  countries: ReadonlyMap<string, string>,
): { wanted: string; countryCode: string | undefined } {
  const comma = text.lastIndexOf(',');
  const countryCode = comma > 0 ? countries.get(foldName(text.slice(comma + 1))) : undefined;
  return { wanted: foldName(countryCode ? text.slice(0, comma) : text), countryCode };
}
