// Documents as MET Norway sends them, built after its documentation (https://api.met.no/weatherapi/locationforecast/2.0).
export const time = '2026-11-21T06:00:00Z';
export const now = Date.parse(time);
export const hourMs = 3_600_000;

const details = {
  air_temperature: 1.5,
  dew_point_temperature: -0.5,
  relative_humidity: 87,
  air_pressure_at_sea_level: 1_002.4,
  wind_speed: 3.2,
  wind_from_direction: 200,
};

/** What `details` are in the units of the interface. */
export const measured = {
  temperature: 274.65,
  dew_point: 272.65,
  humidity: 87,
  pressure: 1_002.4,
  wind_speed: 3.2,
  wind_direction: 200,
};

export const units = {
  air_temperature: 'celsius',
  dew_point_temperature: 'celsius',
  relative_humidity: '%',
  air_pressure_at_sea_level: 'hPa',
  wind_speed: 'm/s',
  wind_from_direction: 'degrees',
  precipitation_amount: 'mm',
  precipitation_rate: 'mm/h',
};

export const instant = (changes: object = {}) => ({ instant: { details: { ...details, ...changes } } });
export const symbol = (symbol_code: string, amounts?: object) => ({ summary: { symbol_code }, details: amounts });
export const atHour = (hours: number) => new Date(now + hours * hourMs).toISOString();

export function metDocument(
  timeseries: readonly unknown[],
  meta: object = {},
  coordinates: unknown = [10.7, 59.9, 20],
) {
  return { type: 'Feature', geometry: { coordinates }, properties: { meta: { units, ...meta }, timeseries } };
}
