// Runs a command by its ID, from the palette or a menu. Commands that belong to a screen run there: the palette opens the screen, and
// the screen runs them as soon as it is loaded (`useCommands`).
import { type CommandContext, type CommandId, commandIds, commandOf, contextParents } from '@rainbell/shared';
import type { AppStore, Screen } from '../../store/app-state.ts';
import { selectAnyCallback } from '../callbacks/selectors.ts';

/** Runs it now, or on its screen as soon as that is rendered. */
export function runCommand(store: AppStore, id: CommandId): void {
  const { commands, frame } = store.getState();
  if (commandOf(id).focusesField) holdTyping(window);
  if (commands.run(id)) return;
  const screen = screenOf(store, commandOf(id).context);
  if (screen === undefined) return;
  // Commands of one callback mean the newest if none is open.
  if (id.startsWith('callback.')) selectAnyCallback(store.getState());
  frame.goTo(screen);
  commands.runWhenOffered(id);
}

/** Runs what a menu names, if it is a command. */
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

/** Returns the screen of a context. */
export function screenOf(store: AppStore, context: CommandContext | null): Screen | undefined {
  if (context === null) return undefined;
  const here = store.features.find(({ screen }) => screen?.name === context)?.screen;
  return here?.name ?? screenOf(store, contextParents[context]);
}

/** A field's screen or dialog may still be loading, for the first time for seconds on a busy machine. */
const maxWaitMs = 10_000;
const fields = 'input:not([type=checkbox], [type=radio], [type=button], [type=submit]), textarea';

/** Holds what is typed after a command until a field outside of the palette has the focus, and types it there. Escape drops it. */
function holdTyping(page: Window): void {
  let typed = '';
  const timer = setTimeout(end, maxWaitMs);
  page.addEventListener('keydown', onKey, { capture: true });
  page.addEventListener('focusin', onFocus);

  function onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === 'Escape') end();
    else if (event.key === 'Backspace') typed = typed.slice(0, -1);
    else if (/^.$/u.test(event.key)) typed += event.key;
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function onFocus({ target }: FocusEvent): void {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
    if (!target.matches(fields) || target.closest('[data-palette]')) return;
    end();
    if (typed === '') return;
    target.setRangeText(typed, target.selectionStart ?? 0, target.selectionEnd ?? 0, 'end');
    target.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: typed }));
  }

  function end(): void {
    clearTimeout(timer);
    page.removeEventListener('keydown', onKey, { capture: true });
    page.removeEventListener('focusin', onFocus);
  }
}
