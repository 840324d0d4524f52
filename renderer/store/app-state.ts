// The state of the screens' one store, as features see it.
import type { StoreApi } from 'zustand/vanilla';
import type { NewToast } from './toasts-slice.ts';

/**
 * A member per slice. `app/app-store.ts` assembles the slices and adds their types here by declaration merging, so that features
 * read each other's state without importing each other.
 */
// oxlint-disable-next-line typescript/consistent-type-definitions -- only interfaces merge
export interface AppState {}

export type AppStore = StoreApi<AppState> & {
  /** Another connection is active: every slice does what it declares; `formerName` names the former connection in messages. */
  changeConnection(formerName: string): void;
};

/** What a slice may use of the others: their state and actions, and toasts, which name the slice's connection. */
export type OtherSlices = { get: () => AppState; show: (toast: NewToast) => number };
