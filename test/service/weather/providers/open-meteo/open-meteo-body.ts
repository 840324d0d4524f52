// A small body of Open-Meteo, with the precipitation of the last quarter of an hour.
import type { LatLng } from '#contract/service-api/geo.ts';

export function openMeteoBody({ lat, lng }: LatLng, at: number, precipitation = 0): string {
  return JSON.stringify({
    latitude: lat,
    longitude: lng,
    current_units: { precipitation: 'mm' },
    current: { time: at / 1_000, weather_code: 3, precipitation },
  });
}
