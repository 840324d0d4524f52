// Runs a viewer's task: at once if it is small, otherwise in its own worker, which ends when the viewer no longer needs the result or
// when the time is up. So nothing that arrives can block the page.
import { useEffect, useMemo, useState } from 'react';
import { budget } from './budget.ts';
import { runHere, type TaskInput, type TaskName, type TaskResult } from './tasks.ts';
import type { TaskMessage } from './viewer-worker.ts';

type Outcome<Value> =
  | { state: 'working' }
  | { state: 'done'; value: Value }
  | { state: 'failed'; reason: 'deadline' | 'error' };
export type TaskState<Name extends TaskName> = Outcome<TaskResult<Name>>;

/** The worker answers once, and is ended. Ends early, without a result, when `signal` aborts. */
function runInWorker<Value>(worker: Worker, message: unknown, signal: AbortSignal): Promise<Outcome<Value>> {
  return new Promise((resolve) => {
    const finish = (outcome: Outcome<Value>) => {
      clearTimeout(deadline);
      worker.terminate();
      resolve(outcome);
    };
    const deadline = setTimeout(() => finish({ state: 'failed', reason: 'deadline' }), budget.workerMs);
    signal.addEventListener('abort', () => finish({ state: 'working' }), { once: true });
    worker.addEventListener('message', ({ data }: MessageEvent<Value>) => finish({ state: 'done', value: data }));
    worker.addEventListener('error', () => finish({ state: 'failed', reason: 'error' }));
    worker.postMessage(message);
  });
}

/**
 * Returns the result of a viewer's task. `input` must keep its identity while it means the same. While a task about the same `subject` is
 * running, the previous result stays, so that "Show more" does not empty the view.
 */
export function useTask<Name extends TaskName>(
  name: Name,
  input: TaskInput<Name>,
  { length, subject }: { length: number; subject: unknown },
): TaskState<Name> {
  const isSmall = length <= budget.atOnceCharacters;
  const here = useMemo(() => (isSmall ? runOnPage(name, input) : null), [isSmall, name, input]);
  const [last, setLast] = useState<{ input: unknown; subject: unknown; outcome: TaskState<Name> } | null>(null);
  useEffect(() => {
    if (isSmall) return undefined;
    const controller = new AbortController();
    const worker = new Worker(new URL('./viewer-worker.ts', import.meta.url), { type: 'module' });
    const message: TaskMessage = { name, input };
    void runInWorker<TaskResult<Name>>(worker, message, controller.signal).then((outcome) => {
      if (!controller.signal.aborted) setLast({ input, subject, outcome });
    });
    return () => controller.abort();
  }, [isSmall, name, input, subject]);
  if (here) return here;
  return last !== null && (last.input === input || last.subject === subject) ? last.outcome : { state: 'working' };
}

function runOnPage<Name extends TaskName>(name: Name, input: TaskInput<Name>): TaskState<Name> {
  try {
    return { state: 'done', value: runHere(name, input) };
  } catch {
    return { state: 'failed', reason: 'error' };
  }
}
