// The country of a place, and the town in it that people would name. Countries are by the borders of @rapideditor/country-coder: a
// territory with its own ISO code (Puerto Rico, Hong Kong) is one; other parts of a country (Alaska, England) are not. The open sea has
// none.
import { feature } from '@rapideditor/country-coder';
import * as geokdbush from 'geokdbush';
import KDBush from 'kdbush';
import type { LatLng, Location } from '@rainbell/contract/service-api';
import { type Cities, townDistance } from '@rainbell/shared/node';

const radiusKm = 50;

/** Returns undefined outside all countries; omits `locality` if no town of the country is within 50 km. */
export function createLocator(cities: Cities) {
  const index = new KDBush(cities.count);
  for (let place = 0; place < cities.count; place += 1) index.add(cities.lng(place), cities.lat(place));
  index.finish();

  return (place: LatLng): Location | undefined => {
    const country = countryAt(place);
    if (!country) return undefined;
    const { code } = country;
    const isInCountry = (item: number) => code !== undefined && cities.isIn(item, code);
    const near = geokdbush.around(index, place.lng, place.lat, Infinity, radiusKm, isInCountry);
    const locality = bestNamed(near, cities, place);
    return locality === undefined ? { country: country.name } : { country: country.name, locality };
  };
}

function bestNamed(near: readonly number[], cities: Cities, place: LatLng): string | undefined {
  let best: { item: number; score: number } | undefined;
  for (const item of near) {
    const distance = geokdbush.distance(place.lng, place.lat, cities.lng(item), cities.lat(item));
    const score = townDistance(cities.population(item), distance);
    if (!best || score < best.score) best = { item, score };
  }
  return best && cities.cityAt(best.item).name;
}

type Country = {
  /** The usual English name: `Italy`, `United States`. */
  name: string;
  /** The ISO 3166-1 code of its cities; a few disputed regions have none. */
  code: string | undefined;
};

/** The properties used of a region; the package's own types need @types/geojson, which nothing else here does. */
type Region = { nameEn: string; level: string; iso1A2: string | undefined; isoStatus: string | undefined };

const names = new Intl.DisplayNames('en', { type: 'region' });

export function countryAt({ lat, lng }: LatLng): Country | undefined {
  const territory = regionAt(lat, lng, 'territory');
  if (!territory) return undefined;
  // Not only territories: the mainland of Australia is a group of its states.
  if (territory.level !== 'country') {
    if (territory.iso1A2 && territory.isoStatus === 'official') {
      return { name: territory.nameEn, code: territory.iso1A2 };
    }
    const whole = regionAt(lat, lng, 'country');
    return whole ? nameCountry(whole) : territory.level === 'territory' ? undefined : nameCountry(territory);
  }
  return nameCountry(territory);
}

function regionAt(lat: number, lng: number, level: string): Region | undefined {
  // The borders are drawn from -180 up to, and without, 180: the same meridian.
  const position: [number, number] = [lng === 180 ? -180 : lng, lat];
  const region: { properties: Region } | null = feature(position, { level });
  return region?.properties;
}

/** Returns the short name; the borders' own names are formal (People's Republic of China). */
function nameCountry({ nameEn, iso1A2: code }: Region): Country {
  return { name: code ? (names.of(code) ?? nameEn) : nameEn, code };
}
