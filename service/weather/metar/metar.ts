// Airport observations from aviationweather.gov (public domain) for the first point. They are optional: if anything fails here, the
// forecast is sent without them. At most 60 requests a minute, of the 100 that the host allows.
import { type LatLng, distanceKm } from '@rainbell/contract/service-api';
import { spansOf } from '../../database/area.ts';
import { type NearObservation, type Observation, ProviderFailure, QuotaUsedUp } from '../reading/reading.ts';
import { createRequestBudget } from '../fetch/request-budget.ts';
import { createSideSource } from '../fetch/side-source.ts';
import type { ProviderContext } from '../providers/provider.ts';
import { readMetars } from './read-metar.ts';

export const metarName = 'metar';

type Dependencies = Pick<ProviderContext, 'clock' | 'fleet' | 'fetchJson' | 'side'> & { baseUrl: string };

const freshForMs = 5 * 60_000;
const maxCells = 2_000;
const publicHost = 'aviationweather.gov';
const ownLimit = { seconds: 60, max: 60 };

export function createMetar(needs: Dependencies) {
  const { baseUrl, fetchJson, clock, fleet, side } = needs;
  const budget = createRequestBudget(fleet, metarName, new URL(baseUrl).hostname === publicHost ? [ownLimit] : []);
  const source = createSideSource<readonly Observation[]>({
    ...side,
    name: metarName,
    timeoutMs: 600,
    maxCells,
    // Each observation contains its time.
    servesStale: true,
    async fetch(cell) {
      const waitSeconds = await budget.take();
      if (waitSeconds > 0) throw new QuotaUsedUp(metarName, waitSeconds);
      const bodies = await Promise.all(metarAddresses(baseUrl, cell).map((address) => fetchJson(metarName, address)));
      const lists = bodies.map(readMetars);
      if (lists.includes(undefined)) throw new ProviderFailure(metarName, 'its response is not a list of observations');
      return { value: lists.flatMap((list) => list ?? []), freshForMs };
    },
  });
  return {
    budget,
    /** Returns current reports around the cell, the nearest first; none if the host does not respond in time. */
    stationsNear: async (cell: LatLng) => stationsNear((await source.near(cell)) ?? [], cell, clock.now(), farthestKm),
  };
}

/** `/api/data/metar` is added to the base URL. Two boxes if the cell is near the antimeridian. */
export function metarAddresses(baseUrl: string, { lat, lng }: LatLng): URL[] {
  // Near the poles 50 km are many degrees of longitude.
  const halfWidth = Math.min(180, Math.max(1.5, 0.46 / Math.max(0.001, Math.cos((lat * Math.PI) / 180))));
  const south = Math.max(-90, lat - 1);
  const north = Math.min(90, lat + 1);
  const spans = spansOf(lng - halfWidth, lng + halfWidth).filter(([west, east]) => west < east);
  return spans.map(([west, east]) => {
    const address = new URL(`${baseUrl.replace(/\/+$/, '')}/api/data/metar`);
    address.searchParams.set('bbox', [south, west, north, east].map((edge) => edge.toFixed(2)).join(','));
    address.searchParams.set('format', 'json');
    return address;
  });
}

/**
 * Measured from the place itself: rain at a station within this distance is rain there. About one cell of 0.1°: forecasts misplace showers by
 * as much.
 */
export const nearKm = 10;
/** A station that is farther away is not evidence either. */
const farthestKm = 50;
const oldestMs = 90 * 60_000;
/** A station's clock may be slightly ahead. */
const clockSlackMs = 60_000;

/** Returns the newest report of each station within the distance with one in the last 90 minutes, the nearest first. */
export function stationsNear(
  observations: readonly Observation[],
  place: LatLng,
  now: number,
  withinKm: number,
): NearObservation[] {
  const newest = new Map<string, NearObservation>();
  for (const observation of observations) {
    const ageMs = now - observation.at;
    if (ageMs > oldestMs || ageMs < -clockSlackMs) continue;
    const known = newest.get(observation.station);
    if (known && known.at >= observation.at) continue;
    const distance = distanceKm(place, observation.place);
    if (distance <= withinKm) newest.set(observation.station, { ...observation, distanceKm: distance });
  }
  return [...newest.values()].toSorted((one, other) => one.distanceKm - other.distanceKm);
}

/** Returns what counts at a place: the nearest station that reports precipitation, otherwise the nearest. */
export function chooseObservation(
  observations: readonly Observation[],
  place: LatLng,
  now: number,
): NearObservation | undefined {
  const near = stationsNear(observations, place, now, nearKm);
  return near.find(({ isPrecipitating }) => isPrecipitating) ?? near[0];
}
