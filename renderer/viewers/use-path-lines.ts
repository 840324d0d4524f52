// The lines that a JSONPath leads to, searched for in a worker that ends when the time is up.
import { useEffect, useState } from 'react';
import type { PathSearch } from './json-path-worker.ts';
import { type Outcome, runInWorker } from './run-task.ts';

/** Null: the path can't be read. */
export type PathLines = Outcome<readonly number[] | null>;

/** `path` null searches for nothing. */
export function usePathLines(text: string, path: string | null): PathLines {
  const [last, setLast] = useState<{ of: string; text: string; found: PathLines } | null>(null);
  useEffect(() => {
    if (path === null) return undefined;
    const controller = new AbortController();
    const worker = new Worker(new URL('./json-path-worker.ts', import.meta.url), { type: 'module' });
    const search: PathSearch = { text, path };
    void runInWorker<readonly number[] | null>(worker, search, controller.signal).then((found) => {
      if (!controller.signal.aborted) setLast({ of: path, text, found });
    });
    return () => controller.abort();
  }, [text, path]);
  return last?.of === path && last.text === text ? last.found : { state: 'working' };
}
