// Every value of one point, as the bubble and the pane name it.
import type { ForecastPoint } from '@rainbell/contract/app-rpc';
import { feelsLike } from '../common/feels-like.ts';
import { fallenText } from '../common/format-measured.ts';
import { fallenIn, pointLabel } from '../common/runs.ts';
import { compassPoint } from '../common/wind-words.ts';
import type { UnitFormat } from '../../../ui/text/units.ts';

/** Values that were sent, in the user's units; undefined for those that were not. */
export function pointValues(point: ForecastPoint, units: UnitFormat) {
  const { temperature, dew_point, humidity, pressure, wind_speed, wind_direction } = point.measured ?? {};
  const felt = feelsLike(point.measured ?? {});
  const text = (write: (value: number) => string, value: number | null | undefined) =>
    value === null || value === undefined ? undefined : write(value);
  return {
    status: pointLabel(point),
    temperature: text(units.temperature.text, temperature),
    feelsLike: text(units.temperature.text, felt),
    dewPoint: text(units.temperature.text, dew_point),
    precipitation: fallenText(fallenIn(point), units),
    wind: text(units.wind.text, wind_speed),
    windFrom: text((degrees) => `${compassPoint(degrees)} ${Math.round(degrees)}°`, wind_direction),
    humidity: text((percent) => `${units.number(percent, 0)}%`, humidity),
    pressure: text(units.pressure.text, pressure),
  };
}
