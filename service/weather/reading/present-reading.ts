// Chooses which of a cell's readings is the current weather (docs/interface.md §2.3), and its displayed time. Pure.
import type { CellWeather, Reading } from './reading.ts';

const minuteMs = 60_000;
/** Maximum age at which a provider's current reading is shown as now; older data keeps its own time. */
const presentForMs = 90 * minuteMs;

/**
 * Returns the current weather. If it is fresh, its timestamp is the query's time, to the minute (docs/interface.md §2.3); stale
 * data keeps its own time, so that no one takes it for current.
 */
export function presentReading({ current, steps }: CellWeather, now: number): Reading | undefined {
  const minute = Math.floor(now / minuteMs) * minuteMs;
  const isPresent = ({ at }: Reading) => at <= now + 30 * minuteMs && at > now - presentForMs;
  const lastStep = steps.findLast(({ at }) => at <= now);
  const candidates = [current, lastStep, steps.find(({ at }) => at > now)];
  const fresh = candidates.find((reading) => reading !== undefined && isPresent(reading));
  if (fresh) return { ...fresh, at: minute };
  return current !== undefined && current.at <= now ? current : lastStep;
}
