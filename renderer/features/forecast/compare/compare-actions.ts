// What the comparison does: loaded after the first screen.
import { type Request, runRequest } from '#renderer/store/request.ts';
import type { SliceTools } from '#renderer/store/slice.ts';
import { type CompareSide, mostSides, writeSide } from './compare-side.ts';
import { type CompareActions, type ComparedForecast, type CompareSlice, notLoaded } from './compare-slice.ts';

export function createCompareActions({ client, read, change }: SliceTools<CompareSlice>): CompareActions {
  let keptOf = '';
  const fetchSide = (side: CompareSide) =>
    side.kind === 'stored'
      ? client.forecast.stored({ id: side.id })
      : client.forecast.get({
          ...side.place,
          ...(side.connectionId === null ? {} : { connectionId: side.connectionId }),
        });
  const keep = (parts: Readonly<Record<string, ComparedForecast>>) => {
    const { sides, loaded } = read();
    const shown = (sides ?? []).map(writeSide);
    const all = { ...loaded, ...parts };
    change({ loaded: Object.fromEntries(shown.map((key) => [key, all[key] ?? notLoaded])) });
  };
  /** The screen is drawn once for all of them. */
  const loadTogether = async (sides: readonly CompareSide[]) => {
    const parts: Record<string, ComparedForecast> = {};
    const runs = sides.map(async (side) => {
      const key = writeSide(side);
      const before = read().loaded[key]?.forecast ?? null;
      const report = (request: Request, forecast = before) => {
        parts[key] = { forecast, request };
      };
      const forecast = await runRequest(report, () => fetchSide(side));
      if (forecast) report({ state: 'done', at: Date.now() }, forecast);
    });
    keep(parts);
    await Promise.all(runs);
    keep(parts);
  };
  /** Stored fetches are all there at once; a live one may take its time. */
  const load = async (sides: readonly CompareSide[]) => {
    const once = sides.filter(
      (side, index) => sides.findIndex((other) => writeSide(other) === writeSide(side)) === index,
    );
    const stored = once.filter(({ kind }) => kind === 'stored');
    const live = once.filter(({ kind }) => kind === 'live');
    await Promise.all([loadTogether(stored), ...live.map((side) => loadTogether([side]))]);
  };
  return {
    async open(sides) {
      change({ sides: sides.slice(0, mostSides), loaded: {} });
      await load(read().sides ?? []);
    },
    async openFetches(place) {
      await read().loadFetches(place);
      const [newest, before] = read().fetches;
      const now: CompareSide = { kind: 'live', place, connectionId: null };
      const stored = (id: number): CompareSide => ({ kind: 'stored', id });
      await read().open(
        newest && before ? [stored(before.id), stored(newest.id)] : newest ? [stored(newest.id), now] : [now, now],
      );
    },
    async arrange(wanted) {
      const sides = wanted.slice(0, mostSides);
      change({ sides });
      await load(sides.filter((side) => !(writeSide(side) in read().loaded)));
      keep({});
    },
    async retry(sides = read().sides ?? []) {
      await load(sides);
    },
    async loadFetches({ lat, lng }) {
      const history = await runRequest(
        (fetchesRequest) => change({ fetchesRequest }),
        () => client.forecast.history({ lat, lng }),
      );
      change({ fetches: history?.fetches ?? [] });
    },
    async loadKept({ query: { lat, lng }, fetchedAt }) {
      const wanted = `${lat},${lng} ${fetchedAt}`;
      if (wanted === keptOf) return;
      const isOtherPlace = !keptOf.startsWith(`${lat},${lng} `);
      keptOf = wanted;
      if (isOtherPlace) change({ kept: [] });
      const { fetches } = await client.forecast.series({ lat, lng }).catch(() => ({ fetches: [] }));
      if (wanted === keptOf) change({ kept: fetches });
    },
    close: () => change({ sides: null, loaded: {} }),
  };
}
