// What the chart and the table draw in layers, and the measured values (our optional addition to Weather), each declared once: its name,
// the layer that shows it, and its unit.
import type { Measured } from '@rainbell/contract/service-api';
import type { UnitFormat } from '../../../ui/text/units.ts';

export const layerNames = {
  temperature: 'Temperature',
  dewPoint: 'Dew point',
  precipitation: 'Precipitation',
  wind: 'Wind',
  humidity: 'Humidity',
  pressure: 'Pressure',
  radar: 'Radar nowcast, next 2 hours',
} as const;
export type Layer = keyof typeof layerNames;

type Declaration = {
  key: string;
  name: string;
  layer: Layer;
  field: keyof Measured;
  writer: Exclude<keyof UnitFormat, 'number'>;
};

/** In the order of columns and tracks. */
export const measures = [
  { key: 'temperature', name: 'Temperature', layer: 'temperature', field: 'temperature', writer: 'temperature' },
  { key: 'dewPoint', name: 'Dew point', layer: 'dewPoint', field: 'dew_point', writer: 'temperature' },
  { key: 'rain', name: 'Rain', layer: 'precipitation', field: 'rainfall', writer: 'precipitation' },
  { key: 'snow', name: 'Snow', layer: 'precipitation', field: 'snowfall', writer: 'snow' },
  { key: 'wind', name: 'Wind', layer: 'wind', field: 'wind_speed', writer: 'wind' },
  { key: 'windDirection', name: 'Wind direction', layer: 'wind', field: 'wind_direction', writer: 'direction' },
  { key: 'humidity', name: 'Humidity', layer: 'humidity', field: 'humidity', writer: 'humidity' },
  { key: 'pressure', name: 'Pressure', layer: 'pressure', field: 'pressure', writer: 'pressure' },
] as const satisfies readonly Declaration[];

export type MeasureKey = (typeof measures)[number]['key'];
export type MeasuredField = (typeof measures)[number]['field'];
