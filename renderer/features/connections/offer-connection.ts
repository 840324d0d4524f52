// The connection that a link names.
import type { AppState, AppStore } from '../../store/app-state.ts';

/** Says that the link is of another connection. Only the user puts that into use. */
export async function offerConnection(store: AppStore, wantedId: string): Promise<void> {
  const { items, selectedId } = await loadedConnections(store);
  if (wantedId === selectedId) return;
  const wanted = items.find(({ id }) => id === wantedId);
  const { toasts, connections } = store.getState();
  toasts.show(
    wanted
      ? {
          tone: 'plain',
          message: `This link is for the connection “${wanted.name}”.`,
          seconds: 30,
          action: { label: `Use ${wanted.name}`, run: () => void connections.select(wanted.id) },
        }
      : { tone: 'bad', message: 'This link is for a connection that this app doesn’t have.' },
  );
}

function loadedConnections(store: AppStore): Promise<AppState['connections']> {
  const { connections } = store.getState();
  if (connections.selectedId !== null) return Promise.resolve(connections);
  return new Promise((resolve) => {
    const stop = store.subscribe((state) => {
      if (state.connections.selectedId === null) return;
      stop();
      resolve(state.connections);
    });
  });
}
