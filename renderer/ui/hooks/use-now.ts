// The machine's current time for countdowns and ages; it stops while the window is hidden.
import { useEffect, useState } from 'react';

export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    let timer = 0;
    // Clocks of one pace tick together, so that no two ages of the same data differ.
    const wait = () => {
      timer = window.setTimeout(tick, everyMs - (Date.now() % everyMs));
    };
    const tick = () => {
      if (!document.hidden) setNow(Date.now());
      clearTimeout(timer);
      wait();
    };
    wait();
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, [everyMs]);
  return now;
}
