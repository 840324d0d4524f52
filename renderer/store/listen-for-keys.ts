// The app's one listener for shortcuts: finds what the screens offer for a key, and leaves the key to a field or dialog that has
// the focus.
import { keyNameOf } from '@rainbell/shared';
import type { AppStore } from './app-state.ts';

const fields =
  'input:not([type=checkbox], [type=radio], [type=button], [type=submit]), textarea, select, [contenteditable=true]';

/** Returns the function that ends it. */
export function listenForKeys(store: AppStore, page: Window): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || isCovered(page.document)) return;
    const name = keyNameOf(event, event.getModifierState('AltGraph'));
    // Only function keys and Ctrl are not text.
    const isText = name !== undefined && !/^(F\d|Mod\+)/.test(name);
    if (name === undefined || isUsedByControl(name, event.target)) return;
    if (isText && event.target instanceof Element && event.target.matches(fields)) return;
    const command = store.getState().commands.findByKey(name);
    if (!command) return;
    event.preventDefault();
    command.run();
  };
  page.addEventListener('keydown', onKey);
  return () => page.removeEventListener('keydown', onKey);
}

const walking = /^(?:Shift\+)?(?:Arrow|Page|Home$|End$)/;

/** Whether the focused control uses a key that moves or presses: arrows choose a radio button, Enter presses a button. */
function isUsedByControl(name: string, target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  const isUnused = 'body, main, [role="slider"]';
  if (name === 'Enter') return !target.matches(isUnused);
  return walking.test(name) && !target.matches(`${isUnused}, button:not([role]), a[href]`);
}

/** Whether a dialog, menu, or panel is open: keys belong to it. */
function isCovered(document: Document): boolean {
  return (
    document.querySelector('[role="dialog"][aria-modal="true"], [role="menu"], [role="dialog"]:popover-open') !== null
  );
}
