// People's reports (metags, the scope `post_metag`) in the weather now: within 5 km and for half an hour what people
// see rules the first point (docs/interface.md §2.3: it carries crowdsourced data), and `sources` says so. They ring no
// monitors: an amount or an airport does, so that nobody can ring other people's bells. Pure.
import { type Status, isKnownStatus } from '#contract/service-api/vocabulary.ts';
import { presentReading } from '#service/weather/reading/present-reading.ts';
import type { CellWeather } from '#service/weather/reading/reading.ts';

/** The word in `sources` of a point that people's reports decided. */
export const reportSource = 'metag';

/** `reports` count at the place now, the newest first. */
export function withReports(weather: CellWeather, reports: readonly { status: string }[], now: number): CellWeather {
  const status = prevailing(reports);
  const present = status === undefined ? undefined : presentReading(weather, now);
  if (status === undefined || present === undefined) return weather;
  const { measured: known, sources = [weather.source], ...rest } = present;
  const { rainfall: _rain, snowfall: _snow, ...other } = known ?? {};
  // The hour's amounts belong to the word that they came with.
  const measured = status === present.status ? known : Object.keys(other).length === 0 ? undefined : other;
  const current = { ...rest, status, ...(measured ? { measured } : {}), sources: [reportSource, ...sources] };
  return { ...weather, current };
}

/** What most people say; where they are even, what was said last. */
function prevailing(reports: readonly { status: string }[]): Status | undefined {
  const counts = new Map<Status, number>();
  for (const { status } of reports) if (isKnownStatus(status)) counts.set(status, (counts.get(status) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  return [...counts].find(([, count]) => count === most)?.[0];
}
