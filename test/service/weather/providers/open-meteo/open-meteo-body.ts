// What Open-Meteo sends: a small body for a place, and for several places a list.
import type { IncomingMessage } from 'node:http';
import type { LatLng } from '#contract/service-api/geo.ts';

/** With the precipitation of the last quarter of an hour. */
export function openMeteoBody({ lat, lng }: LatLng, at: number, precipitation = 0): string {
  return JSON.stringify({
    latitude: lat,
    longitude: lng,
    current_units: { precipitation: 'mm' },
    current: { time: at / 1_000, weather_code: 3, precipitation },
  });
}

/** The places that a request is for. */
export function placesOf(request: IncomingMessage): LatLng[] {
  const query = new URL(request.url ?? '', 'http://any.test').searchParams;
  const [latitudes = [], longitudes = []] = ['latitude', 'longitude'].map((name) => query.get(name)?.split(','));
  return latitudes.map((lat, index) => ({ lat: Number(lat), lng: Number(longitudes[index]) }));
}

export function bodyFor(places: readonly LatLng[], bodyOf: (place: LatLng) => string): string {
  const bodies = places.map(bodyOf);
  return bodies.length === 1 ? String(bodies[0]) : `[${bodies.join()}]`;
}
