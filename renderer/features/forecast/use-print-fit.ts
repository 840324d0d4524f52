// Printing puts the forecast on one page. Before the page is printed, the chart is drawn again in the shape of the paper, whatever the
// shape of the window and whether the pane is open; then all is scaled to the page (ForecastScreen.module.css).
import { useEffect } from 'react';
import { printLayoutEvent } from '#renderer/ui/hooks/print-layout.ts';

/** CSS pixels that both A4 and Letter have on their side, inside the usual margins of 10 mm. */
const page = { width: 970, height: 700 };
/** The width that the forecast is drawn in: words have a usual size on paper, and all hours fit. */
const drawnWidth = 1100;
const zoom = page.width / drawnWidth;
/** Of the heading, which is on paper only, and of what may be a line higher on paper. */
const headingHeight = 64;

/** Measures the boxes marked `data-printed`, one below the other; the last one is the chart, which gets the rest of the page. */
export function usePrintFit(): void {
  useEffect(() => {
    const root = document.documentElement;
    const fit = () => {
      const above = [...document.querySelectorAll('[data-printed]')].slice(0, -1);
      const used = above.reduce((sum, box) => sum + box.getBoundingClientRect().height, headingHeight);
      root.style.setProperty('--rb-print-width', `${drawnWidth}px`);
      root.style.setProperty('--rb-print-height', `${Math.floor(page.height / zoom - used)}px`);
      root.style.setProperty('--rb-print-zoom', String(zoom));
      root.toggleAttribute('data-printing', true);
      dispatchEvent(new Event(printLayoutEvent));
    };
    const release = () => {
      root.toggleAttribute('data-printing', false);
      dispatchEvent(new Event(printLayoutEvent));
    };
    addEventListener('beforeprint', fit);
    addEventListener('afterprint', release);
    return () => {
      removeEventListener('beforeprint', fit);
      removeEventListener('afterprint', release);
    };
  }, []);
}
