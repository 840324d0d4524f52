// Backtests (service/verification/backtest.ts) with their data sources: historical forecasts and the simulation.
import type { Clock } from '#shared/time/clock.ts';
import type { Config } from '#service/config/config.ts';
import { settings } from '#service/config/settings.ts';
import type { Fleet } from '#service/limits/limiter.ts';
import { type Backtests, createBacktests } from '#service/verification/backtest.ts';
import type { SweepPolicy } from '#service/watch/policy.ts';
import type { Weather } from '#service/weather/create-weather.ts';
import { createProviderHttp } from '#service/weather/fetch/provider-http.ts';
import { createHistoricalForecast } from '#service/weather/open-meteo/historical-forecast.ts';
import { createSimulation } from '#service/weather/simulation/simulation.ts';
import { userAgent } from '#service/weather/sources/observed-weather.ts';

export const historicalUrl = 'https://historical-forecast-api.open-meteo.com';

type Dependencies = {
  clock: Clock;
  fleet: Fleet;
  config: Config;
  machineClock: Clock;
  policy: SweepPolicy;
  weather: Pick<Weather, 'sandbox'>;
};

export type OpenBacktests = Backtests & {
  /** Ends requests for historical forecasts. */
  close(): Promise<void>;
};

export function openBacktests({ config, clock, fleet, machineClock, policy, weather }: Dependencies): OpenBacktests {
  const { fetchJson, close } = createProviderHttp({ userAgent, clock });
  const { openMeteoUrl, openMeteoApiKey: apiKey } = config;
  // An own instance serves both; the public ones are separate.
  const baseUrl = openMeteoUrl === settings.openMeteoUrl.default ? historicalUrl : openMeteoUrl;
  const backtests = createBacktests({
    clock,
    machineClock,
    policy,
    choice: async () => (await weather.sandbox.describe()).provider.choice,
    historical: createHistoricalForecast({ baseUrl, apiKey, fetchJson, fleet }),
    simulation: createSimulation({ clock, isDry: config.simulatedRain === 'off' }),
  });
  return { ...backtests, close };
}
