// Finds places by name, code, or postal code in a few milliseconds. All names are in one text of bytes, folded, a line per place,
// largest population first; a search finds the typed bytes in it, and ranks the results by how well the name matches and by
// population.
import { brotliDecompressSync } from 'node:zlib';
import type { Place } from '@rainbell/contract/app-rpc';
import type { Cities } from '@rainbell/shared/node';
import { foldName } from './fold-name.ts';
import { createNameGuesser } from './name-guesser.ts';
import { createAreas, type Area, type Region } from './place-areas.ts';

export type PlaceIndex = ReturnType<typeof createPlaceIndex>;

const matchScores = { whole: 4, beginning: 2, word: 1, inside: 0 };
/** A typed code that is in capitals is meant as a code. */
const codeScores = { capitals: 12, other: 6 };
/** Airports and postal codes rank by name like towns of this many people. */
const otherPlacesPopulation = 3_000;
/** A text such as `san` is in many names; those of the largest places come first, and a whole name always counts. */
const maximumHits = 2_000;
/** With fewer places found, those whose names are only similar are added. */
const enough = 3;

const [newline, tab, space, letterA, letterC, letterP, letterR] = [10, 9, 32, 97, 99, 112, 114];

/** A place that matches, and where in `text` it does. */
type Match = { record: number; start: number; score: number };

/** `packedData` is place-data.tsv.br, which `scripts/place-data.ts` makes for exactly these cities. */
export function createPlaceIndex(cities: Cities, packedData: Uint8Array) {
  const data = readPlaces(brotliDecompressSync(packedData));
  const { regions, cityCount, shown, shownStarts, text } = data;
  const { recordAt, nameAt, isWhole } = createLines(data);
  if (cityCount !== cities.count) throw new Error('place-data.tsv.br was built from a different list of cities.');
  const areas = createAreas(regions);
  const guess = createNameGuesser(text);
  const fieldsOf = (record: number) =>
    shown.toString('utf8', shownStarts[record], (shownStarts[record + 1] ?? 0) - 1).split('\t');

  function placeOf(record: number, name: number): Place {
    const [kind, ...fields] = fieldsOf(record);
    if (kind === 'airport') return airportPlace(fields);
    if (kind === 'postal') return postalPlace(fields, regions);
    const [number, regionNumber, others = ''] = fields;
    const city = cities.cityAt(Number(number));
    const other = others.split('|')[name - 1];
    const region = regions[Number(regionNumber) - 1]?.name;
    const folded = foldName(city.name);
    return {
      ...city,
      // “New York City” says what “New York” would add.
      name: other === undefined || folded.includes(foldName(other)) ? city.name : `${city.name} (${other})`,
      ...(region !== undefined && foldName(region) !== folded && { region }),
    };
  }

  const isIn = (record: number, area: Area) => isPlaceIn(fieldsOf(record), area, cities);

  function populationOf(record: number): number {
    return record < cityCount ? cities.population(Number(fieldsOf(record)[1])) : otherPlacesPopulation;
  }

  function find(wanted: string, isCapitals: boolean, area: Area | undefined): Match[] {
    const best = new Map<number, Match>();
    const take = (start: number, length: number) => {
      const record = recordAt(start);
      const known = best.get(record);
      if (!known && area && !isIn(record, area)) return;
      const score = scoreOf(record, start, length, isCapitals);
      if (!known || known.score < score) best.set(record, { record, start, score });
    };
    // One or two letters are in most names: they must begin the first one, or two be another one.
    const isShort = /^\p{ASCII}{1,2}$/u.test(wanted);
    const others = wanted.length === 1 ? [] : [`\t${wanted}\t`, `\t${wanted}\n`];
    const needles = isShort ? [`\n${wanted}`, ...others] : [wanted];
    for (const needle of needles.map((one) => Buffer.from(one))) {
      const length = Buffer.byteLength(wanted);
      let hits = 0;
      for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) {
        const start = isShort ? at + 1 : at;
        hits += 1;
        if (hits <= maximumHits || isWhole(start, length)) take(start, length);
        else if (isShort) break;
      }
    }
    return [...best.values()];
  }

  function scoreOf(record: number, start: number, length: number, isCapitals: boolean): number {
    const before = text[start - 1];
    const isFirstName = before === newline;
    const isExact = isWhole(start, length);
    const kind = shown[shownStarts[record] ?? 0];
    if (isExact && kind === letterP) return codeScores.other;
    if (isExact && kind === letterA && !isFirstName) return isCapitals ? codeScores.capitals : codeScores.other;
    const match = isExact
      ? 'whole'
      : isFirstName || before === tab
        ? 'beginning'
        : before === space
          ? 'word'
          : 'inside';
    // The usual name before another one that is equally good.
    return matchScores[match] + (isFirstName ? 0.2 : 0) + 0.6 * Math.log10(Math.max(populationOf(record), 1));
  }

  function search(typed: string, limit: number, area: Area | undefined): Place[] {
    const wanted = foldName(typed);
    if (wanted === '') return area ? largestIn(area, limit) : [];
    const isCapitals = /^[A-Z\d]{3,4}$/.test(typed.trim());
    const matches = find(wanted, isCapitals, area).toSorted((one, other) => other.score - one.score);
    return matches.slice(0, limit).map(({ record, start }) => placeOf(record, nameAt(record, start)));
  }

  function largestIn(area: Area, limit: number): Place[] {
    const found: Place[] = [];
    for (let record = 0; record < cityCount && found.length < limit; record += 1)
      if (isIn(record, area)) found.push(placeOf(record, 0));
    return found;
  }

  function guessed(typed: string): Place[] {
    return guess(foldName(typed)).map((position) => {
      const record = recordAt(position);
      return placeOf(record, nameAt(record, position));
    });
  }

  /** Which record a city has; made with the first question. */
  let recordsOfCities: Int32Array | undefined;

  function recordOfCity(city: number): number {
    if (!recordsOfCities) {
      recordsOfCities = new Int32Array(cities.count).fill(-1);
      for (let record = 0; record < cityCount; record += 1) recordsOfCities[Number(fieldsOf(record)[1])] = record;
    }
    return recordsOfCities[city] ?? -1;
  }

  return {
    /** A city by its number in the package's order, with its region. */
    cityPlace(city: number): Place {
      const record = recordOfCity(city);
      return record < 0 ? { ...cities.cityAt(city) } : placeOf(record, 0);
    },
    /** The best matches first; a name that nothing matches is taken for one with a typing error. */
    search(typed: string, limit: number): Place[] {
      const found: Place[] = [];
      const add = (places: readonly Place[]) => {
        for (const place of places) {
          const isKnown = found.some(({ lat, lng }) => lat === place.lat && lng === place.lng);
          if (!isKnown && found.length < limit) found.push(place);
        }
      };
      for (const { text: name, area, isLastResort } of areas.split(typed))
        if (found.length === 0 || (isLastResort && found.length < enough)) add(search(name, limit, area));
      if (found.length < enough) add(guessed(typed));
      return found;
    },
  };
}

function airportPlace(fields: readonly string[]): Place {
  const [iata = '', icao = '', airport = '', countryCode = '', lat, lng] = fields;
  const codes = [iata, icao].filter((code) => code !== '').join(', ');
  return { name: `${airport} (${codes})`, countryCode, lat: Number(lat), lng: Number(lng), population: null };
}

function postalPlace(fields: readonly string[], regions: readonly Region[]): Place {
  const [code = '', town = '', state = '', lat, lng] = fields;
  const region = regions.find((one) => one.code === `US.${state}`)?.name;
  const where = { lat: Number(lat), lng: Number(lng), population: null };
  return { name: `${code} ${town}`, countryCode: 'US', ...(region !== undefined && { region }), ...where };
}

function isPlaceIn([kind, ...fields]: readonly string[], area: Area, cities: Cities): boolean {
  if (kind === 'airport') return area.region === undefined && fields[3] === area.countryCode;
  if (kind === 'postal')
    return area.countryCode === 'US' && (area.region === undefined || area.code === `US.${fields[2]}`);
  if (!cities.isIn(Number(fields[0]), area.countryCode)) return false;
  return area.region === undefined || area.region === Number(fields[1]);
}

function createLines({ text, starts }: PlaceData) {
  /** The record whose line has this byte. */
  function recordAt(position: number): number {
    let [low, high] = [0, starts.length - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= position) low = middle;
      else high = middle;
    }
    return low;
  }

  /** Which name of its line begins at or before this byte. */
  function nameAt(record: number, position: number): number {
    let name = 0;
    for (let at = starts[record] ?? 0; at < position; at += 1) if (text[at] === tab) name += 1;
    return name;
  }

  function isWhole(start: number, length: number): boolean {
    const [before, after] = [text[start - 1], text[start + length]];
    return (before === newline || before === tab) && (after === newline || after === tab);
  }

  return { recordAt, nameAt, isWhole };
}

type PlaceData = ReturnType<typeof readPlaces>;

/** Takes the lines apart into two texts, so that a search reads only what is compared. */
function readPlaces(data: Buffer) {
  const regions: Region[] = [];
  let at = 0;
  while (data[at] === letterR) {
    const end = data.indexOf(newline, at);
    const [, code = '', name = ''] = data.toString('utf8', at, end).split('\t');
    regions.push({ code, name });
    at = end + 1;
  }
  const [shown, text] = [Buffer.allocUnsafe(data.length - at), Buffer.allocUnsafe(data.length - at + 1)];
  const [shownStarts, starts]: [number[], number[]] = [[], []];
  let [shownLength, length, cityCount] = [0, 0, 0];
  while (at < data.length) {
    if (data[at] === letterC) cityCount += 1;
    const middle = data.indexOf(newline, at) + 1;
    const end = data.indexOf(newline, middle);
    shownStarts.push(shownLength);
    shownLength += data.copy(shown, shownLength, at, middle);
    starts.push(length);
    text[length] = newline;
    length += 1 + data.copy(text, length + 1, middle, end);
    at = end + 1;
  }
  text[length] = newline;
  shownStarts.push(shownLength);
  starts.push(length);
  return {
    regions,
    cityCount,
    // Copies: no more memory is kept than is needed.
    /** A line per place: kind, then codes, names, and coordinates. */
    shown: Buffer.from(shown.subarray(0, shownLength)),
    shownStarts: Uint32Array.from(shownStarts),
    /** A line per place, each behind a line break: its names as they are compared, with tabs between. */
    text: Buffer.from(text.subarray(0, length + 1)),
    starts: Uint32Array.from(starts),
  };
}
