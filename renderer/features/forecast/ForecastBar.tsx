// The forecast's controls: place, view, saved places, inspect, fetch; the rest is in one menu. `/` leads into the place, F5 fetches.
import { ActionIcon, Button } from '@mantine/core';
import {
  IconArrowsExchange,
  IconDots,
  IconLayoutList,
  IconMap2,
  IconRefresh,
  IconStar,
  IconStarFilled,
} from '@tabler/icons-react';
import { lazy, Suspense, useId, useRef, useState } from 'react';
import type { Place } from '@rainbell/contract/app-rpc';
import { samePlace } from '../../ui/text/format-place.ts';
import { showForecastOf, useShownPlace } from './selectors.ts';
import { useApp, useAppStore } from '../../store/use-app.ts';
import { useCommands } from '../../store/use-commands.ts';
import { labelWithKey } from '../../ui/text/key-text.ts';
import { forecastCommands } from '@rainbell/shared';
import { PlaceSearch, type SuggestedPlace } from '../../widgets/PlaceSearch.tsx';
import { useIsSlow } from '../../ui/hooks/use-is-slow.ts';
import { MenuChoice, Panel } from '../../ui/controls/Panel.tsx';
import { ExportChoices } from './ExportChoices.tsx';
import classes from './ForecastBar.module.css';
import { PlaceTabs } from './PlaceTabs.tsx';
import { ViewMenu } from './timeline/ViewMenu.tsx';

const PlaceMap = lazy(async () => ({ default: (await import('./PlaceMap.tsx')).PlaceMap }));

export function ForecastBar() {
  const { savedPlaces, recentPlaces } = useApp((state) => state.settings.values);
  const place = useShownPlace();
  const store = useAppStore();
  const refetch = useApp((state) => state.forecast.refetch);
  const wantFocus = useApp((state) => state.forecast.wantFocus);
  const isLoading = useIsSlow(useApp((state) => state.forecast.request));
  const { isOpen: isBoard, toggle: toggleBoard, load: loadBoard } = useApp((state) => state.board);
  const { openFetches, retry: retryCompare, close: closeCompare } = useApp((state) => state.compare);
  const isCompared = useApp((state) => state.compare.sides !== null);
  const isReading = useApp((state) => state.forecast.forecast !== null) && !isBoard && !isCompared;
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
    showForecastOf(store.getState(), chosen);
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
      <ViewMenu />
      <MoreMenu onMap={() => setMapOpen(true)} />
      <div className={`rb-fill ${classes.tabs}`}>
        <PlaceTabs onPick={pickAndGoOn} />
      </div>
      {isReading && <InspectButton />}
      <Button
        variant="filled"
        px="sm"
        leftSection={<IconRefresh />}
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

function suggestedPlaces(saved: readonly Place[], recent: readonly Place[]): readonly SuggestedPlace[] {
  const others = recent.filter((place) => !saved.some((one) => samePlace(one, place)));
  return [
    ...saved.map((place) => ({ place, kind: 'saved' as const })),
    ...others.map((place) => ({ place, kind: 'recent' as const })),
  ];
}

/** Turns between reading the weather and inspecting the response. */
function InspectButton() {
  const isOpen = useApp((state) => state.forecast.isPaneOpen);
  const openPane = useApp((state) => state.forecast.openPane);
  useCommands(forecastCommands, { 'forecast.inspect': () => openPane(!isOpen) });
  return (
    <Button
      px="sm"
      variant={isOpen ? 'light' : 'default'}
      aria-pressed={isOpen}
      aria-keyshortcuts="i"
      title={labelWithKey('Inspect the response', forecastCommands['forecast.inspect'])}
      onClick={() => openPane(!isOpen)}
    >
      Inspect
    </Button>
  );
}

/** What is done now and then: the map, comparing, the board of saved places, saving. */
function MoreMenu({ onMap }: { readonly onMap: () => void }) {
  const id = useId();
  const count = useApp((state) => state.settings.values.savedPlaces.length);
  const forecast = useApp((state) => state.forecast.forecast);
  const { isOpen, toggle } = useApp((state) => state.board);
  const { openFetches, close: closeCompare } = useApp((state) => state.compare);
  const isCompared = useApp((state) => state.compare.sides !== null);
  const place = useShownPlace();
  const turn = () => {
    closeCompare();
    toggle(!isOpen || isCompared);
  };
  useCommands(forecastCommands, { 'forecast.board': count === 0 ? undefined : turn });
  return (
    <>
      <ActionIcon color="gray" aria-label="More" popoverTarget={id} aria-haspopup="dialog">
        <IconDots />
      </ActionIcon>
      <Panel id={id} label="More">
        <div className="rb-menu">
          <MenuChoice leftSection={<IconMap2 />} onClick={onMap}>
            Pick on the map
          </MenuChoice>
          <MenuChoice leftSection={<IconArrowsExchange />} onClick={() => void openFetches(place)}>
            Compare forecasts
          </MenuChoice>
          {count > 0 && (
            <MenuChoice leftSection={<IconLayoutList />} onClick={turn}>{`Saved places (${count})`}</MenuChoice>
          )}
          {forecast && <ExportChoices forecast={forecast} />}
        </div>
      </Panel>
    </>
  );
}

function SaveStar({ place }: { readonly place: Place }) {
  const isSaved = useApp((state) =>
    state.settings.values.savedPlaces.some(({ lat, lng }) => lat === place.lat && lng === place.lng),
  );
  const toggle = useApp((state) => state.settings.toggleSavedPlace);
  const label = isSaved ? 'Remove from saved places' : 'Save place';
  return (
    <ActionIcon
      color="orange"
      aria-label={label}
      title={label}
      aria-pressed={isSaved}
      onClick={() => void toggle(place)}
    >
      {isSaved ? <IconStarFilled size={18} /> : <IconStar size={18} />}
    </ActionIcon>
  );
}
