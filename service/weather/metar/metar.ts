// Airport observations from aviationweather.gov (public domain) for the first point. They are a bonus: whatever goes wrong
// here, the forecast is answered without them. At most 60 requests a minute, of the 100 that the host allows.
import { LRUCache } from 'lru-cache';
import type { Clock } from '#contract/clock.ts';
import type { LatLng } from '#contract/geo.ts';
import { cellOf } from '../cells.ts';
import type { ProviderHealth } from '../provider-health.ts';
import type { FetchJson } from '../provider-http.ts';
import { ProviderFailure } from '../reading.ts';
import { createRequestBudget } from '../request-budget.ts';
import { chooseObservation, type NearObservation } from './choose-observation.ts';
import { type Observation, readMetars } from './read-metar.ts';

export const metarName = 'metar';

export type Metar = {
  /** The observation that stands for the cell now; undefined where there is none or the host does not answer in time. */
  observationNear(cell: LatLng): Promise<NearObservation | undefined>;
};

type Needs = { baseUrl: string; fetchJson: FetchJson; clock: Clock; health: ProviderHealth; patienceMs?: number };

type Kept = { fetchedAt: number; observations: readonly Observation[] };

const freshForMs = 5 * 60_000;
const mostCells = 2_000;
const ownLimit = { seconds: 60, most: 60 };

export function createMetar({ baseUrl, fetchJson, clock, health, patienceMs = 600 }: Needs): Metar {
  const kept = new LRUCache<string, Kept>({ max: mostCells });
  const inFlight = new Map<string, Promise<void>>();
  const budget = createRequestBudget(clock, [ownLimit]);

  async function refresh(key: string, cell: LatLng): Promise<void> {
    try {
      const bodies = await Promise.all(
        metarAddresses(baseUrl, cell).map((address) => fetchJson(metarName, address, new AbortController().signal)),
      );
      const lists = bodies.map(readMetars);
      if (lists.includes(undefined)) throw new ProviderFailure(metarName, 'its answer is no list of observations');
      kept.set(key, { fetchedAt: clock.now(), observations: lists.flatMap((list) => list ?? []) });
      health.answered(metarName);
    } catch (error) {
      health.failed(metarName, error);
    }
  }

  function refreshOnce(key: string, cell: LatLng): Promise<void> {
    const running = inFlight.get(key);
    if (running) return running;
    const started = refresh(key, cell).finally(() => inFlight.delete(key));
    inFlight.set(key, started);
    return started;
  }

  return {
    async observationNear(cell) {
      const key = cellOf(cell);
      const known = kept.get(key);
      const isFresh = known !== undefined && Math.abs(clock.now() - known.fetchedAt) < freshForMs;
      if (
        !isFresh &&
        health.restsUntil(metarName) === undefined &&
        (inFlight.has(key) || budget.take() === undefined)
      ) {
        // What is late is there for the next answer.
        await Promise.race([refreshOnce(key, cell), pause(patienceMs)]);
      }
      return chooseObservation(kept.get(key)?.observations ?? [], cell, clock.now());
    },
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

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
