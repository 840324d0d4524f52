// What other features may read of the traffic log, and do with it.
import type { Forecast } from '@rainbell/contract/app-rpc';
import type { AppState, AppStore } from '../../store/app-state.ts';
import type { TrafficSlice } from './traffic-slice.ts';

export const selectPeek = (state: AppState): TrafficSlice['peek'] => state.traffic.peek;

export function openExchange(state: AppState, id: number): void {
  state.frame.goTo('traffic');
  void state.traffic.select(id);
}

/** As many as the search of Traffic takes. */
const maxFilterCharacters = 200;

/** Opens the exchange of a forecast, with its timing. */
export async function openExchangeOf(store: AppStore, { request, fetchedAt }: Forecast): Promise<void> {
  const { frame, traffic } = store.getState();
  frame.goTo('traffic');
  const text = request.url.slice(0, maxFilterCharacters);
  await traffic.setFilter({ text, kind: 'any', connectionId: null, failedOnly: false });
  const distance = (at: string, tookMs: number) => Math.abs(Date.parse(at) + tookMs - Date.parse(fetchedAt));
  const { rows, select } = store.getState().traffic;
  const [nearest] = rows.toSorted((a, b) => distance(a.at, a.tookMs) - distance(b.at, b.tookMs));
  if (nearest) await select(nearest.id);
}
