// How components read the store: from React's context, by selector.
import { createContext, useContext } from 'react';
import { useStore } from 'zustand/react';
import type { AppState, AppStore } from './app-state.ts';

export const AppStoreContext = createContext<AppStore | null>(null);

export function useAppStore(): AppStore {
  const store = useContext(AppStoreContext);
  if (!store) throw new Error('This component is outside AppStoreContext.');
  return store;
}

/** The selected part; a component renders again only when that part changes. */
export function useApp<T>(select: (state: AppState) => T): T {
  return useStore(useAppStore(), select);
}
