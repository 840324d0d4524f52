// Returns the size of an element, rendered in the same frame in which it changes: a chart one frame late would be cut off.
import { useCallback, useState } from 'react';
import { flushSync } from 'react-dom';
import { printLayoutEvent } from './print-layout.ts';

type Size = { width: number; height: number };

/** Zero until the element is on the page. Pixels of the content box. */
export function useBoxSize<Box extends HTMLElement>(): Size & { ref: (box: Box | null) => (() => void) | undefined } {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  const ref = useCallback((box: Box | null) => {
    if (!box) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (!entry) return;
      const { width, height } = entry.contentRect;
      flushSync(() => setSize({ width, height }));
    });
    observer.observe(box);
    // Boxes that are printed have no padding.
    const measure = () => flushSync(() => setSize({ width: box.clientWidth, height: box.clientHeight }));
    addEventListener(printLayoutEvent, measure);
    return () => {
      observer.disconnect();
      removeEventListener(printLayoutEvent, measure);
    };
  }, []);
  return { ref, ...size };
}
