// The towns of the monitors by location, which core finds offline; each location is requested once.
import type { LatLng } from '@rainbell/contract/service-api';
import type { AppMonitor } from '@rainbell/contract/app-rpc';
import { oneAtATime } from '../../../store/one-at-a-time.ts';
import type { SliceTools } from '../../../store/slice.ts';
import { formatPlace } from '../../../ui/text/format-place.ts';

/** Empty far from any town. */
export type PlaceNames = ReadonlyMap<string, string>;

export interface PlaceNamesPart extends ReturnType<typeof createPlaceNamesPart> {}

const maxAtOnce = 20_000;

export function placeKey({ lat, lng }: LatLng): string {
  return `${lat} ${lng}`;
}

export function createPlaceNamesPart({
  client,
  read,
  change,
}: SliceTools<PlaceNamesPart & { items: readonly AppMonitor[] }>) {
  return {
    places: new Map() as PlaceNames,
    loadPlaces: oneAtATime(async (): Promise<void> => {
      const { items, places } = read();
      const missing = new Map(
        items.filter(({ geo }) => !places.has(placeKey(geo))).map(({ geo }) => [placeKey(geo), geo]),
      );
      const keys = [...missing.keys()].slice(0, maxAtOnce);
      if (keys.length === 0) return;
      try {
        const found = await client.places.nearest({ locations: [...missing.values()].slice(0, maxAtOnce) });
        const names = keys.map((key, index) => {
          const place = found[index];
          return [key, place ? formatPlace(place) : ''] as const;
        });
        change({ places: new Map([...read().places, ...names]) });
      } catch {
        // Rows show coordinates until the next list.
      }
    }),
  };
}
