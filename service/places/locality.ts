// The town that people would name for a place, in the same country.
import * as geokdbush from 'geokdbush';
import KDBush from 'kdbush';
import type { LatLng, Location } from '@rainbell/contract/service-api';
import { type Cities, townDistance } from '@rainbell/shared/node';
import { countryAt } from './country.ts';

export type Locator = (place: LatLng) => Location | undefined;

const radiusKm = 50;

/** Returns undefined outside all countries; omits `locality` if no town of the country is within 50 km. */
export function createLocator(cities: Cities): Locator {
  const index = new KDBush(cities.count);
  for (let place = 0; place < cities.count; place += 1) index.add(cities.lng(place), cities.lat(place));
  index.finish();

  return (place) => {
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
