// The sizes of panes, remembered in this window's own storage.
import { useState } from 'react';

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
    savePane(name, wanted === null ? null : String(next));
  };
  return { share, resize };
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
export function savePane(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`rainbell.pane.${name}`);
    else localStorage.setItem(`rainbell.pane.${name}`, value);
  } catch {
    // A full or forbidden storage costs only the memory of the size.
  }
}
