// The comparison on screen: any number of sides, each with its own request, so that one may fail without the others, and the stored
// fetches of the place that can be added.
import type { LatLng } from '@rainbell/contract/service-api';
import type { Forecast, StoredFetch } from '@rainbell/contract/app-rpc';
import { idle, type Request, runCancelableRequest } from '../../../store/request.ts';
import type { SliceTools } from '../../../store/slice.ts';
import { type CompareSide, maxSides, writeSide } from './compare-side.ts';

export type ComparedForecast = { forecast: Forecast | null; request: Request };

export interface CompareSlice extends ReturnType<typeof createCompareSlice> {}

const notLoaded: ComparedForecast = { forecast: null, request: idle };

export function createCompareSlice({ client, read, change }: SliceTools<CompareSlice>) {
  let fetchesOf = '';
  const store = (parts: Readonly<Record<string, ComparedForecast>>) => {
    const { sides, loaded } = read();
    const shown = (sides ?? []).map(writeSide);
    const all = { ...loaded, ...parts };
    change({ loaded: Object.fromEntries(shown.map((key) => [key, all[key] ?? notLoaded])) });
  };
  const loadOne = async (side: CompareSide) => {
    const key = writeSide(side);
    const before = read().loaded[key]?.forecast ?? null;
    const forecast = await runCancelableRequest(
      (request) => store({ [key]: { forecast: before, request } }),
      (signal) => {
        if (side.kind === 'stored') return client.forecast.stored({ id: side.id }, { signal });
        const { place, connectionId } = side;
        return client.forecast.get({ ...place, ...(connectionId === null ? {} : { connectionId }) }, { signal });
      },
    );
    if (forecast) store({ [key]: { forecast: withoutTexts(forecast), request: { state: 'done', at: Date.now() } } });
  };
  const load = async (sides: readonly CompareSide[]) => {
    await Promise.all([...new Map(sides.map((side) => [writeSide(side), side])).values()].map(loadOne));
  };
  return {
    onConnectionChange: { does: 'reset', keeping: ['sides'] } as const,
    /** Null while nothing is compared; otherwise the first is what the others are compared with. */
    sides: null as readonly CompareSide[] | null,
    /** By the side's text (`writeSide`). */
    loaded: {} as Readonly<Record<string, ComparedForecast>>,
    /** The stored forecasts of the place that was loaded last, newest first. */
    fetches: [] as readonly StoredFetch[],
    async open(sides: readonly CompareSide[]): Promise<void> {
      change({ sides: sides.slice(0, maxSides), loaded: {} });
      await load(read().sides ?? []);
    },
    /** Compares the place's last fetch with the previous one; if there is only one, with a new fetch. */
    async openFetches(place: LatLng): Promise<void> {
      await read().loadFetches(place);
      const [newest, before] = read().fetches;
      const now: CompareSide = { kind: 'live', place, connectionId: null };
      const stored = (id: number): CompareSide => ({ kind: 'stored', id });
      await read().open(
        newest && before ? [stored(before.id), stored(newest.id)] : newest ? [stored(newest.id), now] : [now, now],
      );
    },
    /** Changes which sides there are and their order; only new ones are loaded. */
    async arrange(wanted: readonly CompareSide[]): Promise<void> {
      const sides = wanted.slice(0, maxSides);
      change({ sides });
      await load(sides.filter((side) => !(writeSide(side) in read().loaded)));
      store({});
    },
    async retry(sides?: readonly CompareSide[]): Promise<void> {
      await load(sides ?? read().sides ?? []);
    },
    async loadFetches({ lat, lng }: LatLng): Promise<void> {
      if (fetchesOf !== `${lat},${lng}`) change({ fetches: [] });
      fetchesOf = `${lat},${lng}`;
      const { fetches } = await client.forecast.history({ lat, lng }).catch(() => ({ fetches: [] }));
      if (fetchesOf === `${lat},${lng}`) change({ fetches });
    },
    close: (): void => change({ sides: null, loaded: {} }),
  };
}

/** Nothing as the service sent it: a comparison shows none of it, and outlives a change of the connection. */
function withoutTexts({ request, response, ...forecast }: Forecast): Forecast {
  return {
    ...forecast,
    points: forecast.points.map((point) => ({ ...point, location: null, iconUrl: null })),
    request: { ...request, headers: [] },
    response: { ...response, headers: [], bodyText: '' },
  };
}
