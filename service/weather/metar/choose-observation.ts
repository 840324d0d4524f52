// Chooses a place's airport observation: the newest of the nearest station within 50 km with one in the last 90 minutes. Pure.
import { distanceKm, type LatLng } from '@rainbell/contract/service-api';
import type { Observation } from './read-metar.ts';

const maxDistanceKm = 50;
const oldestMs = 90 * 60_000;
/** A station's clock may be slightly ahead. */
const clockSlackMs = 60_000;

export type NearObservation = Observation & { distanceKm: number };

export function chooseObservation(
  observations: readonly Observation[],
  place: LatLng,
  now: number,
): NearObservation | undefined {
  let best: NearObservation | undefined;
  for (const observation of observations) {
    const ageMs = now - observation.at;
    if (ageMs > oldestMs || ageMs < -clockSlackMs) continue;
    const distance = distanceKm(place, observation.place);
    if (distance > maxDistanceKm) continue;
    const isNearer = best === undefined || distance < best.distanceKm;
    const isNewer = best?.station === observation.station && observation.at > best.at;
    if (isNewer || (isNearer && best?.station !== observation.station)) best = { ...observation, distanceKm: distance };
  }
  return best;
}
