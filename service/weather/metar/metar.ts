// Airport observations from aviationweather.gov (public domain) for the first point. They are optional: if anything fails here, the
// forecast is sent without them. At most 60 requests a minute, of the 100 that the host allows.
import { type LatLng, distanceKm } from '@rainbell/contract/service-api';
import type { FetchJson } from '../fetch/provider-http.ts';
import { ProviderFailure } from '../reading/reading.ts';
import type { Clock } from '@rainbell/shared';
import type { Fleet } from '../../limits/limiter.ts';
import { createRequestBudget } from '../fetch/request-budget.ts';
import { createSideSource, type SideSourceContext } from '../fetch/side-source.ts';
import { type Observation, readMetars } from './read-metar.ts';

export const metarName = 'metar';

type Dependencies = {
  clock: Clock;
  fleet?: Fleet;
  baseUrl: string;
  fetchJson: FetchJson;
  side: SideSourceContext;
};

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
    canRequest: async () => (await budget.take()) === undefined,
    // Each observation contains its time.
    servesStale: true,
    async fetch(cell) {
      const bodies = await Promise.all(metarAddresses(baseUrl, cell).map((address) => fetchJson(metarName, address)));
      const lists = bodies.map(readMetars);
      if (lists.includes(undefined)) throw new ProviderFailure(metarName, 'its response is not a list of observations');
      return { value: lists.flatMap((list) => list ?? []), freshForMs };
    },
  });
  return {
    budget,
    /** Returns the cell's current observation; undefined if there is none or the host does not respond in time. */
    observationNear: async (cell: LatLng) => chooseObservation((await source.near(cell)) ?? [], cell, clock.now()),
  };
}

/** `/api/data/metar` is added to the base URL. Two boxes if the cell is near the antimeridian. */
export function metarAddresses(baseUrl: string, { lat, lng }: LatLng): URL[] {
  // Near the poles 50 km are many degrees of longitude.
  const halfWidth = Math.min(180, Math.max(1.5, 0.46 / Math.max(0.001, Math.cos((lat * Math.PI) / 180))));
  const south = Math.max(-90, lat - 1);
  const north = Math.min(90, lat + 1);
  return longitudeSpans(lng, halfWidth).map(([west, east]) => {
    const address = new URL(`${baseUrl.replace(/\/+$/, '')}/api/data/metar`);
    address.searchParams.set('bbox', [south, west, north, east].map((edge) => edge.toFixed(2)).join(','));
    address.searchParams.set('format', 'json');
    return address;
  });
}

function longitudeSpans(lng: number, halfWidth: number): (readonly [west: number, east: number])[] {
  if (halfWidth >= 180) return [[-180, 180]];
  const west = lng - halfWidth;
  const east = lng + halfWidth;
  if (west < -180)
    return [
      [west + 360, 180],
      [-180, east],
    ];
  if (east > 180)
    return [
      [west, 180],
      [-180, east - 360],
    ];
  return [[west, east]];
}

const maxDistanceKm = 50;
const oldestMs = 90 * 60_000;
/** A station's clock may be slightly ahead. */
const clockSlackMs = 60_000;

export type NearObservation = Observation & { distanceKm: number };

/** Returns the newest observation of the nearest station within 50 km with one in the last 90 minutes. */
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
