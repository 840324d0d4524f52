// What other features may read of the callbacks, and do with them.
import type { SavedFilter } from '@rainbell/contract/app-rpc';
import type { AppState } from '../../store/app-state.ts';

export const selectSavedSearches = (state: AppState): readonly SavedFilter[] => state.callbackSearch.filters;

/** 0 if there is none. */
export const newestCallbackId = (state: AppState): number => state.callbacks.newestId();

export function searchCallbacks(state: AppState, query: string): void {
  state.frame.goTo('callbacks');
  void state.callbackSearch.search(query);
}

export function openCallback(state: AppState, id: number): void {
  state.frame.goTo('callbacks');
  void state.callbacks.select(id);
}

/** The newest one, if none is selected. */
export function selectAnyCallback({ callbacks }: AppState): void {
  if (callbacks.selectedId === null) void callbacks.select(callbacks.newestId());
}
