// Which rows of a long list are on the page: those in view and a few beside them. All rows have one height, so nothing is measured
// or stored per row, and a list costs the same at a hundred thousand rows that grow by a thousand a second.
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

export type RowsInView = {
  /** The places in the list, ascending; no more of them than `slots`. */
  places: readonly number[];
  /** A row's element is used again for another `slots` rows further; see `slotOf`. */
  slots: number;
  /** The frame's scroll position, as last reported by the browser; reading it costs no layout. */
  scrollTop: () => number;
  /** Scrolls no further than it takes to see the row. */
  show: (place: number) => void;
  /** Keeps the visible rows in place after `count` rows were added above. */
  shift: (count: number) => void;
};

/** Rows beyond the edges, rendered before they are scrolled to. */
const beyond = 3;

export function useRowsInView(
  frame: RefObject<HTMLElement | null>,
  { count, rowHeight }: { count: number; rowHeight: number },
): RowsInView {
  const [view, setView] = useState({ top: 0, size: 0 });
  const scrollTop = useRef(0);
  const measure = useRef(() => {});
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    measure.current = () => {
      scrollTop.current = element.scrollTop;
      const top = Math.floor(element.scrollTop / rowHeight);
      const size = Math.ceil(element.clientHeight / rowHeight) + 1;
      setView((kept) => (kept.top === top && kept.size === size ? kept : { top, size }));
    };
    measure.current();
    // Synchronously, or the browser would paint the new position before its rows are rendered.
    const onScroll = () => flushSync(measure.current);
    const observer = new ResizeObserver(() => measure.current());
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [frame, rowHeight]);
  const first = Math.max(0, Math.min(view.top, count - view.size) - beyond);
  const end = view.size === 0 ? 0 : Math.min(count, view.top + view.size + beyond);
  return {
    places: Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index),
    slots: view.size + 2 * beyond,
    scrollTop: () => scrollTop.current,
    show(place) {
      const element = frame.current;
      if (!element) return;
      const [above, below] = [place * rowHeight, (place + 1) * rowHeight - element.clientHeight];
      if (element.scrollTop > above) element.scrollTo({ top: above });
      else if (element.scrollTop < below) element.scrollTo({ top: below });
    },
    shift(arrived) {
      frame.current?.scrollBy({ top: arrived * rowHeight });
      measure.current();
    },
  };
}

/**
 * The element that shows a row, for React's key. Counted from the list's end, so a row keeps its element while others come
 * above it, and a row that comes takes the element of one that left.
 */
export function slotOf(place: number, { count, slots }: { count: number; slots: number }): number {
  return (count - 1 - place) % slots;
}
