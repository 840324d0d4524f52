// The mathematics of the offline map: an equirectangular window on the globe, whose middle and zoom move. Longitudes
// run on past ±180° inside of a view and come back to the interface's range (docs/interface.md §2.6) on the way out;
// latitudes end at the poles.
import type { LatLng } from '@rainbell/contract/service-api';

/** The visible part: the middle, and how often the whole width of the world is magnified. */
export type MapView = { center: LatLng; zoom: number };
export type MapSize = { width: number; height: number };

const maxZoom = 96;
const maxFitZoom = 8;
const edgePixels = 40;

export function degreesPerPixel({ zoom }: MapView, { width, height }: MapSize): number {
  return Math.min(360 / Math.max(1, width), 180 / Math.max(1, height)) / zoom;
}

/** From 1, which fills the window, down to where the whole world is in it. */
function withinZooms(zoom: number, { width, height }: MapSize): number {
  const [across, down] = [360 / Math.max(1, width), 180 / Math.max(1, height)];
  return Math.min(maxZoom, Math.max(Math.min(across, down) / Math.max(across, down), zoom));
}

/** The same meridian from -180 to 180; ±180 itself stays as it was given. */
export function wrapLongitude(lng: number): number {
  if (lng >= -180 && lng <= 180) return lng;
  return ((((lng + 180) % 360) + 360) % 360) - 180;
}

export function clampLatitude(lat: number): number {
  return Math.min(90, Math.max(-90, lat));
}

/** Returns a view that stays between the poles if it fits. */
export function settled({ center, zoom }: MapView, size: MapSize): MapView {
  const near = { center, zoom: withinZooms(zoom, size) };
  const room = Math.max(0, 90 - (degreesPerPixel(near, size) * size.height) / 2);
  return {
    ...near,
    center: { lat: Math.min(room, Math.max(-room, center.lat)), lng: wrapLongitude(center.lng) },
  };
}

/** Returns the position of a place in the window, in pixels, on the copy of the world that is nearest to the middle. */
export function toPixels(place: LatLng, view: MapView, size: MapSize): { x: number; y: number } {
  const degrees = degreesPerPixel(view, size);
  return {
    x: size.width / 2 + wrapLongitude(place.lng - view.center.lng) / degrees,
    y: size.height / 2 - (place.lat - view.center.lat) / degrees,
  };
}

/** The place under a pixel, written no finer than one pixel can tell, and with at most four decimals. */
export function toPlace(x: number, y: number, view: MapView, size: MapSize): LatLng {
  const degrees = degreesPerPixel(view, size);
  const digits = Math.min(4, Math.max(0, Math.ceil(-Math.log10(degrees))));
  return roundedPlace(
    {
      lat: view.center.lat - (y - size.height / 2) * degrees,
      lng: view.center.lng + (x - size.width / 2) * degrees,
    },
    digits,
  );
}

export function roundedPlace({ lat, lng }: LatLng, digits: number): LatLng {
  const round = (value: number) => Number(value.toFixed(digits)) + 0;
  return { lat: round(clampLatitude(lat)), lng: round(wrapLongitude(lng)) };
}

export function panned(view: MapView, size: MapSize, right: number, down: number): MapView {
  const degrees = degreesPerPixel(view, size);
  const { lat, lng } = view.center;
  return settled({ ...view, center: { lat: lat + down * degrees, lng: lng - right * degrees } }, size);
}

/** Magnifies around a pixel, which keeps its place. */
export function zoomed(view: MapView, size: MapSize, factor: number, x = size.width / 2, y = size.height / 2): MapView {
  const zoom = withinZooms(view.zoom * factor, size);
  const before = degreesPerPixel(view, size);
  const gained = before - degreesPerPixel({ ...view, zoom }, size);
  return settled(
    {
      zoom,
      center: {
        lat: view.center.lat - (y - size.height / 2) * gained,
        lng: view.center.lng + (x - size.width / 2) * gained,
      },
    },
    size,
  );
}

/** The closest view of all the places, on the shorter way round the world; a single one has its country around it. */
export function fitting(places: readonly LatLng[], size: MapSize): MapView {
  const lngs = places.map(({ lng }) => wrapLongitude(lng)).toSorted((one, other) => one - other);
  const lats = places.map(({ lat }) => lat);
  const [south, north] = [Math.min(...lats), Math.max(...lats)];
  // The places lie outside the widest gap between two neighbors, of which the last and the first are two.
  const gaps = lngs.map((lng, index) => lng - (lngs[index - 1] ?? (lngs.at(-1) ?? 0) - 360));
  const across = 360 - Math.max(...gaps);
  const west = lngs[gaps.indexOf(360 - across)] ?? 0;
  const room = (pixels: number) => Math.max(pixels / 2, pixels - 2 * edgePixels);
  const degrees = Math.max(across / room(size.width), (north - south) / room(size.height));
  const zoom = Math.min(maxFitZoom, degreesPerPixel({ center: { lat: 0, lng: 0 }, zoom: 1 }, size) / degrees);
  return settled({ center: { lat: (south + north) / 2, lng: wrapLongitude(west + across / 2) }, zoom }, size);
}

/** The view, moved just far enough that the place is not lost at or beyond the edge. */
export function following(view: MapView, size: MapSize, place: LatLng): MapView {
  const { x, y } = toPixels(place, view, size);
  const margin = Math.min(edgePixels, size.width / 4, size.height / 4);
  const beyond = (at: number, max: number) => (at < margin ? margin - at : at > max - margin ? max - margin - at : 0);
  return panned(view, size, beyond(x, size.width), beyond(y, size.height));
}

/** What the window shows, as far as that is on one copy of the world. */
export function boxOf(view: MapView, size: MapSize): { south: number; west: number; north: number; east: number } {
  const degrees = degreesPerPixel(view, size);
  const [across, down] = [(degrees * size.width) / 2, (degrees * size.height) / 2];
  const { lat, lng } = view.center;
  return {
    south: clampLatitude(lat - down),
    west: Math.max(-180, lng - across),
    north: clampLatitude(lat + down),
    east: Math.min(180, lng + across),
  };
}

const directions: Readonly<Record<string, readonly [lat: number, lng: number]>> = {
  ArrowUp: [1, 0],
  ArrowDown: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
};

/** Where a key moves a place to: arrows 0.1°, with Shift 1°, with Alt 10°. Undefined for other keys. */
export function movedByKey(
  { key, shiftKey, altKey }: { key: string; shiftKey: boolean; altKey: boolean },
  { lat, lng }: LatLng,
): LatLng | undefined {
  const direction = directions[key];
  const step = altKey ? 10 : shiftKey ? 1 : 0.1;
  return direction && roundedPlace({ lat: lat + direction[0] * step, lng: lng + direction[1] * step }, 4);
}

/** Which copies of the world the window touches, as offsets in degrees. */
export function visibleCopies(view: MapView, size: MapSize): readonly number[] {
  const half = (degreesPerPixel(view, size) * size.width) / 2;
  const first = Math.floor((view.center.lng - half + 180) / 360);
  const last = Math.floor((view.center.lng + half + 180) / 360);
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * 360);
}
