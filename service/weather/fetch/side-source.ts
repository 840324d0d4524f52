// A source that adds to the forecast of a cell (radar, say) and whose absence hurts nobody: asked at most once at a time per cell,
// waited for a short time, kept within a bound, and left alone while it rests.
import { LRUCache } from 'lru-cache';
import type { Clock } from '#shared/time/clock.ts';
import type { LatLng } from '#contract/service-api/geo.ts';
import { within } from '#shared/time/within.ts';
import { cellOf } from '#service/weather/reading/cells.ts';
import type { ProviderHealth } from '#service/weather/fetch/provider-health.ts';

/** `value` undefined: there is nothing for this cell, which is worth knowing too. */
export type SideAnswer<Value> = { value: Value | undefined; freshForMs: number };

export type SideSource<Value> = {
  /** What is known of the cell now; undefined where nothing is, or not in time. Never throws. */
  near(cell: LatLng): Promise<Value | undefined>;
};

type Dependencies<Value> = {
  name: string;
  clock: Clock;
  machineClock: Clock;
  health: ProviderHealth;
  /** By the machine's clock. */
  patienceMs: number;
  mostCells: number;
  /** Whether one more request is allowed now; it then counts. */
  mayAsk?: () => boolean;
  /** What is no longer fresh is told until there is better; who asked judges its age. */
  servesStale?: boolean;
  /** Throws a ProviderFailure. */
  fetch(cell: LatLng): Promise<SideAnswer<Value>>;
};

type Kept<Value> = { value: Value | undefined; from: number; until: number };

export function createSideSource<Value>(needs: Dependencies<Value>): SideSource<Value> {
  const { name, clock, machineClock, health, patienceMs, mayAsk = () => true, servesStale = false } = needs;
  const kept = new LRUCache<string, Kept<Value>>({ max: needs.mostCells });
  const inFlight = new Map<string, Promise<void>>();

  async function refresh(key: string, cell: LatLng): Promise<void> {
    try {
      const { value, freshForMs } = await needs.fetch(cell);
      const from = clock.now();
      kept.set(key, { value, from, until: from + freshForMs });
      health.answered(name);
    } catch (error) {
      health.failed(name, error);
    }
  }

  function refreshOnce(key: string, cell: LatLng): Promise<void> {
    const running = inFlight.get(key);
    if (running) return running;
    const started = refresh(key, cell).finally(() => inFlight.delete(key));
    inFlight.set(key, started);
    return started;
  }

  function fresh(key: string): Kept<Value> | undefined {
    const entry = kept.get(key);
    const now = clock.now();
    return entry && now >= entry.from && now < entry.until ? entry : undefined;
  }

  return {
    async near(cell) {
      const key = cellOf(cell);
      const isWanted = fresh(key) === undefined && health.restMs(name) === 0;
      if (isWanted && (inFlight.has(key) || mayAsk())) {
        // What is late is there for the next answer.
        await within(machineClock, patienceMs, refreshOnce(key, cell));
      }
      return (servesStale ? kept.get(key) : fresh(key))?.value;
    },
  };
}
