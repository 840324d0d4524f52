// The saved places with icon and temperature, as many as fit. A press shows the place; "Saved" has all of them.
import { UnstyledButton } from '@mantine/core';
import { useEffect } from 'react';
import type { Place } from '@rainbell/contract/app-rpc';
import { useShownPlace } from './selectors.ts';
import { useApp } from '../../store/use-app.ts';
import { useBoxSize } from '../../ui/hooks/use-box-size.ts';
import { atRest } from '../../ui/hooks/at-rest.ts';
import { formatPlace, samePlace } from '../../ui/text/format-place.ts';
import { useUnits } from '../../widgets/use-units.ts';
import { boardKey } from './board/board-slice.ts';
import { pointLabel } from './common/runs.ts';
import { WeatherIcon } from './common/WeatherIcon.tsx';
import { textPixels } from './timeline/text-pixels.ts';
import classes from './ForecastBar.module.css';

/** Icon, temperature, and paddings beside the name. */
const extraPixels = 88;
const maxNamePixels = 150;

export function PlaceTabs({ onPick }: { readonly onPick: (place: Place) => void }) {
  const places = useApp((state) => state.settings.values.savedPlaces);
  const load = useApp((state) => state.board.load);
  const fetchedAt = useApp((state) => state.forecast.forecast?.fetchedAt);
  const { ref, width } = useBoxSize<HTMLDivElement>();
  const shown = visiblePlaces(places, width);
  const keys = shown.map(boardKey).join(' ');
  useEffect(() => {
    // After the forecast of the shown place, and again with it.
    if (fetchedAt === undefined || keys === '') return;
    void atRest().then(() => load(shown));
    // oxlint-disable-next-line react/exhaustive-deps -- `keys` says which places `shown` has.
  }, [fetchedAt, keys, load]);
  return (
    <div className={`rb-row rb-fill ${classes.tabList}`} ref={ref} role="group" aria-label="Saved places">
      {shown.map((place) => (
        <PlaceTab key={boardKey(place)} place={place} onPick={onPick} />
      ))}
    </div>
  );
}

function nameOf(place: Place): string {
  return formatPlace({ ...place, countryCode: null });
}

function visiblePlaces(places: readonly Place[], width: number): readonly Place[] {
  let left = width;
  const end = places.findIndex((place) => {
    left -= Math.min(maxNamePixels, textPixels(nameOf(place), 14)) + extraPixels;
    return left < 0;
  });
  return end < 0 ? places : places.slice(0, end);
}

function PlaceTab({ place, onPick }: { readonly place: Place; readonly onPick: (place: Place) => void }) {
  const entry = useApp((state) => state.board.entries[boardKey(place)]);
  const isShown = samePlace(useShownPlace(), place);
  const own = useApp(({ forecast: { forecast } }) =>
    forecast?.query.lat === place.lat && forecast.query.lng === place.lng ? forecast : null,
  );
  const { temperature } = useUnits();
  const point = (own ?? entry?.forecast)?.points[0];
  const kelvin = point?.measured?.temperature;
  return (
    <UnstyledButton
      className={`rb-item rb-row rb-tight rb-fixed rb-dim rb-medium ${classes.tab}`}
      aria-current={isShown || undefined}
      title={point ? `${formatPlace(place)}: ${pointLabel(point)}` : formatPlace(place)}
      onClick={() => onPick(place)}
    >
      {point && <WeatherIcon url={point.iconUrl} label="" size={22} />}
      {/* A name from right to left is cut at its end, too. */}
      <span className="rb-truncate" dir="auto">
        {nameOf(place)}
      </span>
      {kelvin !== undefined && <b>{temperature.whole(kelvin)}°</b>}
    </UnstyledButton>
  );
}
