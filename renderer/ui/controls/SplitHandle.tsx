// The handle between two panes: dragged by the mouse, moved by the arrow keys, and back at its usual place after a double click or
// Enter. Sizes are remembered in this window's own storage.
import type { KeyboardEvent, PointerEvent } from 'react';
import { largest, smallest } from '../hooks/use-saved-share.ts';
import classes from './SplitHandle.module.css';

const step = 2;

type Props = {
  label: string;
  share: number;
  /** In percent; null for the usual share. */
  onResize: (wanted: number | null) => void;
  /** The second pane is below the first. */
  isStacked: boolean;
};

export function SplitHandle({ label, share, onResize, isStacked }: Readonly<Props>) {
  const onKeyDown = (event: KeyboardEvent) => {
    const wanted = shareAfterKey(event.key, share, isStacked);
    if (wanted === undefined) return;
    event.preventDefault();
    onResize(wanted);
  };
  const onPointerMove = ({ currentTarget, pointerId, clientX, clientY }: PointerEvent) => {
    const box = currentTarget.parentElement?.getBoundingClientRect();
    if (!box || !currentTarget.hasPointerCapture(pointerId)) return;
    const wanted = isStacked ? ((box.bottom - clientY) / box.height) * 100 : ((box.right - clientX) / box.width) * 100;
    onResize(wanted);
  };
  return (
    // A splitter is a focusable separator: https://www.w3.org/WAI/ARIA/apg/patterns/windowsplitter/
    <div
      className={classes.handle}
      role="separator"
      aria-label={label}
      aria-orientation={isStacked ? 'horizontal' : 'vertical'}
      aria-valuenow={Math.round(share)}
      aria-valuemin={smallest}
      aria-valuemax={largest}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={onPointerMove}
      onDoubleClick={() => onResize(null)}
    />
  );
}

/** The share after a key, null for the default, undefined for other keys. The arrow shows the direction of the handle. */
function shareAfterKey(key: string, share: number, isStacked: boolean): number | null | undefined {
  if (key === (isStacked ? 'ArrowUp' : 'ArrowLeft')) return share + step;
  if (key === (isStacked ? 'ArrowDown' : 'ArrowRight')) return share - step;
  if (key === 'Home') return largest;
  if (key === 'End') return smallest;
  return key === 'Enter' ? null : undefined;
}
