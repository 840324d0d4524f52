// Compares a newer fetch of the same place with an older one, point by point at the same times.
import type { Forecast } from '#contract/app-rpc/forecast.ts';
import { pointLabel } from '#renderer/features/forecast/common/runs.ts';

export type ForecastChange = { at: number; before: string; after: string; index: number };

/** Changed statuses in order of time. The first point is "now", at its own time, and is left out. */
export function forecastChanges(before: Forecast, after: Forecast): readonly ForecastChange[] {
  const known = new Map(before.points.slice(1).map((point) => [point.at, point]));
  return after.points.slice(1).flatMap((point): ForecastChange[] => {
    const earlier = point.at === null ? undefined : known.get(point.at);
    if (!earlier || point.at === null || earlier.status === point.status) return [];
    return [{ at: Date.parse(point.at), before: pointLabel(earlier), after: pointLabel(point), index: point.index }];
  });
}
