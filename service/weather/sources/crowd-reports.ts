// Applies user reports (metags, scope `post_metag`) to current weather: within 5 km and for half an hour they determine the first
// point, which lists them in `sources` (docs/interface.md §2.3, crowdsourced data). They never fire monitors, which need an amount
// or an airport observation, so no one can fire other users' monitors. Pure.
import { isKnownStatus, type Status } from '@rainbell/contract/service-api';
import { presentReading, type CellWeather } from '../reading/reading.ts';

/** The value in `sources` of a point decided by users' reports. */
export const reportSource = 'metag';

/** `reports` are valid at the place now, newest first. */
export function withReports(weather: CellWeather, reports: readonly { status: string }[], now: number): CellWeather {
  const status = prevailing(reports);
  const present = status === undefined ? undefined : presentReading(weather, now);
  if (status === undefined || present === undefined) return weather;
  const { measured: known, sources = [weather.source], ...rest } = present;
  const { rainfall: _rain, snowfall: _snow, ...other } = known ?? {};
  // The hour's amounts belong to the status they came with.
  const measured = status === present.status ? known : Object.keys(other).length === 0 ? undefined : other;
  const current = { ...rest, status, ...(measured ? { measured } : {}), sources: [reportSource, ...sources] };
  return { ...weather, current };
}

/** Returns the most frequent status; in a tie, the latest. */
function prevailing(reports: readonly { status: string }[]): Status | undefined {
  const counts = new Map<Status, number>();
  for (const { status } of reports) if (isKnownStatus(status)) counts.set(status, (counts.get(status) ?? 0) + 1);
  const max = Math.max(0, ...counts.values());
  return [...counts].find(([, count]) => count === max)?.[0];
}
