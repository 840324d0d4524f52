// The older field names of Open-Meteo, one by one.
import { expect, it } from 'vitest';
import { renameLegacyFields } from '#service/weather/open-meteo/legacy-fields.ts';

const names = [
  ['weathercode', 'weather_code'],
  ['windspeed', 'wind_speed_10m'],
  ['windspeed_10m', 'wind_speed_10m'],
  ['winddirection', 'wind_direction_10m'],
  ['winddirection_10m', 'wind_direction_10m'],
  ['temperature', 'temperature_2m'],
  ['relativehumidity_2m', 'relative_humidity_2m'],
  ['dewpoint_2m', 'dew_point_2m'],
] as const;

it.each(names)('adds today’s name of %s in every block', (old, today) => {
  for (const block of ['current', 'current_units', 'hourly', 'hourly_units']) {
    expect(renameLegacyFields({ [block]: { [old]: 7 } })).toEqual({ [block]: { [old]: 7, [today]: 7 } });
    expect(renameLegacyFields({ [block]: { [old]: 7, [today]: 8 } })).toEqual({ [block]: { [old]: 7, [today]: 8 } });
  }
  expect(renameLegacyFields({ daily: { [old]: 7 } })).toEqual({ daily: { [old]: 7 } });
});

it.each([
  ['current_weather', 'current'],
  ['current_weather_units', 'current_units'],
])('adds today’s name of the block %s, whose fields are renamed too', (old, today) => {
  expect(renameLegacyFields({ [old]: { weathercode: 3 } })).toEqual({
    [old]: { weathercode: 3 },
    [today]: { weathercode: 3, weather_code: 3 },
  });
});

it('returns everything else unchanged', () => {
  for (const body of [undefined, null, 7, 'text', [{ hourly: { weathercode: 3 } }]]) {
    expect(renameLegacyFields(body)).toBe(body);
  }
  const odd = { current: null, hourly: [3], toString: 4 };
  expect(renameLegacyFields(odd)).toEqual(odd);
});
