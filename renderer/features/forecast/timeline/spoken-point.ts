// Describes one point, as the slider announces it.
import { plural } from '@rainbell/shared';
import { fallenText } from '../common/format-measured.ts';
import { fallenIn, pointLabel } from '../common/runs.ts';
import type { TimedPoint } from '../common/timed-points.ts';
import { spokenDirection } from '../common/wind-words.ts';
import type { UnitFormat } from '../../../ui/text/units.ts';
import type { ZonedTimes } from '../../../ui/text/zoned-times.ts';

/** `Sun 22 Nov 14:00 CET, rainy, 7.4 degrees, 3.7 millimeters, wind 4.5 meters per second from southwest, 1 deviation` */
export function spokenPoint({ point, at }: TimedPoint, times: ZonedTimes, units: UnitFormat): string {
  const { temperature, dew_point, humidity, pressure, wind_speed, wind_direction } = point.measured ?? {};
  const fallen = fallenText(fallenIn(point), units, 'spoken');
  const deviations = point.problems.length;
  return [
    `${times.day(at)} ${times.clock(at)} ${times.zoneName(at)}`,
    pointLabel(point),
    temperature !== undefined && units.temperature.spoken(temperature),
    fallen !== undefined && fallen,
    wind_speed !== undefined && spokenWind(units.wind.spoken(wind_speed), wind_direction),
    dew_point !== undefined && `dew point ${units.temperature.spoken(dew_point)}`,
    humidity !== undefined && `humidity ${units.number(humidity, 0)} percent`,
    pressure !== undefined && `pressure ${units.pressure.spoken(pressure)}`,
    deviations > 0 && plural(deviations, ['# deviation', '# deviations']),
  ]
    .filter((part) => part !== false)
    .join(', ');
}

function spokenWind(speed: string, direction: number | undefined): string {
  return direction === undefined ? `wind ${speed}` : `wind ${speed} from ${spokenDirection(direction)}`;
}
