// What other features may read of the forecast, and do with it.
import { useMemo } from 'react';
import type { Forecast, Place, Settings } from '@rainbell/contract/app-rpc';
import type { AppState } from '../../store/app-state.ts';
import type { Request } from '../../store/request.ts';
import { useApp } from '../../store/use-app.ts';
import { placeAt, samePlace } from '../../ui/text/format-place.ts';

export const selectForecast = (state: AppState): Forecast | null => state.forecast.forecast;
export const selectForecastRequest = (state: AppState): Request => state.forecast.request;

/** Whether the last request failed, even while it tries again. */
export function isForecastFailing({ forecast: { failures, request } }: AppState): boolean {
  return failures > 0 || request.state === 'failed';
}

export function showForecastOf(state: AppState, place: Place): void {
  state.frame.goTo('forecast');
  void state.settings.showPlace(place);
  void state.forecast.fetch({ lat: place.lat, lng: place.lng });
}

/** The place that this window shows: that of a link, or of the settings. Other windows may show others. */
export function useShownPlace(): Place {
  const query = useApp((state) => state.forecast.query);
  const settings = useApp((state) => state.settings.values);
  return useMemo(() => placeOf(query, settings), [query, settings]);
}

function placeOf(query: { lat: number; lng: number } | null, { place, savedPlaces, recentPlaces }: Settings): Place {
  if (query === null) return place;
  const wanted = placeAt(query);
  return [place, ...savedPlaces, ...recentPlaces].find((one) => samePlace(one, wanted)) ?? wanted;
}
