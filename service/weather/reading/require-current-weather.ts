// Rejects responses without current weather or a forecast for the coming days: data that is half a day old, or a recording from
// another time, is not a forecast.
import { forecastHorizonHours } from '@rainbell/contract/service-api';
import { type CellWeather, ProviderFailure } from './reading.ts';

const hourMs = 3_600_000;
const oldestMs = 6 * hourMs;

/** Returns `weather`. Throws a ProviderFailure if it has no reading between 6 hours ago and the horizon. */
export function requireCurrentWeather(weather: CellWeather): CellWeather {
  const { fetchedAt: now, current, steps, source } = weather;
  const isNear = ({ at }: { at: number }) => at >= now - oldestMs && at <= now + forecastHorizonHours * hourMs;
  if ((current && isNear(current)) || steps.some(isNear)) return weather;
  throw new ProviderFailure(source, 'its response has no weather for today or the coming days');
}
