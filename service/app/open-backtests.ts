// Backtests (service/verification/backtest.ts) with their data sources: the archive, historical forecasts, and the simulation.
import type { Clock } from '#shared/time/clock.ts';
import type { Config } from '#service/config/config.ts';
import type { LimitContext } from '#service/limits/fleet-counters.ts';
import { type Backtests, createBacktests } from '#service/verification/backtest.ts';
import { defaultRules } from '#service/verification/replay.ts';
import type { SweepPolicy } from '#service/watch/policy.ts';
import type { Weather } from '#service/weather/create-weather.ts';
import { createProviderHttp } from '#service/weather/fetch/provider-http.ts';
import { createHistoricalForecast } from '#service/weather/open-meteo/historical-forecast.ts';
import { createSimulation } from '#service/weather/simulation/simulation.ts';
import { userAgent } from '#service/weather/sources/observed-weather.ts';

type Dependencies = LimitContext & {
  config: Config;
  machineClock: Clock;
  policy: SweepPolicy;
  weather: Pick<Weather, 'sandbox'>;
};

export type OpenBacktests = Backtests & {
  /** Ends requests for historical forecasts. */
  close(): Promise<void>;
};

export function openBacktests({ config, clock, counters, machineClock, policy, weather }: Dependencies): OpenBacktests {
  const { fetchJson, close } = createProviderHttp({ userAgent, clock });
  const { openMeteoHistoryUrl: baseUrl, openMeteoApiKey: apiKey, recordFolder } = config;
  const backtests = createBacktests({
    clock,
    machineClock,
    policy,
    rules: { ...defaultRules, windowMs: config.verifyMinutes * 60_000, distanceKm: config.verifyDistanceKm },
    choice: async () => (await weather.sandbox.describe()).provider.choice,
    recordFolder,
    historical: createHistoricalForecast({ baseUrl, apiKey, fetchJson, clock, counters }),
    simulation: createSimulation({ clock, isDry: config.simulatedRain === 'off' }),
  });
  return { ...backtests, close };
}
