// Airport observations from aviationweather.gov (public domain) for the first point. They are a bonus: whatever goes wrong
// here, the forecast is answered without them. At most 60 requests a minute, of the 100 that the host allows.
import type { Clock } from '#shared/time/clock.ts';
import type { LatLng } from '#contract/service-api/geo.ts';
import type { ProviderHealth } from '#service/weather/fetch/provider-health.ts';
import type { FetchJson } from '#service/weather/fetch/provider-http.ts';
import { ProviderFailure } from '#service/weather/reading/reading.ts';
import { createRequestBudget } from '#service/weather/fetch/request-budget.ts';
import { createSideSource } from '#service/weather/fetch/side-source.ts';
import { chooseObservation, type NearObservation } from './choose-observation.ts';
import { type Observation, readMetars } from './read-metar.ts';

export const metarName = 'metar';

export type Metar = {
  /** The observation that stands for the cell now; undefined where there is none or the host does not answer in time. */
  observationNear(cell: LatLng): Promise<NearObservation | undefined>;
};

type Dependencies = {
  baseUrl: string;
  fetchJson: FetchJson;
  clock: Clock;
  machineClock: Clock;
  health: ProviderHealth;
};

const freshForMs = 5 * 60_000;
const mostCells = 2_000;
const ownLimit = { seconds: 60, most: 60 };

export function createMetar({ baseUrl, fetchJson, clock, machineClock, health }: Dependencies): Metar {
  const budget = createRequestBudget(clock, [ownLimit]);
  const source = createSideSource<readonly Observation[]>({
    name: metarName,
    clock,
    machineClock,
    health,
    patienceMs: 600,
    mostCells,
    mayAsk: () => budget.take() === undefined,
    // An observation says itself how old it is.
    servesStale: true,
    async fetch(cell) {
      const bodies = await Promise.all(metarAddresses(baseUrl, cell).map((address) => fetchJson(metarName, address)));
      const lists = bodies.map(readMetars);
      if (lists.includes(undefined)) throw new ProviderFailure(metarName, 'its answer is no list of observations');
      return { value: lists.flatMap((list) => list ?? []), freshForMs };
    },
  });
  return {
    observationNear: async (cell) => chooseObservation((await source.near(cell)) ?? [], cell, clock.now()),
  };
}

/** `/api/data/metar` is added to the base address. Two boxes where the cell lies near the antimeridian. */
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
