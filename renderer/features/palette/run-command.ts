// Runs a command by its ID, from the palette or a menu. Commands that belong to a screen run there: the palette opens the screen, and
// the screen runs them as soon as it is loaded (`useCommands`).
import { type CommandContext, type CommandId, commandIds, commandOf, contextParents } from '@rainbell/shared';
import type { AppStore, Screen } from '../../store/app-state.ts';
import { selectAnyCallback } from '../callbacks/selectors.ts';

/** Runs it now, or on its screen as soon as that is rendered. */
export function runCommand(store: AppStore, id: CommandId): void {
  const { commands, frame } = store.getState();
  if (commands.run(id)) return;
  const screen = screenOf(store, commandOf(id).context);
  if (screen === undefined) return;
  // Commands of one callback mean the newest if none is open.
  if (id.startsWith('callback.')) selectAnyCallback(store.getState());
  frame.goTo(screen);
  commands.runWhenOffered(id);
}

export function runKnownCommand(store: AppStore, id: unknown): void {
  const known = commandIds.find((one) => one === id);
  if (known !== undefined) runCommand(store, known);
}

/** Whether the palette should list it: on its own screen, only what that screen can do now. */
export function isAvailable(store: AppStore, id: CommandId): boolean {
  const state = store.getState();
  const { commands, frame } = state;
  const { context, isKeyOnly } = commandOf(id);
  if (isKeyOnly || store.features.some(({ isCommandHidden }) => isCommandHidden?.(state, id))) return false;
  if (commands.isOffered(id)) return true;
  const screen = screenOf(store, context);
  return screen !== undefined && screen !== frame.screen;
}

export function screenOf(store: AppStore, context: CommandContext | null): Screen | undefined {
  if (context === null) return undefined;
  const here = store.features.find(({ screen }) => screen?.name === context)?.screen;
  return here?.name ?? screenOf(store, contextParents[context]);
}
