// The sizes of panes, remembered in this window's own storage.
import { useState } from 'react';
import { readSaved, save } from '../window-storage.ts';

/** Shares of the second pane, in percent. */
export const smallest = 20;
export const largest = 70;

/** The second pane's share in percent, remembered under `name`. `resize` takes null for the usual one. */
export function useSavedShare(
  name: string,
  defaultShare: number,
): { share: number; resize: (wanted: number | null) => void } {
  const [share, setShare] = useState(() => readShare(name) ?? defaultShare);
  const resize = (wanted: number | null) => {
    const next = Math.round(Math.min(largest, Math.max(smallest, wanted ?? defaultShare)) * 10) / 10;
    setShare(next);
    save(`rainbell.pane.${name}`, wanted === null ? null : String(next));
  };
  return { share, resize };
}

function readShare(name: string): number | null {
  const share = Number(readSaved(`rainbell.pane.${name}`) ?? Number.NaN);
  return share >= smallest && share <= largest ? share : null;
}
