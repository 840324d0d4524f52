// Bodies of Open-Meteo as its older versions and mirrors send them.
import { describe, expect, it } from 'vitest';
import { readOpenMeteo } from '#service/weather/open-meteo/read-open-meteo.ts';

const now = Date.parse('2025-12-06T02:35:00Z');

const older = {
  latitude: 52.366,
  longitude: 4.901,
  utc_offset_seconds: 3600,
  current_weather_units: {
    time: 'iso8601',
    temperature: '°C',
    windspeed: 'm/s',
    winddirection: '°',
    weathercode: 'wmo code',
  },
  current_weather: { time: '2025-12-06T03:30', temperature: 6.2, windspeed: 4.1, winddirection: 210, weathercode: 61 },
  hourly_units: { time: 'iso8601', temperature_2m: '°C', windspeed_10m: 'km/h', relativehumidity_2m: '%' },
  hourly: {
    time: ['2025-12-06T04:00', '2025-12-06T05:00'],
    weathercode: [3, 2],
    temperature_2m: [6, 5],
    windspeed_10m: [72, 7.2],
    relativehumidity_2m: [90, null],
  },
};

describe("Open-Meteo's older names", () => {
  it('are read like those of today', () => {
    const { current, steps } = readOpenMeteo(older, now);
    expect(current).toEqual({
      at: Date.parse('2025-12-06T02:30:00Z'),
      status: 'rainy',
      measured: { temperature: 279.35, wind_speed: 4.1, wind_direction: 210 },
    });
    expect(steps.map((step) => [step.status, step.measured])).toEqual([
      ['windy', { temperature: 279.15, humidity: 90, wind_speed: 20 }],
      ['partly cloudy', { temperature: 278.15, wind_speed: 2 }],
    ]);
  });

  it('give way to those of today', () => {
    const both = { ...older, hourly: { ...older.hourly, weather_code: [0, 0] } };
    expect(readOpenMeteo(both, now).steps.map((step) => step.status)).toEqual(['windy', 'sunny']);
  });
});
