// Backtests (service/verification/backtest.ts) with their data sources: historical forecasts and the simulation.
import type { Clock } from '@rainbell/shared';
import type { Config } from '../config/config.ts';
import { settings } from '../config/settings.ts';
import type { Fleet } from '../limits/limiter.ts';
import { createBacktests } from '../verification/backtest.ts';
import type { Weather } from '../weather/weather.ts';
import { createProviderHttp, userAgent } from '../weather/fetch/provider-http.ts';
import { createHistoricalForecast } from '../weather/providers/open-meteo/historical-forecast.ts';
import { createSimulation } from '../weather/simulation/simulation.ts';

export const historicalUrl = 'https://historical-forecast-api.open-meteo.com';

type Dependencies = {
  clock: Clock;
  fleet: Fleet;
  config: Config;
  machineClock: Clock;
  weather: Pick<Weather, 'sandbox'>;
};

export type OpenBacktests = ReturnType<typeof openBacktests>;

/** `close` ends requests for historical forecasts. */
export function openBacktests({ config, clock, fleet, machineClock, weather }: Dependencies) {
  const { fetchJson, close } = createProviderHttp({ userAgent, clock });
  const { openMeteoUrl, openMeteoApiKey: apiKey } = config;
  // An own instance serves both; the public ones are separate.
  const baseUrl = openMeteoUrl === settings.openMeteoUrl.default ? historicalUrl : openMeteoUrl;
  const backtests = createBacktests({
    clock,
    machineClock,
    choice: async () => (await weather.sandbox.describe()).provider.choice,
    historical: createHistoricalForecast({ baseUrl, apiKey, fetchJson, fleet }),
    simulation: createSimulation({ clock, isDry: config.simulatedRain === 'off' }),
  });
  return { ...backtests, close };
}
