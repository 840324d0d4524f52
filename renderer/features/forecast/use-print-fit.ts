// Printing puts the forecast on one page. The chart is drawn for the window and is not drawn again for paper, so the screen
// keeps its size and is scaled to the page (ForecastScreen.module.css).
import { useEffect } from 'react';

/** CSS pixels that both A4 and Letter have on their side, inside the usual margins of 10 mm. */
const page = { width: 970, height: 700 };
/** Of the heading, which is on paper only. */
const headingHeight = 40;

/** Measures the boxes marked `data-printed`, one below the other, before the page is printed. */
export function usePrintFit(): void {
  useEffect(() => {
    const measure = () => {
      const boxes = [...document.querySelectorAll('[data-printed]')].map((box) => box.getBoundingClientRect());
      // The last one is the chart, which is narrower than the window while the pane is open.
      const width = boxes.at(-1)?.width ?? page.width;
      const height = boxes.reduce((sum, box) => sum + box.height, headingHeight);
      const variables = {
        '--rb-print-width': `${width}px`,
        '--rb-print-height': `${boxes.at(-1)?.height ?? 0}px`,
        '--rb-print-zoom': String(Math.min(page.width / width, page.height / height)),
      };
      const { style } = document.documentElement;
      for (const [name, value] of Object.entries(variables)) style.setProperty(name, value);
    };
    addEventListener('beforeprint', measure);
    return () => removeEventListener('beforeprint', measure);
  }, []);
}
