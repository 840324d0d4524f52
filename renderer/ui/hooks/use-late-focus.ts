// Mantine's focus trap looks for `data-autofocus` only as the dialog opens.
import { type RefObject, useEffect, useRef } from 'react';

/**
 * For fields that come after a request; to be given to what holds them. Once it is there, its first element with
 * `data-autofocus` has the focus, unless the person has put it elsewhere meanwhile.
 */
export function useLateFocus(): RefObject<HTMLDivElement | null> {
  const fields = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // What a trap chooses in a dialog without fields: its first button, which closes it.
    const chosen = fields.current?.closest('[role="dialog"]')?.querySelector('button');
    if (chosen !== document.activeElement) return;
    fields.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus({ preventScroll: true });
  }, []);
  return fields;
}
