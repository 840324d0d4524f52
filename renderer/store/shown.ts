// What this window shows: the place and the zone that a link requested, or those of the settings. Other windows may show others.
import { useMemo } from 'react';
import type { Place, Settings } from '@rainbell/contract/app-rpc';
import { placeAt, samePlace } from '../ui/text/format-place.ts';
import type { AppState } from './app-state.ts';
import { useApp } from './use-app.ts';

type LatLng = { lat: number; lng: number };

export function shownPlace({ forecast, settings }: AppState): Place {
  return placeOf(forecast.query, settings.values);
}

export function useShownPlace(): Place {
  const query = useApp((state) => state.forecast.query);
  const settings = useApp((state) => state.settings.values);
  return useMemo(() => placeOf(query, settings), [query, settings]);
}

export function shownZone({ settings }: AppState): Settings['zone'] {
  return settings.linkedZone ?? settings.values.zone;
}

/** With the name under which the user knows it. */
function placeOf(query: LatLng | null, { place, savedPlaces, recentPlaces }: Settings): Place {
  if (query === null) return place;
  const wanted = placeAt(query);
  return [place, ...savedPlaces, ...recentPlaces].find((one) => samePlace(one, wanted)) ?? wanted;
}
