// The comparison on screen: two sides, each with its own request, so that one may fail while the other stands; and the kept
// fetches of the place that may be chosen.
import type { LatLng } from '#contract/service-api/geo.ts';
import type { Forecast, KeptSeries, StoredFetch } from '#contract/app-rpc/forecast.ts';
import { idle, type Request, runRequest } from '#renderer/store/request.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';
import { type ComparedSides, type CompareSide, writeSide } from './compare-side.ts';

export type SideName = 'a' | 'b';
export type ComparedForecast = { forecast: Forecast | null; request: Request };

export type CompareSlice = {
  /** Null while nothing is compared. */
  sides: ComparedSides | null;
  a: ComparedForecast;
  b: ComparedForecast;
  /** The kept fetches of the place whose comparison was opened, the newest first. */
  fetches: readonly StoredFetch[];
  fetchesRequest: Request;
  /** The hours of the kept fetches of a place, the newest fetch first. */
  kept: readonly KeptSeries[];
  open(sides: ComparedSides): Promise<void>;
  /** The place's last fetch beside the one before; beside itself asked anew where there is only one. */
  openFetches(place: LatLng): Promise<void>;
  choose(name: SideName, side: CompareSide): Promise<void>;
  retry(name: SideName): Promise<void>;
  loadFetches(place: LatLng): Promise<void>;
  /** Loads the hours of the kept fetches, for the history of one hour. */
  loadKept(place: LatLng): Promise<void>;
  close(): void;
};

const nothing: ComparedForecast = { forecast: null, request: idle };

export function createCompareSlice({ client, read, change }: SliceTools<CompareSlice>): Slice<CompareSlice> {
  let newestKept = 0;
  const load = async (name: SideName) => {
    const side = read().sides?.[name];
    if (!side) return;
    const isCurrent = () => {
      const now = read().sides?.[name];
      return now !== undefined && writeSide(now) === writeSide(side);
    };
    const forecast = await runRequest(
      (request) => {
        if (isCurrent()) change({ [name]: { ...read()[name], request } });
      },
      () =>
        side.kind === 'stored'
          ? client.forecast.stored({ id: side.id })
          : client.forecast.get({
              ...side.place,
              ...(side.connectionId === null ? {} : { connectionId: side.connectionId }),
            }),
    );
    if (forecast && isCurrent()) change({ [name]: { ...read()[name], forecast } });
  };
  return {
    onConnectionChange: { does: 'reset', keeping: ['sides'] },
    sides: null,
    a: nothing,
    b: nothing,
    fetches: [],
    fetchesRequest: idle,
    kept: [],
    async open(sides) {
      change({ sides, a: nothing, b: nothing });
      await Promise.all([load('a'), load('b')]);
    },
    async openFetches(place) {
      await read().loadFetches(place);
      const [newest, before] = read().fetches;
      const now: CompareSide = { kind: 'live', place, connectionId: null };
      await read().open({
        a: newest && before ? { kind: 'stored', id: before.id } : newest ? { kind: 'stored', id: newest.id } : now,
        b: newest && before ? { kind: 'stored', id: newest.id } : now,
      });
    },
    async choose(name, side) {
      const { sides } = read();
      if (!sides) return;
      change({ sides: { ...sides, [name]: side }, [name]: nothing });
      await load(name);
    },
    retry: load,
    async loadFetches({ lat, lng }) {
      const history = await runRequest(
        (fetchesRequest) => change({ fetchesRequest }),
        () => client.forecast.history({ lat, lng }),
      );
      change({ fetches: history?.fetches ?? [] });
    },
    async loadKept({ lat, lng }) {
      newestKept += 1;
      const turn = newestKept;
      const { fetches } = await client.forecast.series({ lat, lng }).catch(() => ({ fetches: [] }));
      if (turn === newestKept) change({ kept: fetches });
    },
    close: () => change({ sides: null, a: nothing, b: nothing }),
  };
}
