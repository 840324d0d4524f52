// Rows of any height in a scrolling list: only those in view, and a few next to them, are on the page.
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type Ref, useEffect, useImperativeHandle } from 'react';

export type ShowRow = (row: number) => void;

type Props = {
  ref?: Ref<ShowRow>;
  /** The scrolling element; null until it is on the page. A state, not a ref, so that the rows are drawn again once it exists. */
  frame: HTMLElement | null;
  count: number;
  /** A first guess at a row's height in pixels; the real one is measured. */
  estimate: (row: number) => number;
  children: (row: number) => ReactNode;
  /** Comes into view when it changes. */
  shownRow?: number | undefined;
  overscan: number;
  /** Rows with the same key use the same element; must keep its identity while the rows stay the same. */
  keyOf?: (row: number) => string | number;
};

export function WindowedRows(props: Readonly<Props>) {
  const { ref, frame, count, estimate, children, overscan, shownRow, keyOf } = props;
  // Its functions change with the scroll position; nothing here keeps them over a render.
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => frame,
    estimateSize: estimate,
    overscan,
    useFlushSync: false,
    ...(keyOf && { getItemKey: keyOf }),
  });
  useImperativeHandle(ref, () => (row) => virtual.scrollToIndex(row), [virtual]);
  useEffect(() => {
    if (frame && shownRow !== undefined) virtual.scrollToIndex(shownRow, { align: 'start' });
    // The virtualizer is the same one at every render.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [frame, shownRow]);
  const items = virtual.getVirtualItems();
  return (
    <div role="presentation" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
      <div
        role="presentation"
        style={{
          left: 0,
          position: 'absolute',
          right: 0,
          top: 0,
          transform: `translateY(${items[0]?.start ?? 0}px)`,
        }}
      >
        {items.map(({ index, key }) => (
          <div key={key} ref={virtual.measureElement} data-index={index}>
            {children(index)}
          </div>
        ))}
      </div>
    </div>
  );
}
