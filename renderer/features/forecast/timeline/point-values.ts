// Every value of one point, as the bubble, the pane, and the slider name it.
import type { ForecastPoint } from '#contract/app-rpc/forecast.ts';
import { feelsLike } from '#renderer/features/forecast/common/feels-like.ts';
import { pointLabel, precipitationAmount } from '#renderer/features/forecast/common/runs.ts';
import type { TimedPoint } from '#renderer/features/forecast/common/timed-points.ts';
import { compassPoint, spokenDirection } from '#renderer/features/forecast/common/wind-words.ts';
import type { UnitFormat } from '#renderer/ui/text/units.ts';
import type { ZonedTimes } from '#renderer/ui/text/zoned-times.ts';

/** Values that were sent, in the user's units; undefined for those that were not. */
export type PointValues = {
  status: string;
  temperature: string | undefined;
  feelsLike: string | undefined;
  dewPoint: string | undefined;
  precipitation: string | undefined;
  wind: string | undefined;
  windFrom: string | undefined;
  humidity: string | undefined;
  pressure: string | undefined;
  sun: string | undefined;
};

export function pointValues(point: ForecastPoint, units: UnitFormat): PointValues {
  const { temperature, dew_point, humidity, pressure, wind_speed, wind_direction } = point.measured ?? {};
  const amount = precipitationAmount(point);
  const felt = feelsLike(point.measured ?? {});
  const text = (write: (value: number) => string, value: number | null | undefined) =>
    value === null || value === undefined ? undefined : write(value);
  return {
    status: pointLabel(point),
    temperature: text(units.temperature.text, temperature),
    feelsLike: text(units.temperature.text, felt),
    dewPoint: text(units.temperature.text, dew_point),
    precipitation: text(units.precipitation.text, amount),
    wind: text(units.wind.text, wind_speed),
    windFrom: text((degrees) => `${compassPoint(degrees)} ${Math.round(degrees)}°`, wind_direction),
    humidity: text((percent) => `${units.number(percent, 0)} %`, humidity),
    pressure: text(units.pressure.text, pressure),
    sun: text((degrees) => `${units.number(degrees, 1)}°`, point.sunAltitude),
  };
}

/** `Sun 22 Nov 14:00 CET, rainy, 7.4 degrees, 3.7 millimeters, wind 4.5 meters per second from south-west, 1 deviation` */
export function spokenPoint({ point, at }: TimedPoint, times: ZonedTimes, units: UnitFormat): string {
  const { temperature, dew_point, humidity, pressure, wind_speed, wind_direction } = point.measured ?? {};
  const amount = precipitationAmount(point);
  const from = wind_direction === undefined ? '' : ` from ${spokenDirection(wind_direction)}`;
  const deviations = point.problems.length;
  return [
    `${times.day(at)} ${times.clock(at)} ${times.zoneName(at)}`,
    pointLabel(point),
    temperature !== undefined && units.temperature.spoken(temperature),
    amount !== null && units.precipitation.spoken(amount),
    wind_speed !== undefined && `wind ${units.wind.spoken(wind_speed)}${from}`,
    dew_point !== undefined && `dew point ${units.temperature.spoken(dew_point)}`,
    humidity !== undefined && `humidity ${units.number(humidity, 0)} percent`,
    pressure !== undefined && `pressure ${units.pressure.spoken(pressure)}`,
    deviations > 0 && `${deviations} ${deviations === 1 ? 'deviation' : 'deviations'}`,
  ]
    .filter((part) => part !== false)
    .join(', ');
}
