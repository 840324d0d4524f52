// The town that a location is in or near, among 135,000 cities.
import { around } from 'geokdbush';
import KDBush from 'kdbush';
import { distanceKm, type LatLng } from '#contract/service-api/geo.ts';
import type { Place } from '#contract/app-rpc/places.ts';
import type { Cities } from '#storage/cities.ts';

/** Returns undefined far from any town. */
export type NearestPlace = (location: LatLng) => Place | undefined;

const farthestKm = 50;
const candidates = 40;

/**
 * A larger town counts as nearer, as people would name it: in a city, the nearest entry is often a suburb. Ten times as many
 * people count for two kilometers.
 */
const kmPerTenfold = 2;

/** `placeOf` gives a city its name and region. */
export function createNearestPlace(cities: Cities, placeOf: (city: number) => Place): NearestPlace {
  const index = new KDBush(cities.count);
  for (let city = 0; city < cities.count; city += 1) index.add(cities.lng(city), cities.lat(city));
  index.finish();
  return (location) => {
    const near = around(index, location.lng, location.lat, candidates, farthestKm);
    let [best, bestKm]: [number | undefined, number] = [undefined, Infinity];
    for (const city of near) {
      const people = Math.log10(Math.max(1, cities.population(city)));
      const km = distanceKm(location, { lat: cities.lat(city), lng: cities.lng(city) }) - kmPerTenfold * people;
      if (km < bestKm) [best, bestKm] = [city, km];
    }
    return best === undefined ? undefined : placeOf(best);
  };
}
