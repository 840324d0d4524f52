// What is typed right after a command that leads to a field: its screen or dialog may still be loading, for the first time for seconds
// on a busy machine. Escape ends the wait before.
const maxWaitMs = 10_000;
const fields = 'input:not([type=checkbox], [type=radio], [type=button], [type=submit]), textarea';

/** Holds what is typed until a field outside of the palette has the focus, and types it there. Escape drops it. */
export function holdTyping(page: Window): void {
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
