// Mantine's focus trap looks for `data-autofocus` only as the dialog opens.
import { type RefObject, useEffect, useRef } from 'react';

/**
 * For fields that are rendered after a request, or instead of others; set it on their container. As soon as they are rendered, and
 * after each change of `step`, the first element with `data-autofocus` gets the focus, unless the user has moved it elsewhere.
 */
export function useLateFocus<Container extends HTMLElement = HTMLDivElement>(
  step?: unknown,
): RefObject<Container | null> {
  const fields = useRef<Container>(null);
  useEffect(() => {
    // What a trap chooses in a dialog without fields: its first button, which closes it.
    const chosen = fields.current?.closest('[role="dialog"]')?.querySelector('button');
    // What had the focus is gone.
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (!isLost && chosen !== document.activeElement) return;
    fields.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus({ preventScroll: true });
  }, [step]);
  return fields;
}
