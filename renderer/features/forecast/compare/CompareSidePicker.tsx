// Chooses one side of a comparison: the place as it is now, a kept fetch of it, another saved or recent place, another
// connection.
import { selectActiveId, selectConnections } from '../../connections/selectors.ts';
import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useId, useMemo } from 'react';
import type { Place } from '@rainbell/contract/app-rpc';
import { useShownPlace } from '../selectors.ts';
import { useApp, useAppStore } from '../../../store/use-app.ts';
import { formatCoordinates } from '../../../ui/text/durations.ts';
import { formatPlace, samePlace } from '../../../ui/text/format-place.ts';
import type { ZonedTimes } from '../../../ui/text/zoned-times.ts';
import { PlaceSearch } from '../../../widgets/PlaceSearch.tsx';
import { type CompareSide, readSide, sideName, writeSide } from './compare-side.ts';
import type { ComparedForecast } from './compare-slice.ts';
import { sideStyle } from './OverlaidTracks.tsx';

type Option = { value: string; label: string };
export type Group = { group: string; items: readonly Option[] };

type Props = {
  index: number;
  side: CompareSide;
  groups: readonly Group[];
  times: ZonedTimes;
  /** A comparison has two sides at least. */
  isRemovable: boolean;
};

export function CompareSidePicker({ index, side, groups, times, isRemovable }: Readonly<Props>) {
  const id = useId();
  const store = useAppStore();
  const value = writeSide(side);
  const loaded = useApp((state) => state.compare.loaded[value]);
  const connection = useApp((state) =>
    selectConnections(state).find(({ id: one }) => side.kind === 'live' && one === side.connectionId),
  );
  const name = sideName(index);
  const arrange = (change: (sides: readonly CompareSide[]) => readonly CompareSide[]) => {
    const { compare } = store.getState();
    void compare.arrange(change(compare.sides ?? []));
  };
  const without = (sides: readonly CompareSide[]) => sides.filter((_, place) => place !== index);
  const isOffered = groups.some(({ items }) => items.some((item) => item.value === value));
  const linked = () => ({
    group: 'From the link',
    items: [{ value, label: linkedText(side, loaded, times, connection?.name) }],
  });
  return (
    <div className="rb-row rb-break">
      <svg className="rb-fixed" width="22" height="10" aria-hidden="true">
        <line x1={0} x2={22} y1={5} y2={5} style={sideStyle(index)} />
      </svg>
      <label className="rb-strong" htmlFor={id}>
        {name}
      </label>
      <SideSelect
        id={id}
        value={value}
        groups={isOffered ? groups : [linked(), ...groups]}
        onChoose={(next) => arrange((sides) => sides.map((one, place) => (place === index ? next : one)))}
      />
      {isRemovable && (
        <ActionIcon
          color="gray"
          title={`Remove ${name}`}
          aria-label={`Remove ${name}`}
          onClick={() => arrange(without)}
        >
          <IconX />
        </ActionIcon>
      )}
    </div>
  );
}

export function AddSide({ groups }: { readonly groups: readonly Group[] }) {
  const sides = useApp((state) => state.compare.sides) ?? [];
  const arrange = useApp((state) => state.compare.arrange);
  return (
    <div className="rb-row rb-break">
      <SideSelect
        aria-label="Add a forecast"
        value=""
        groups={groups}
        none="Add a forecast…"
        onChoose={(next) => void arrange([...sides, next])}
      />
      <PlaceSearch
        field="compare"
        label="Add a place"
        placeholder="Add a place…"
        place={null}
        onPick={({ lat, lng }) => void arrange([...sides, { kind: 'live', place: { lat, lng }, connectionId: null }])}
      />
    </div>
  );
}

type SelectProps = {
  id?: string;
  'aria-label'?: string;
  value: string;
  groups: readonly Group[];
  none?: string;
  onChoose: (side: CompareSide) => void;
};

function SideSelect({ value, groups, none, onChoose, ...named }: Readonly<SelectProps>) {
  return (
    <select
      className="rb-select rb-fill"
      {...named}
      value={value}
      onChange={(event) => {
        const next = readSide(event.currentTarget.value);
        if (next) onChoose(next);
      }}
    >
      {none !== undefined && <option value="">{none}</option>}
      {groups
        .filter(({ items }) => items.length > 0)
        .map(({ group, items }) => (
          <optgroup key={group} label={group}>
            {items.map((item) => (
              <option key={item.value} value={item.value}>
                {item.label}
              </option>
            ))}
          </optgroup>
        ))}
    </select>
  );
}

export function useSideGroups(times: ZonedTimes): readonly Group[] {
  const { savedPlaces, recentPlaces } = useApp((state) => state.settings.values);
  const place = useShownPlace();
  const fetches = useApp((state) => state.compare.fetches);
  const connections = useApp(selectConnections);
  const activeId = useApp(selectActiveId);
  return useMemo(() => {
    const name = formatPlace(place);
    const live = ({ lat, lng }: Place, label: string, connectionId: string | null = null): Option => ({
      value: writeSide({ kind: 'live', place: { lat, lng }, connectionId }),
      label: `${label} · now`,
    });
    const others = [...savedPlaces, ...recentPlaces]
      .filter((one) => !samePlace(one, place))
      .map((one) => live(one, formatPlace(one)));
    return [
      { group: 'Now', items: [live(place, name)] },
      {
        group: `Stored forecasts for ${name}`,
        items: fetches.map(({ id, fetchedAt, connectionName }) => ({
          value: writeSide({ kind: 'stored', id }),
          label: `${formatFetched(fetchedAt, times)} · ${connectionName}`,
        })),
      },
      { group: 'Other places, now', items: [...new Map(others.map((one) => [one.value, one])).values()] },
      {
        group: `${name} from another connection`,
        items: connections.filter(({ id }) => id !== activeId).map((one) => live(place, one.name, one.id)),
      },
    ];
  }, [place, fetches, times, savedPlaces, recentPlaces, connections, activeId]);
}

function formatFetched(fetchedAt: string, times: ZonedTimes): string {
  const at = Date.parse(fetchedAt);
  return `${times.day(at)} ${times.clockSeconds(at)} ${times.zoneName(at)}`;
}

function linkedText(side: CompareSide, loaded: ComparedForecast | undefined, times: ZonedTimes, from = ''): string {
  if (side.kind === 'live') return [formatCoordinates(side.place), from, 'now'].filter(Boolean).join(' · ');
  const forecast = loaded?.forecast;
  if (!forecast) return `stored forecast ${side.id}`;
  return `${formatCoordinates(forecast.query)} · fetched ${formatFetched(forecast.fetchedAt, times)}`;
}
