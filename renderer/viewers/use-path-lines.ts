// The lines that a JSONPath leads to, searched for in a worker that ends when the time is up.
import { useEffect, useState } from 'react';
import { budget } from './budget.ts';
import type { PathSearch } from './json-path-worker.ts';

export type PathLines = 'working' | 'failed' | { readonly lines: readonly number[] | null };

/** `path` null searches for nothing. A path that can't be read has `lines` null. */
export function usePathLines(text: string, path: string | null): PathLines {
  const [last, setLast] = useState<{ of: string; text: string; found: PathLines } | null>(null);
  useEffect(() => {
    if (path === null) return undefined;
    const worker = new Worker(new URL('./json-path-worker.ts', import.meta.url), { type: 'module' });
    const finish = (found: PathLines) => {
      clearTimeout(deadline);
      worker.terminate();
      setLast({ of: path, text, found });
    };
    const deadline = setTimeout(() => finish('failed'), budget.workerMs);
    worker.addEventListener('message', ({ data }: MessageEvent<readonly number[] | null>) => finish({ lines: data }));
    worker.addEventListener('error', () => finish('failed'));
    worker.postMessage({ text, path } satisfies PathSearch);
    return () => {
      clearTimeout(deadline);
      worker.terminate();
    };
  }, [text, path]);
  return last?.of === path && last.text === text ? last.found : 'working';
}
