// The forecast's controls: place, saved places, compare, export, fetch. `/` leads into the place, F5 fetches.
import { ActionIcon, Button } from '@mantine/core';
import { IconLayoutList, IconMap2, IconRefresh, IconStar, IconStarFilled } from '@tabler/icons-react';
import { lazy, Suspense, useRef, useState } from 'react';
import type { Place } from '@rainbell/contract/app-rpc';
import { samePlace } from '../../ui/text/format-place.ts';
import { useShownPlace } from './selectors.ts';
import { useApp } from '../../store/use-app.ts';
import { useCommands } from '../../store/use-commands.ts';
import { labelWithKey } from '../../ui/text/key-text.ts';
import { forecastCommands } from '@rainbell/shared';
import { PlaceSearch, type SuggestedPlace } from '../../widgets/PlaceSearch.tsx';
import { useIsSlow } from '../../ui/hooks/use-is-slow.ts';
import { Tooltip } from '../../ui/controls/Tooltip.tsx';
import { CompareButton } from './compare/CompareButton.tsx';
import { ExportMenu } from './ExportMenu.tsx';
import classes from './ForecastBar.module.css';
import { PlaceTabs } from './PlaceTabs.tsx';

const PlaceMap = lazy(async () => ({ default: (await import('./PlaceMap.tsx')).PlaceMap }));

export function ForecastBar() {
  const { savedPlaces, recentPlaces } = useApp((state) => state.settings.values);
  const place = useShownPlace();
  const showPlace = useApp((state) => state.settings.showPlace);
  const fetchForecast = useApp((state) => state.forecast.fetch);
  const refetch = useApp((state) => state.forecast.refetch);
  const wantFocus = useApp((state) => state.forecast.wantFocus);
  const isLoading = useIsSlow(useApp((state) => state.forecast.request));
  const { isOpen: isBoard, toggle: toggleBoard, load: loadBoard } = useApp((state) => state.board);
  const { openFetches, retry: retryCompare, close: closeCompare } = useApp((state) => state.compare);
  const isCompared = useApp((state) => state.compare.sides !== null);
  const field = useRef<HTMLInputElement>(null);
  const fetchShown = () => {
    if (isCompared) void retryCompare();
    else void (isBoard ? loadBoard(savedPlaces, true) : refetch());
  };
  const [isMapOpen, setMapOpen] = useState(false);
  useCommands(forecastCommands, {
    'forecast.place': () => field.current?.focus(),
    'forecast.fetch': fetchShown,
    'forecast.compare': () => {
      if (!isCompared) return void openFetches(place);
      closeCompare();
      wantFocus(true);
    },
    'forecast.map': () => setMapOpen(true),
  });
  const pick = (chosen: Place) => {
    void showPlace(chosen);
    void fetchForecast({ lat: chosen.lat, lng: chosen.lng });
    toggleBoard(false);
    closeCompare();
  };
  const pickAndGoOn = (chosen: Place) => {
    pick(chosen);
    field.current?.blur();
    wantFocus(true);
  };
  return (
    <div className={`rb-toolbar ${classes.bar}`}>
      <div className={classes.place}>
        <PlaceSearch
          field="forecast"
          label="Forecast location"
          place={place}
          onPick={pickAndGoOn}
          shortcut="/"
          suggestions={suggestedPlaces(savedPlaces, recentPlaces)}
          ref={field}
        />
      </div>
      <Tooltip label={labelWithKey('Pick on the map', forecastCommands['forecast.map'])}>
        <ActionIcon
          variant="default"
          aria-label="Pick on the map"
          aria-keyshortcuts="m"
          onClick={() => setMapOpen(true)}
        >
          <IconMap2 size={18} aria-hidden />
        </ActionIcon>
      </Tooltip>
      {isMapOpen && (
        <Suspense fallback={null}>
          <PlaceMap
            onClose={() => setMapOpen(false)}
            onPick={(chosen) => {
              setMapOpen(false);
              pick(chosen);
            }}
          />
        </Suspense>
      )}
      <SaveStar place={place} />
      <div className={`rb-fill ${classes.tabs}`}>
        <PlaceTabs onPick={pickAndGoOn} />
      </div>
      <BoardButton />
      <CompareButton />
      <ExportMenu />
      <Button
        size="sm"
        px="sm"
        leftSection={<IconRefresh size={16} />}
        loading={isLoading}
        onClick={fetchShown}
        aria-keyshortcuts="R F5"
        title={labelWithKey('Fetch the forecast again', forecastCommands['forecast.fetch'])}
      >
        Fetch
      </Button>
    </div>
  );
}

/** Saved places first, then recent ones that are not saved. */
function suggestedPlaces(saved: readonly Place[], recent: readonly Place[]): readonly SuggestedPlace[] {
  const others = recent.filter((place) => !saved.some((one) => samePlace(one, place)));
  return [
    ...saved.map((place) => ({ place, kind: 'saved' as const })),
    ...others.map((place) => ({ place, kind: 'recent' as const })),
  ];
}

/** Turns between the one place and the board of the saved ones. */
function BoardButton() {
  const count = useApp((state) => state.settings.values.savedPlaces.length);
  const { isOpen, toggle } = useApp((state) => state.board);
  const isCompared = useApp((state) => state.compare.sides !== null);
  const closeCompare = useApp((state) => state.compare.close);
  const turn = () => {
    closeCompare();
    toggle(!isOpen || isCompared);
  };
  useCommands(forecastCommands, { 'forecast.board': count === 0 ? undefined : turn });
  if (count === 0) return null;
  return (
    <Button
      px="sm"
      variant={isOpen ? 'light' : 'default'}
      leftSection={<IconLayoutList size={16} />}
      aria-pressed={isOpen}
      onClick={turn}
    >
      Saved {count}
    </Button>
  );
}

function SaveStar({ place }: { readonly place: Place }) {
  const isSaved = useApp((state) =>
    state.settings.values.savedPlaces.some(({ lat, lng }) => lat === place.lat && lng === place.lng),
  );
  const toggle = useApp((state) => state.settings.toggleSavedPlace);
  const label = isSaved ? 'Remove from saved places' : 'Save place';
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="orange"
        aria-label={label}
        aria-pressed={isSaved}
        onClick={() => void toggle(place)}
      >
        {isSaved ? <IconStarFilled size={18} /> : <IconStar size={18} />}
      </ActionIcon>
    </Tooltip>
  );
}
