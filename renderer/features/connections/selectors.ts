// What other features may read of the connections, and do with them.
import type { SavedConnection } from '@rainbell/contract/app-rpc';
import type { AppState } from '../../store/app-state.ts';

export const selectConnections = (state: AppState): readonly SavedConnection[] => state.connections.items;

/** Null until it is known. */
export const selectActiveId = (state: AppState): string | null => state.connections.selectedId;

export function selectActiveConnection({ connections: { items, selectedId } }: AppState): SavedConnection | undefined {
  return items.find(({ id }) => id === selectedId);
}

export function activateConnection(state: AppState, id: string): void {
  void state.connections.select(id);
}

export function editConnection(state: AppState, connection: SavedConnection): void {
  state.connections.openEditor({ kind: 'edit', connection });
}
