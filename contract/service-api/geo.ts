// Places on the globe: the GeoJSON Point of responses (docs/interface.md §2.6), the `{lat, lng}` of requests, and distances.
import { z } from 'zod';

/** docs/interface.md §2.6, output form: longitude first, decimal degrees, and possibly an altitude (RFC 7946 §3.1.1). */
export const geoPointSchema = z.object({
  type: z.literal('Point'),
  coordinates: z.tuple([z.number(), z.number()], z.number()),
});
export type GeoPoint = z.infer<typeof geoPointSchema>;

export const latitudeSchema = z.number('must be a number between -90 and 90').min(-90).max(90);
export const longitudeSchema = z.number('must be a number between -180 and 180').min(-180).max(180);

/** A point on the globe. */
export const globePointSchema = geoPointSchema.extend({
  coordinates: z.tuple([longitudeSchema, latitudeSchema], z.number()),
});

/** docs/interface.md §2.6, request form: decimal degrees; ±90 and ±180 are valid. */
export const latLngSchema = z.object({ lat: latitudeSchema, lng: longitudeSchema });
export type LatLng = z.infer<typeof latLngSchema>;

export function toGeoPoint({ lat, lng }: LatLng): GeoPoint {
  return { type: 'Point', coordinates: [lng, lat] };
}

export function toLatLng(point: GeoPoint): LatLng {
  const [lng, lat] = point.coordinates;
  return { lat, lng };
}

/** A service may round to five decimals (5e-6), or store 32-bit numbers (up to 7.7e-6). */
export const sameDegrees = 8e-6;

/** Whether two locations differ only as stored numbers do: by less than a meter. */
export function isSamePlace(one: LatLng, other: LatLng): boolean {
  const turn = Math.abs(one.lng - other.lng);
  return Math.abs(one.lat - other.lat) <= sameDegrees && Math.min(turn, 360 - turn) <= sameDegrees;
}

/** The form of requests, or a point as in responses and in GeoJSON. */
export const anyGeoSchema = z.preprocess((geo) => {
  const point = geoPointSchema.safeParse(geo).data;
  return point ? toLatLng(point) : geo;
}, latLngSchema);

const earthRadiusKm = 6371.0088;
const radians = Math.PI / 180;

/** Great-circle distance in kilometres (haversine, mean earth radius); right across the antimeridian and at the poles. */
export function distanceKm(from: LatLng, to: LatLng): number {
  const latitudes = Math.sin(((to.lat - from.lat) * radians) / 2) ** 2;
  const longitudes = Math.sin(((to.lng - from.lng) * radians) / 2) ** 2;
  const chord = latitudes + Math.cos(from.lat * radians) * Math.cos(to.lat * radians) * longitudes;
  return 2 * earthRadiusKm * Math.asin(Math.min(1, Math.sqrt(chord)));
}

/** Initial bearing in degrees clockwise from north, 0 to below 360. */
export function bearingDegrees(from: LatLng, to: LatLng): number {
  const turn = (to.lng - from.lng) * radians;
  const east = Math.sin(turn) * Math.cos(to.lat * radians);
  const north =
    Math.cos(from.lat * radians) * Math.sin(to.lat * radians) -
    Math.sin(from.lat * radians) * Math.cos(to.lat * radians) * Math.cos(turn);
  return (Math.atan2(east, north) / radians + 360) % 360;
}
