// Combines a cell's sources: what responses show, and the precipitation that the sweep's policy uses. Pure, so that recorded
// weather runs through the same code (service/verification/replay.ts).
import type { SweepPolicy } from '#service/watch/policy.ts';
import { type Nowcast, withNowcast } from '#service/weather/met-norway/nowcast.ts';
import type { NearObservation } from '#service/weather/metar/choose-observation.ts';
import { withObservation } from '#service/weather/metar/with-observation.ts';
import type { CellWeather } from '#service/weather/reading/reading.ts';

export type CellSources = {
  forecast: CellWeather;
  nowcast: Nowcast | undefined;
  observation: NearObservation | undefined;
};

const defaultOrder = 'observation radar forecast';
const hourMs = 3_600_000;

/** Responses show every source, whatever the policy; only the hidden fields `rainfall` and `isPrecipitating` follow it. */
export function combineSources(sources: CellSources, policy: SweepPolicy, now: number): CellWeather {
  const { forecast, nowcast, observation } = sources;
  const { radiusKm: triggerRadiusKm } = policy;
  const all = withObservation(withNowcast(forecast, nowcast, now), observation, { now, triggerRadiusKm });
  if (policy.sources.join(' ') === defaultOrder) return all;
  const { isPrecipitating: _, wetBy, rainfallBy, ...shown } = all;
  const { observes, scans, ...believed } = believe(sources, policy, now);
  return {
    ...shown,
    ...believed,
    ...(observes && wetBy ? { wetBy } : {}),
    ...(scans && rainfallBy ? { rainfallBy } : {}),
  };
}

function believe(
  { forecast, nowcast, observation }: CellSources,
  { sources, radiusKm }: SweepPolicy,
  now: number,
): Pick<CellWeather, 'isPrecipitating' | 'rainfall'> & { observes?: true; scans?: true } {
  for (const source of sources) {
    if (source === 'observation' && observation?.isPrecipitating === true && observation.distanceKm <= radiusKm) {
      return { isPrecipitating: true, rainfall: forecast.rainfall, observes: true };
    }
    if (source === 'radar' && nowcast?.rainfall.some(({ until }) => until > now) === true) {
      return { rainfall: nowcast.rainfall, scans: true };
    }
    if (source === 'forecast') {
      const { isPrecipitating, rainfall } = forecast;
      return { rainfall, ...(isPrecipitating === undefined ? {} : { isPrecipitating }) };
    }
  }
  // No source that may decide has data, and the status, which comes from others, must not decide instead.
  return { rainfall: [{ from: now, until: now + hourMs, mmPerHour: 0 }] };
}
