// Which of a cell's readings is the weather now (docs/interface.md §2.3), and with which time it is shown. Pure.
import type { CellWeather, Reading } from './reading.ts';

const minuteMs = 60_000;
const hourMs = 3_600_000;
/** A provider's present is shown as now while it is at most so old; older data keeps its own time. */
const presentForMs = 90 * minuteMs;

/**
 * The weather now. The query's time, to the minute, is its timestamp (docs/interface.md §2.3) while the reading is
 * fresh; a stale reading keeps the time at which it was true, so that nobody takes it for news.
 */
export function presentReading({ current, steps }: CellWeather, now: number): Reading | undefined {
  const minute = Math.floor(now / minuteMs) * minuteMs;
  const isPresent = ({ at }: Reading) => at <= now + 30 * minuteMs && at > now - presentForMs;
  const lastStep = steps.findLast(({ at }) => at <= now);
  const candidates = [current, lastStep, steps.find(({ at }) => at > now && at <= now + hourMs)];
  const fresh = candidates.find((reading) => reading !== undefined && isPresent(reading));
  if (fresh) return { ...fresh, at: minute };
  return current !== undefined && current.at <= now ? current : lastStep;
}
