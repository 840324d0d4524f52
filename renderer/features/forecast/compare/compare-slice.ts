// The comparison on screen: any number of sides, each with its own request, so that one may fail while the others stand; and the
// kept fetches of the place that may be chosen.
import type { LatLng } from '#contract/service-api/geo.ts';
import type { Forecast, KeptSeries, StoredFetch } from '#contract/app-rpc/forecast.ts';
import { idle, type Request, runRequest } from '#renderer/store/request.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';
import { type CompareSide, mostSides, writeSide } from './compare-side.ts';

export type ComparedForecast = { forecast: Forecast | null; request: Request };

export type CompareSlice = {
  /** Null while nothing is compared; otherwise the first is what the others are compared with. */
  sides: readonly CompareSide[] | null;
  /** By the side's text (`writeSide`). */
  loaded: Readonly<Record<string, ComparedForecast>>;
  /** The kept fetches of the place whose comparison was opened, the newest first. */
  fetches: readonly StoredFetch[];
  fetchesRequest: Request;
  /** The hours of the kept fetches of a place, the newest fetch first. */
  kept: readonly KeptSeries[];
  open(sides: readonly CompareSide[]): Promise<void>;
  /** The place's last fetch beside the one before; beside itself asked anew where there is only one. */
  openFetches(place: LatLng): Promise<void>;
  /** Changes which sides there are and their order; only new ones are loaded. */
  arrange(sides: readonly CompareSide[]): Promise<void>;
  /** Loads these sides again, or all. */
  retry(sides?: readonly CompareSide[]): Promise<void>;
  loadFetches(place: LatLng): Promise<void>;
  /** Loads the hours of the kept fetches, for the history of one hour: once for each fetch of the place. */
  loadKept(forecast: Pick<Forecast, 'query' | 'fetchedAt'>): Promise<void>;
  close(): void;
};

export const notLoaded: ComparedForecast = { forecast: null, request: idle };

export function createCompareSlice({ client, read, change }: SliceTools<CompareSlice>): Slice<CompareSlice> {
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
    onConnectionChange: { does: 'reset', keeping: ['sides'] },
    sides: null,
    loaded: {},
    fetches: [],
    fetchesRequest: idle,
    kept: [],
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
