// How the forecast of one hour changed over the kept fetches, and whether connections agree about it.
import type { StoredFetch } from '@rainbell/contract/app-rpc';
import { fallenText } from './format-measured.ts';
import { fallenIn } from './runs.ts';
import { statusLabel } from '@rainbell/contract/service-api';
import { visibleText } from '@rainbell/shared';
import type { UnitFormat } from '../../../ui/text/units.ts';

/** `fetches` as `forecast.history` returns them; `at` is the hour's time in milliseconds. Counts only fetches that had this hour. */
export function hourHistory(fetches: readonly StoredFetch[], at: number, units: UnitFormat) {
  const entries = fetches
    .flatMap(({ points, ...fetch }) => {
      const point = points.find((one) => Date.parse(one.at) === at);
      return point ? [{ ...fetch, texts: textsOf(point, units) }] : [];
    })
    .toSorted((one, other) => Date.parse(one.fetchedAt) - Date.parse(other.fetchedAt) || one.id - other.id);
  const groups = [...Map.groupBy(entries, ({ connectionId }) => connectionId)];
  return {
    count: entries.length,
    since: Date.parse(entries[0]?.fetchedAt ?? ''),
    connections: groups.map(([id, own]) => ({
      id,
      name: own.at(-1)?.connectionName ?? '',
      facts: changesIn(own.map(({ texts }) => texts)),
    })),
    isSame: new Set(groups.map(([, own]) => JSON.stringify(own.at(-1)?.texts))).size === 1,
  };
}

type Texts = readonly (readonly [label: string, text: string | undefined])[];

function textsOf({ status, measured }: StoredFetch['points'][number], units: UnitFormat): Texts {
  const temperature = measured?.temperature;
  return [
    ['Status', status === null ? undefined : visibleText(statusLabel(status, null), 60)],
    ['Temperature', temperature === undefined ? undefined : units.temperature.text(temperature)],
    ['Precipitation', fallenText(fallenIn({ measured }), units)],
  ];
}

/** `0.0 mm → 0.4 mm → 2.1 mm`: each text once while it stays the same. Leaves out what no fetch had. */
function changesIn(all: readonly Texts[]): readonly (readonly [label: string, text: string])[] {
  return (all[0] ?? []).flatMap(([label], row) => {
    const known = all.flatMap((texts) => texts[row]?.[1] ?? []);
    const text = known.filter((one, index) => one !== known[index - 1]).join(' → ');
    return text === '' ? [] : [[label, text] as const];
  });
}
