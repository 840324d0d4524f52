// An optional source that adds to a cell's forecast (radar, for example): one request at a time per cell, also across processes, a
// short timeout, a bounded cache, and no requests while it is paused.
import { createCache } from '../../cache/create-cache.ts';
import { type Clock, within } from '@rainbell/shared';
import type { LatLng } from '@rainbell/contract/service-api';
import { cellOf } from '../reading/cells.ts';
import type { ProviderHealth } from './provider-health.ts';
import type { SharedLookups } from '../stored/shared-lookups.ts';
import type { StoredReading, WeatherStore } from '../stored/weather-store.ts';

/** `value` undefined: there is none for this cell, which is cached too. */
export type SideResult<Value> = { value: Value | undefined; freshForMs: number };

export type SideSource<Value> = {
  /** Returns what is known of the cell now; undefined if nothing is, or it takes too long. Never throws. */
  near(cell: LatLng): Promise<Value | undefined>;
};

export type SharedReadings = { store: Pick<WeatherStore, 'load' | 'save'>; lookups: SharedLookups };

export type SideSourceContext = {
  clock: Clock;
  machineClock: Clock;
  health: ProviderHealth;
  /** Absent if one process looks up everything. */
  shared?: SharedReadings | undefined;
};

type Dependencies<Value> = SideSourceContext & {
  name: string;
  /** By the machine's clock. */
  timeoutMs: number;
  maxCells: number;
  /** Whether one more request is allowed now; it is then counted. */
  canRequest?: () => Promise<boolean>;
  /** Whether stale values are returned until a new one arrives; the caller checks their age. */
  servesStale?: boolean;
  /** Throws a ProviderFailure. The value is plain data. */
  fetch(cell: LatLng): Promise<SideResult<Value>>;
};

type CacheEntry<Value> = { value: Value | undefined; from: number; until: number };
type Stored<Value> = StoredReading & { value?: Value | undefined; freshForMs: number };

/** A slow database must not keep a source from being queried. */
const storeTimeoutMs = 1_000;

export function createSideSource<Value>(needs: Dependencies<Value>): SideSource<Value> {
  const { name, clock, machineClock, health, timeoutMs, canRequest = async () => true, servesStale = false } = needs;
  const { shared } = needs;
  const kept = createCache<string, CacheEntry<Value>>(needs.maxCells);
  const inFlight = new Map<string, Promise<void>>();

  async function refresh(key: string, cell: LatLng): Promise<void> {
    const known = await fetchedByOthers(key);
    if (known) return keep(key, known);
    let saved: Promise<unknown> = Promise.resolve();
    try {
      if (!(await canRequest())) return;
      const result = await needs.fetch(cell);
      const reading = { ...result, fetchedAt: clock.now() };
      keep(key, reading);
      saved = shared?.store.save(name, key, reading) ?? saved;
      health.succeeded(name, key);
    } catch (error) {
      health.failed(name, error, key);
    } finally {
      shared?.lookups.release(name, [key], saved);
    }
  }

  /** Returns undefined if this process must fetch it. */
  async function fetchedByOthers(key: string): Promise<Stored<Value> | undefined> {
    if (!shared) return undefined;
    const find = async () => {
      const stored = await within(machineClock, storeTimeoutMs, shared.store.load<Stored<Value>>(name, key));
      return stored && isFresh(keptOf(stored)) ? stored : undefined;
    };
    return (await find()) ?? shared.lookups.joinOthers(name, key, find);
  }

  function keep(key: string, reading: Stored<Value>): void {
    kept.set(key, keptOf(reading));
  }

  function refreshOnce(key: string, cell: LatLng): Promise<void> {
    const running = inFlight.get(key);
    if (running) return running;
    const started = refresh(key, cell).finally(() => inFlight.delete(key));
    inFlight.set(key, started);
    return started;
  }

  function fresh(key: string): CacheEntry<Value> | undefined {
    const entry = kept.get(key);
    return entry && isFresh(entry) ? entry : undefined;
  }

  function isFresh({ from, until }: CacheEntry<Value>): boolean {
    const now = clock.now();
    return now >= from && now < until;
  }

  return {
    async near(cell) {
      const key = cellOf(cell);
      const isWanted = fresh(key) === undefined && health.restMs(name, key) === 0;
      if (isWanted) {
        // Late data is available for the next response.
        await within(machineClock, timeoutMs, refreshOnce(key, cell));
      }
      return (servesStale ? kept.get(key) : fresh(key))?.value;
    },
  };
}

function keptOf<Value>({ value, fetchedAt, freshForMs }: Stored<Value>): CacheEntry<Value> {
  return { value, from: fetchedAt, until: fetchedAt + freshForMs };
}
