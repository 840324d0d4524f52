// The handle between two panes: dragged by the mouse, moved by the arrow keys, and back at its usual place after a double click or
// Enter. Sizes are remembered in this window's own storage.
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import classes from './SplitHandle.module.css';

const smallest = 20;
const largest = 70;
/** A handle that is dragged beyond this share collapses the second pane. */
const collapsesBelow = 8;
const step = 2;

/** The second pane's share in percent, remembered under `name`. `resize` takes null for the usual one. */
export function useKeptShare(name: string, usual: number): { share: number; resize: (wanted: number | null) => void } {
  const [share, setShare] = useState(() => readShare(name) ?? usual);
  const resize = (wanted: number | null) => {
    const next = Math.round(Math.min(largest, Math.max(smallest, wanted ?? usual)) * 10) / 10;
    setShare(next);
    keepPane(name, wanted === null ? null : String(next));
  };
  return { share, resize };
}

type Props = {
  label: string;
  share: number;
  /** In percent; null for the usual share. */
  onResize: (wanted: number | null) => void;
  onCollapse: () => void;
  /** The second pane is below the first. */
  isStacked?: boolean;
};

/** Stands between the panes, in a track of 1 px of their common grid. */
export function SplitHandle({ label, share, onResize, onCollapse, isStacked = false }: Readonly<Props>) {
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
    if (wanted < collapsesBelow) onCollapse();
    else onResize(wanted);
  };
  return (
    // A splitter is a focusable separator: https://www.w3.org/WAI/ARIA/apg/patterns/windowsplitter/
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      className={classes.handle}
      role="separator"
      aria-label={label}
      aria-orientation={isStacked ? 'horizontal' : 'vertical'}
      aria-valuenow={Math.round(share)}
      aria-valuemin={smallest}
      aria-valuemax={largest}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={onPointerMove}
      onDoubleClick={() => onResize(null)}
    />
  );
}

/** The share after a key, null for the usual one, undefined for other keys. The arrow shows where the handle goes. */
function shareAfterKey(key: string, share: number, isStacked: boolean): number | null | undefined {
  if (key === (isStacked ? 'ArrowUp' : 'ArrowLeft')) return share + step;
  if (key === (isStacked ? 'ArrowDown' : 'ArrowRight')) return share - step;
  if (key === 'Home') return largest;
  if (key === 'End') return smallest;
  return key === 'Enter' ? null : undefined;
}

function readShare(name: string): number | null {
  const share = Number(readPane(name) ?? Number.NaN);
  return share >= smallest && share <= largest ? share : null;
}

/** What is remembered of a pane; null for the usual. */
export function readPane(name: string): string | null {
  try {
    return localStorage.getItem(`rainbell.pane.${name}`);
  } catch {
    return null;
  }
}

/** Remembers it; null for the usual. */
export function keepPane(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`rainbell.pane.${name}`);
    else localStorage.setItem(`rainbell.pane.${name}`, value);
  } catch {
    // A full or forbidden storage costs only the memory of the size.
  }
}
