// After a Save that was stopped, the keyboard is in the first field that is wrong.
import { type RefObject, useEffect, useState } from 'react';

/** The function is to be called with the change that shows the problems. */
export function useProblemFocus(fields: RefObject<HTMLElement | null>): () => void {
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    if (asked > 0) fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [asked, fields]);
  return () => setAsked((count) => count + 1);
}
