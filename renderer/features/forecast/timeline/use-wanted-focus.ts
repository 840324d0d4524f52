// Leads the keyboard from choosing a place to its forecast, so that the arrows and the letters of the screen work at once.
import { type RefObject, useEffect } from 'react';
import { useApp } from '../../../store/use-app.ts';

export function useWantedFocus(element: RefObject<HTMLElement | null>): void {
  const isWanted = useApp((state) => state.forecast.isFocusWanted);
  const wantFocus = useApp((state) => state.forecast.wantFocus);
  useEffect(() => {
    if (!isWanted) return;
    // Don't take the focus if the user has moved it in the meantime.
    if (document.activeElement === document.body) element.current?.focus({ preventScroll: true });
    wantFocus(false);
  }, [isWanted, wantFocus, element]);
}
