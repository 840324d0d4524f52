// Refuses an answer that tells nothing of now or the next days: a provider whose data stands still for half a day, or a
// recording of another time, is no forecast.
import { forecastHorizonHours } from '#contract/service-api/weather.ts';
import { type CellWeather, ProviderFailure } from '#service/weather/reading/reading.ts';

const hourMs = 3_600_000;
const oldestMs = 6 * hourMs;

/** `weather` itself. Throws a ProviderFailure where none of its readings lies between 6 hours ago and the horizon. */
export function requireCurrentWeather(weather: CellWeather): CellWeather {
  const { fetchedAt: now, current, steps, source } = weather;
  const isNear = ({ at }: { at: number }) => at >= now - oldestMs && at <= now + forecastHorizonHours * hourMs;
  if ((current && isNear(current)) || steps.some(isNear)) return weather;
  throw new ProviderFailure(source, 'its answer holds no weather of today or the next days');
}
