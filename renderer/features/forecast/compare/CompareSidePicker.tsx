// Chooses one side of a comparison: the place as it is now, a kept fetch of it, another saved or recent place, another
// connection.
import { Select } from '@mantine/core';
import type { Place } from '#contract/app-rpc/places.ts';
import type { AppState } from '#renderer/store/app-state.ts';
import { useShownPlace } from '#renderer/store/shown.ts';
import { useApp } from '#renderer/store/use-app.ts';
import { formatCoordinates } from '#renderer/ui/text/durations.ts';
import { formatPlace } from '#renderer/ui/text/format-place.ts';
import type { ZonedTimes } from '#renderer/ui/text/zoned-times.ts';
import { useMyTimes } from '#renderer/widgets/use-units.ts';
import classes from './Compare.module.css';
import { type CompareSide, readSide, writeSide } from './compare-side.ts';
import type { ComparedForecast, SideName } from './compare-slice.ts';

type Option = { value: string; label: string };

export function CompareSidePicker({ name }: { readonly name: SideName }) {
  const side = useApp((state) => state.compare.sides?.[name]);
  const shown = useApp((state) => state.compare[name]);
  const choose = useApp((state) => state.compare.choose);
  const { savedPlaces, recentPlaces } = useApp((state) => state.settings.values);
  const place = useShownPlace();
  const fetches = useApp((state) => state.compare.fetches);
  const connections = useApp((state) => state.connections);
  const times = useMyTimes();
  if (!side) return null;
  const value = writeSide(side);
  const groups = [
    { group: 'Now', items: [liveOption(place, null, formatPlace(place))] },
    { group: `Kept fetches of ${formatPlace(place)}`, items: fetches.map((fetched) => fetchOption(fetched, times)) },
    { group: 'Other places, now', items: otherPlaces(place, [...savedPlaces, ...recentPlaces]) },
    { group: `${formatPlace(place)} from another connection`, items: otherConnections(place, connections) },
  ];
  const isOffered = groups.some(({ items }) => items.some((item) => item.value === value));
  const linked = { group: 'From the link', items: [{ value, label: linkedText(side, shown, times) }] };
  return (
    <Select
      className={classes.side ?? ''}
      label={name.toUpperCase()}
      data={(isOffered ? groups : [linked, ...groups]).filter(({ items }) => items.length > 0)}
      value={value}
      allowDeselect={false}
      maxDropdownHeight={420}
      searchable
      onChange={(chosen) => {
        const next = readSide(chosen ?? '');
        if (next) void choose(name, next);
      }}
    />
  );
}

function liveOption({ lat, lng }: Place, connectionId: string | null, label: string): Option {
  return { value: writeSide({ kind: 'live', place: { lat, lng }, connectionId }), label: `${label} · now` };
}

function fetchOption(
  { id, fetchedAt, connectionName }: AppState['compare']['fetches'][number],
  times: ZonedTimes,
): Option {
  const at = Date.parse(fetchedAt);
  return {
    value: writeSide({ kind: 'stored', id }),
    label: `fetched ${times.day(at)} ${times.clockSeconds(at)} ${times.offsetName(at)} · ${connectionName}`,
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

function linkedText(side: CompareSide, { forecast }: ComparedForecast, times: ZonedTimes): string {
  if (side.kind === 'live') return `${formatCoordinates(side.place)} · now`;
  if (!forecast) return `kept fetch ${side.id}`;
  const at = Date.parse(forecast.fetchedAt);
  return `${formatCoordinates(forecast.query)} · fetched ${times.day(at)} ${times.clockSeconds(at)} ${times.offsetName(at)}`;
}
