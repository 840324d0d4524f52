// Returns the size of an element, rendered in the same frame in which it changes: a chart one frame late would be cut off.
import { useCallback, useState } from 'react';
import { flushSync } from 'react-dom';

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
    return () => observer.disconnect();
  }, []);
  return { ref, ...size };
}
