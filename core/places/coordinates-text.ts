// Coordinates as people type and paste them: `45.07, 7.69`, `45.07 7.69`, `45.07N 7.69E`, `-33.9;151.2`.
import { latLngSchema, type LatLng } from '#contract/service-api/geo.ts';

const numberForm = String.raw`([+-]?\d{1,3}(?:\.\d+)?)\s*°?\s*`;
const pairForm = new RegExp(String.raw`^\s*${numberForm}([NS])?\s*[,;\s]\s*${numberForm}([EW])?\s*$`, 'i');

/** Latitude first. Undefined where the text is something else or lies outside of the globe. */
export function parseCoordinates(text: string): LatLng | undefined {
  const match = pairForm.exec(text);
  if (!match) return undefined;
  const [, lat, northOrSouth = '', lng, eastOrWest = ''] = match;
  const place = latLngSchema.safeParse({
    lat: Number(lat) * (northOrSouth.toUpperCase() === 'S' ? -1 : 1),
    lng: Number(lng) * (eastOrWest.toUpperCase() === 'W' ? -1 : 1),
  });
  return place.success ? place.data : undefined;
}
