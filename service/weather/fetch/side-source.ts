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
  /** Whether stale values are returned until a new one arrives; the caller checks their age. */
  servesStale?: boolean;
  /** Throws a ProviderFailure. The value is plain data. */
  fetch(cell: LatLng): Promise<SideResult<Value>>;
};

type Stored<Value> = StoredReading & { value?: Value | undefined; freshForMs: number };

/** A slow database must not keep a source from being queried. */
const storeTimeoutMs = 1_000;

export function createSideSource<Value>(needs: Dependencies<Value>): SideSource<Value> {
  const { name, clock, machineClock, health, shared, timeoutMs, servesStale = false } = needs;
  const kept = createCache<string, Stored<Value>>(needs.maxCells);
  const inFlight = new Map<string, Promise<void>>();

  async function refresh(key: string, cell: LatLng): Promise<void> {
    const known = await fetchedByOthers(key);
    if (known) return void kept.set(key, known);
    let saved: Promise<unknown> = Promise.resolve();
    try {
      const reading = { ...(await needs.fetch(cell)), fetchedAt: clock.now() };
      kept.set(key, reading);
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
      return isFresh(stored) ? stored : undefined;
    };
    return (await find()) ?? shared.lookups.joinOthers(name, key, find);
  }

  function refreshOnce(key: string, cell: LatLng): Promise<void> {
    const running = inFlight.get(key) ?? refresh(key, cell).finally(() => inFlight.delete(key));
    inFlight.set(key, running);
    return running;
  }

  function isFresh(reading: Stored<Value> | undefined): boolean {
    if (reading === undefined) return false;
    const ageMs = clock.now() - reading.fetchedAt;
    return ageMs >= 0 && ageMs < reading.freshForMs;
  }

  return {
    async near(cell) {
      const key = cellOf(cell);
      // Late data is available for the next response.
      if (!isFresh(kept.get(key)) && health.restMs(name, key) === 0)
        await within(machineClock, timeoutMs, refreshOnce(key, cell));
      const reading = kept.get(key);
      return servesStale || isFresh(reading) ? reading?.value : undefined;
    },
  };
}
