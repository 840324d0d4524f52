// Chooses one side of a comparison: the place as it is now, a kept fetch of it, another saved or recent place, another
// connection.
import { memo, useId, useMemo, useState } from 'react';
import type { Place } from '#contract/app-rpc/places.ts';
import type { AppState } from '#renderer/store/app-state.ts';
import { useShownPlace } from '#renderer/store/shown.ts';
import { useApp, useAppStore } from '#renderer/store/use-app.ts';
import { formatCoordinates } from '#renderer/ui/text/durations.ts';
import { formatPlace } from '#renderer/ui/text/format-place.ts';
import type { ZonedTimes } from '#renderer/ui/text/zoned-times.ts';
import classes from './Compare.module.css';
import { type CompareSide, readSide, sideName, writeSide } from './compare-side.ts';
import type { ComparedForecast } from './compare-slice.ts';

type Option = { value: string; label: string };
export type Group = { group: string; items: readonly Option[] };

type Props = {
  index: number;
  side: CompareSide;
  groups: readonly Group[];
  times: ZonedTimes;
  /** A comparison has two sides at least. */
  isRemovable: boolean;
  onFocus: (index: number | null) => void;
};

/** Thirty of them are drawn in one go, so they are plain elements that know no more than their own side. */
export const CompareSidePicker = memo(function CompareSidePicker(props: Readonly<Props>) {
  const { index, side, groups, times, isRemovable, onFocus } = props;
  const id = useId();
  const store = useAppStore();
  const value = writeSide(side);
  const loaded = useApp((state) => state.compare.loaded[value]);
  const name = sideName(index);
  const arrange = (change: (sides: readonly CompareSide[]) => readonly CompareSide[]) => {
    const { compare } = store.getState();
    void compare.arrange(change(compare.sides ?? []));
  };
  const without = (sides: readonly CompareSide[]) => sides.filter((_, place) => place !== index);
  const isOffered = groups.some(({ items }) => items.some((item) => item.value === value));
  const linked = () => ({ group: 'From the link', items: [{ value, label: linkedText(side, loaded, times) }] });
  return (
    <div className={classes.side} onFocus={() => onFocus(index)} onBlur={() => onFocus(null)}>
      <svg className={classes.key} width="22" height="10" aria-hidden="true">
        <line x1={0} x2={22} y1={5} y2={5} {...seriesStyle(index)} />
      </svg>
      <label htmlFor={id}>{name}</label>
      <SideSelect
        id={id}
        value={value}
        groups={isOffered ? groups : [linked(), ...groups]}
        onChoose={(next) => arrange((sides) => sides.map((one, place) => (place === index ? next : one)))}
      />
      {index > 0 && (
        <button
          type="button"
          title={`Compare the others with ${name}`}
          aria-label={`Compare the others with ${name}`}
          onClick={() => arrange((sides) => [side, ...without(sides)])}
        >
          <Glyph path={toFirst} />
        </button>
      )}
      {isRemovable && (
        <button type="button" title={`Remove ${name}`} aria-label={`Remove ${name}`} onClick={() => arrange(without)}>
          <Glyph path={cross} />
        </button>
      )}
    </div>
  );
});

// The shapes of Tabler's arrow-bar-to-left and x (MIT). Sixty of its components, with an element for each stroke, take 10 ms.
const toFirst = 'M4 12h10M4 12l4 4M4 12l4-4M20 4v16';
const cross = 'M18 6 6 18M6 6l12 12';

function Glyph({ path }: { readonly path: string }) {
  return (
    <svg className={classes.glyph} width="16" height="16" viewBox="0 0 24 24" aria-hidden>
      <path d={path} />
    </svg>
  );
}

/** One more side. */
export function AddSide({ groups }: { readonly groups: readonly Group[] }) {
  const sides = useApp((state) => state.compare.sides) ?? [];
  const arrange = useApp((state) => state.compare.arrange);
  return (
    <div className={classes.side}>
      <SideSelect
        aria-label="Add a forecast"
        value=""
        groups={groups}
        none="Add a forecast…"
        onChoose={(next) => void arrange([...sides, next])}
      />
    </div>
  );
}

/** Color and dashes of a side: six colors, then the same dashed. */
export function seriesStyle(index: number): { stroke: string; strokeDasharray: string | undefined } {
  const dashes = [undefined, '5 3', '2 2', '8 3 2 3', '12 4'];
  // Two that are beside each other in most comparisons differ by more than their color.
  const dash = index === 1 ? '5 3' : dashes[Math.floor(index / colors.length)];
  return { stroke: colors[index % colors.length] ?? '', strokeDasharray: dash };
}

const colors = [
  'var(--rb-accent)',
  'var(--rb-warn)',
  'var(--rb-wind)',
  'var(--rb-bad)',
  'var(--rb-dew-point)',
  'var(--rb-text)',
];

type SelectProps = {
  id?: string;
  'aria-label'?: string;
  value: string;
  groups: readonly Group[];
  /** Shown while nothing is chosen. */
  none?: string;
  onChoose: (side: CompareSide) => void;
};

/** Has its options from the first focus or press on: thirty of these would have a thousand. */
function SideSelect({ value, groups, none, onChoose, ...named }: Readonly<SelectProps>) {
  const [isFilled, setFilled] = useState(false);
  const fill = () => setFilled(true);
  const chosen = groups.flatMap(({ items }) => items.filter((item) => item.value === value)).slice(0, 1);
  return (
    <select
      {...named}
      title={chosen[0]?.label}
      value={value}
      onPointerDown={fill}
      onFocus={fill}
      onChange={(event) => {
        const next = readSide(event.currentTarget.value);
        if (next) onChoose(next);
      }}
    >
      {none !== undefined && <option value="">{none}</option>}
      {isFilled ? <Options groups={groups} /> : chosen.map((item) => <option key={value} {...item} />)}
    </select>
  );
}

function Options({ groups }: { readonly groups: readonly Group[] }) {
  return groups
    .filter(({ items }) => items.length > 0)
    .map(({ group, items }) => (
      <optgroup key={group} label={group}>
        {items.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </optgroup>
    ));
}

/** What a side can be. */
export function useSideGroups(times: ZonedTimes): readonly Group[] {
  const { savedPlaces, recentPlaces } = useApp((state) => state.settings.values);
  const place = useShownPlace();
  const fetches = useApp((state) => state.compare.fetches);
  const connections = useApp((state) => state.connections);
  return useMemo(
    () => [
      { group: 'Now', items: [liveOption(place, null, formatPlace(place))] },
      {
        group: `Stored forecasts for ${formatPlace(place)}`,
        items: fetches.map((fetched) => fetchOption(fetched, times)),
      },
      { group: 'Other places, now', items: otherPlaces(place, [...savedPlaces, ...recentPlaces]) },
      { group: `${formatPlace(place)} from another connection`, items: otherConnections(place, connections) },
    ],
    [place, fetches, times, savedPlaces, recentPlaces, connections],
  );
}

function liveOption({ lat, lng }: Place, connectionId: string | null, label: string): Option {
  return { value: writeSide({ kind: 'live', place: { lat, lng }, connectionId }), label: nowLabel(label) };
}

function nowLabel(label: string): string {
  return `${label} · now`;
}

function fetchOption(
  { id, fetchedAt, connectionName }: AppState['compare']['fetches'][number],
  times: ZonedTimes,
): Option {
  const at = Date.parse(fetchedAt);
  return {
    value: writeSide({ kind: 'stored', id }),
    label: `${times.day(at)} ${times.clockSeconds(at)} ${times.zoneName(at)} · ${connectionName}`,
  };
}

function otherPlaces(here: Place, places: readonly Place[]): Option[] {
  const options = places
    .filter(({ lat, lng }) => lat !== here.lat || lng !== here.lng)
    .map((place) => liveOption(place, null, formatPlace(place)));
  return options.filter(({ value }, index) => options.findIndex((other) => other.value === value) === index);
}

function otherConnections(place: Place, { items, selectedId }: AppState['connections']): Option[] {
  return items.filter(({ id }) => id !== selectedId).map(({ id, name }) => liveOption(place, id, name));
}

function linkedText(side: CompareSide, loaded: ComparedForecast | undefined, times: ZonedTimes): string {
  if (side.kind === 'live') return nowLabel(formatCoordinates(side.place));
  const forecast = loaded?.forecast;
  if (!forecast) return `stored forecast ${side.id}`;
  const at = Date.parse(forecast.fetchedAt);
  return `${formatCoordinates(forecast.query)} · fetched ${times.day(at)} ${times.clockSeconds(at)} ${times.zoneName(at)}`;
}
