// Every value of one point, as the line above the chart, the pane, and screen readers name it.
import type { ForecastPoint } from '@rainbell/contract/app-rpc';
import { fallenText } from '../common/format-measured.ts';
import { fallenIn, pointLabel } from '../common/runs.ts';
import type { UnitFormat, Writer } from '../../../ui/text/units.ts';

/** Values that were sent, in the user's units; undefined for those that were not. */
export function pointValues(point: ForecastPoint, units: UnitFormat, form: 'text' | 'spoken' = 'text') {
  const measured = point.measured ?? {};
  const degrees = measured.wind_direction;
  const write = (writer: Writer, value: number | undefined) => (value === undefined ? undefined : writer[form](value));
  const from = write(units.direction, degrees);
  return {
    status: pointLabel(point),
    temperature: write(units.temperature, measured.temperature),
    dewPoint: write(units.temperature, measured.dew_point),
    precipitation: fallenText(fallenIn(point), units, form),
    wind: write(units.wind, measured.wind_speed),
    windFrom: from === undefined || form === 'spoken' ? from : `${from} ${Math.round(degrees ?? 0)}°`,
    humidity: write(units.humidity, measured.humidity),
    pressure: write(units.pressure, measured.pressure),
  };
}
