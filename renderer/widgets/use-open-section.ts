// Scrolls to the section of the screen that a link opened, as soon as it is on the page.
import { useEffect, useRef } from 'react';
import type { Screen } from '../store/app-state.ts';
import { useApp } from '../store/use-app.ts';

/** Sections mark themselves with `data-section`. */
export function useOpenSection(screen: Screen): void {
  const section = useApp((state) => state.frame.sections[screen]);
  const shown = useRef<string>(undefined);
  // Without dependencies: a section may appear only after its data are loaded.
  useEffect(() => {
    if (section === shown.current) return;
    if (section === undefined) return void (shown.current = undefined);
    const element = document.querySelector(`[data-section="${CSS.escape(section)}"]`);
    if (!element) return;
    shown.current = section;
    element.scrollIntoView({ block: 'start' });
  });
}
