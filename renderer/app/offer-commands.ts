// Offers the commands of the features, and one per screen, for as long as the window is open.
import { frameCommands } from '@rainbell/shared';
import type { AppStore, Feature } from '../store/app-state.ts';

export function offerCommands(store: AppStore): void {
  const keysOf: Readonly<Record<string, { keys: readonly string[] }>> = frameCommands;
  const { offer } = store.getState().commands;
  for (const feature of store.features) {
    const actions = Object.entries(actionsOf(feature, store));
    offer(new Map(actions.map(([id, action]) => [id, { keys: keysOf[id]?.keys ?? [], run: () => void action() }])));
  }
}

function actionsOf({ screen, commands }: Feature, store: AppStore): Record<string, () => unknown> {
  const go = screen && { [`go.${screen.name}`]: () => store.getState().frame.goTo(screen.name) };
  return { ...go, ...commands?.(store) };
}
