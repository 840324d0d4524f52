// How the forecast of one hour changed over the kept fetches, and whether connections agree about it.
import type { StoredFetch } from '@rainbell/contract/app-rpc';
import { fallenText } from './format-measured.ts';
import { fallenIn } from './runs.ts';
import { statusLabel } from '@rainbell/contract/service-api';
import { visibleText } from '@rainbell/shared';
import type { UnitFormat } from '../../../ui/text/units.ts';

/** Describes an hour in one fetch; null if the fetch had no value. */
export type HourEntry = {
  fetchId: number;
  fetchedAt: number;
  connectionId: string;
  connectionName: string;
  status: string | null;
  temperature: string | null;
  precipitation: string | null;
};

export type HourHistory = {
  /** Oldest fetch first; only fetches that had this hour. */
  entries: readonly HourEntry[];
  /** Compares each connection's newest fetch; null if only one connection had the hour. */
  agreement: { isSame: boolean; newest: readonly HourEntry[] } | null;
};

/** `fetches` as `forecast.history` returns them; `at` is the hour's time in milliseconds. */
export function hourHistory(fetches: readonly StoredFetch[], at: number, units: UnitFormat): HourHistory {
  const entries = fetches
    .flatMap(({ id, fetchedAt, connectionId, connectionName, points }): HourEntry[] => {
      const point = points.find((one) => Date.parse(one.at) === at);
      if (!point) return [];
      const temperature = point.measured?.temperature;
      return [
        {
          fetchId: id,
          fetchedAt: Date.parse(fetchedAt),
          connectionId,
          connectionName,
          status: point.status === null ? null : visibleText(statusLabel(point.status, null), 60),
          temperature: temperature === undefined ? null : units.temperature.bare(temperature),
          precipitation: fallenText(fallenIn(point), units) ?? null,
        },
      ];
    })
    .toSorted((one, other) => one.fetchedAt - other.fetchedAt || one.fetchId - other.fetchId);
  const newest = [...new Map(entries.map((entry) => [entry.connectionId, entry])).values()];
  const isSame = new Set(newest.map(valuesOf)).size === 1;
  return { entries, agreement: newest.length < 2 ? null : { isSame, newest } };
}

function valuesOf({ status, temperature, precipitation }: HourEntry): string {
  return JSON.stringify([status, temperature, precipitation]);
}

/** `0.0 → 0.4 → 2.1`: each value once while it stays the same. Null if no fetch had one. */
export function formatChanges(values: readonly (string | null)[]): string | null {
  const known = values.flatMap((value) => (value === null ? [] : [value]));
  return known.length === 0 ? null : known.filter((value, index) => value !== known[index - 1]).join(' → ');
}
