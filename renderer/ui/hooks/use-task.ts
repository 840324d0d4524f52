// The busy state of what a button starts.
import { useRef, useState } from 'react';

/** Shorter work ends before a busy state could be read. */
const busyAfterMs = 150;

/** `run` starts it, unless it runs. `work` reports its own failures. */
export function useTask(work: () => Promise<unknown>) {
  const isRunning = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const run = async () => {
    if (isRunning.current) return;
    isRunning.current = true;
    const pressed = document.activeElement;
    const timer = setTimeout(() => setBusy(true), busyAfterMs);
    try {
      await work();
    } finally {
      clearTimeout(timer);
      isRunning.current = false;
      setBusy(false);
      // A busy button is disabled, and the browser takes the focus off it.
      requestAnimationFrame(() => {
        if (document.activeElement === document.body && pressed instanceof HTMLElement) pressed.focus();
      });
    }
  };
  return { isBusy, run: () => void run() };
}
