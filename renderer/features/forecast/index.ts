import { IconCloudRain } from '@tabler/icons-react';
import type { AppState, Feature } from '../../store/app-state.ts';
import type { Request } from '../../store/request.ts';
import type { SlicesOf } from '../../store/slice.ts';
import { boardKey, createBoardSlice } from './board/board-slice.ts';
import { keepFresh } from './common/auto-refresh.ts';
import { createForecastSlice } from './common/forecast-slice.ts';
import { createIconsSlice } from './common/icons-slice.ts';
import { createCompareSlice } from './compare/compare-slice.ts';
import { forecastLink } from './forecast-link.ts';
import { ForecastScreen } from './ForecastScreen.tsx';
import { createRadarSlice } from './radar/radar-slice.ts';

const slices = {
  forecast: createForecastSlice,
  board: createBoardSlice,
  compare: createCompareSlice,
  icons: createIconsSlice,
  radar: createRadarSlice,
};
declare module '../../store/app-state.ts' {
  interface AppState extends SlicesOf<typeof slices> {}
}

export const forecast: Feature = {
  slices,
  screen: {
    name: 'forecast',
    title: 'Forecast',
    // The first one, so not a file of its own.
    View: ForecastScreen,
    link: forecastLink,
    isOfService: true,
    navigation: { order: 10, Icon: IconCloudRain },
  },
  notices: {
    sandbox(store) {
      const { forecast, request, refetch } = store.getState().forecast;
      // A scenario, a clock or a provider changes the weather. At the start this notice comes while the first fetch runs.
      if (forecast !== null || request.state !== 'loading') void refetch();
    },
  },
  readFromService({ forecast, settings }) {
    const { lat, lng } = settings.values.place;
    // Several notices at the start cause this at the same time; one request serves them all.
    const { state } = forecast.request;
    if (state === 'idle' || state === 'failed') void forecast.fetch(forecast.query ?? { lat, lng });
  },
  repeatRefused,
  afterConnectionChange(store) {
    const { compare, frame } = store.getState();
    // One side or both may be of the active connection.
    if (frame.status?.connection.state === 'ready' && compare.sides) void compare.open(compare.sides);
  },
  start: keepFresh,
};

function repeatRefused({ forecast, compare, board, settings }: AppState, isRefused: (request: Request) => boolean) {
  if (isRefused(forecast.request)) void forecast.refetch();
  if (compare.sides && Object.values(compare.loaded).some(({ request }) => isRefused(request)))
    void compare.open(compare.sides);
  const refused = settings.values.savedPlaces.filter((place) => {
    const entry = board.entries[boardKey(place)];
    return entry !== undefined && isRefused(entry.request);
  });
  if (refused.length > 0) void board.load(refused, true);
}
