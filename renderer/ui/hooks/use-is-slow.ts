// Progress is shown only for requests that last.
import { useEffect, useState } from 'react';

const slowAfterMs = 500;

type Progress = { state: 'loading'; since: number } | { state: 'idle' | 'failed' | 'done' };

/** Whether a request has been loading for longer than people take for "at once". */
export function useIsSlow(request: Progress): boolean {
  const [slowSince, setSlowSince] = useState<number | null>(null);
  const since = request.state === 'loading' ? request.since : null;
  useEffect(() => {
    if (since === null) return;
    const timer = setTimeout(() => setSlowSince(since), Math.max(0, since + slowAfterMs - Date.now()));
    return () => clearTimeout(timer);
  }, [since]);
  return since !== null && slowSince === since;
}
