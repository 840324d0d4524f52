// The town that a location is in or near, and the largest ones of an area, among 135,000 cities.
import { around } from 'geokdbush';
import KDBush from 'kdbush';
import { distanceKm, type LatLng } from '@rainbell/contract/service-api';
import type { Place, PlaceBox } from '@rainbell/contract/app-rpc';
import { type Cities, townDistance } from '@rainbell/shared/node';

/** Returns undefined far from any town. */
export type NearestPlace = (location: LatLng) => Place | undefined;

const maxDistanceKm = 50;
/** This many suburbs can be nearer than their city's center. */
const candidates = 400;

/** `placeOf` gives a city its name and region. */
export function createNearestPlace(cities: Cities, placeOf: (city: number) => Place): NearestPlace {
  const index = new KDBush(cities.count);
  for (let city = 0; city < cities.count; city += 1) index.add(cities.lng(city), cities.lat(city));
  index.finish();
  return (location) => {
    const near = around(index, location.lng, location.lat, candidates, maxDistanceKm);
    let [best, bestKm]: [number | undefined, number] = [undefined, Infinity];
    for (const city of near) {
      const away = distanceKm(location, { lat: cities.lat(city), lng: cities.lng(city) });
      const km = townDistance(cities.population(city), away);
      if (km < bestKm) [best, bestKm] = [city, km];
    }
    return best === undefined ? undefined : placeOf(best);
  };
}

/** The numbers of the largest cities in the box, the largest first. */
export function largestWithin(cities: Cities, { south, west, north, east }: PlaceBox, limit: number): number[] {
  const inside = Array.from({ length: cities.count }, (_, city) => city).filter(
    (city) =>
      cities.lat(city) >= south && cities.lat(city) <= north && cities.lng(city) >= west && cities.lng(city) <= east,
  );
  return inside.toSorted((one, other) => cities.population(other) - cities.population(one)).slice(0, limit);
}
