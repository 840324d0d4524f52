// What a request is doing, as one union instead of three booleans, and what went wrong in a form that screens can show.
// Data that was fetched before stays beside it, so a failure never empties a screen.
import type { AppErrorCode, AppErrorDetails } from '@rainbell/contract/app-rpc';

export type Failure = {
  /** `LINK_LOST`: the window lost its connection to the app itself. `CANCELED`: the user canceled the request. */
  code: AppErrorCode | 'LINK_LOST' | 'CANCELED';
  message: string;
  details: AppErrorDetails;
};

export type Request =
  | { state: 'idle' }
  | { state: 'loading'; since: number; /** If the request can be canceled. */ cancel?: () => void }
  | { state: 'failed'; failure: Failure; at: number }
  | { state: 'done'; at: number };

export const idle: Request = { state: 'idle' };

/** Reads what a call threw. Errors cross as data (`code`, `message`, `data`), so nothing here depends on their class. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
    const details = 'data' in error && typeof error.data === 'object' && error.data !== null ? error.data : {};
    return { code: error.code as Failure['code'], message: error.message, details };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'INTERNAL', message, details: {} };
}

export type Outcome<T> = { value: T; failure?: undefined } | { value?: undefined; failure: Failure };

/** Runs one call for a component that keeps the result, or the failure, itself. */
export async function outcomeOf<T>(call: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await call() };
  } catch (error) {
    return { failure: toFailure(error) };
  }
}

export type RunOptions = {
  /** What is shown if the user cancels it. */
  canceledText?: string;
  /** Whether its states and its result are still wanted; always if absent. */
  isCurrent?: () => boolean;
};

/** Runs one call and reports each of its states to `report`; returns undefined if it failed, or is no longer wanted. */
export async function runRequest<T>(
  report: (request: Request) => void,
  call: () => Promise<T>,
  { isCurrent = () => true, cancel }: { isCurrent?: () => boolean; cancel?: () => void } = {},
): Promise<T | undefined> {
  report({ state: 'loading', since: Date.now(), ...(cancel && { cancel }) });
  try {
    const value = await call();
    if (!isCurrent()) return undefined;
    report({ state: 'done', at: Date.now() });
    return value;
  } catch (error) {
    if (isCurrent()) report({ state: 'failed', failure: toFailure(error), at: Date.now() });
    return undefined;
  }
}

/** Runs one call that the user can cancel; the signal then ends it in core, too. */
export async function runCancelableRequest<T>(
  report: (request: Request) => void,
  call: (signal: AbortSignal) => Promise<T>,
  { canceledText = 'You canceled the request.', isCurrent }: RunOptions = {},
): Promise<T | undefined> {
  const canceling = new AbortController();
  const { signal } = canceling;
  const aborted = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => aborted.reject(new Canceled(canceledText)), { once: true });
  // An answer that comes first leaves it without a reader.
  aborted.promise.catch(() => {});
  return runRequest(report, () => Promise.race([call(signal), aborted.promise]), {
    cancel: () => canceling.abort(),
    ...(isCurrent && { isCurrent }),
  });
}

/** Whether the user canceled it. */
export function isCanceled(request: Request): boolean {
  return request.state === 'failed' && request.failure.code === 'CANCELED';
}

class Canceled extends Error {
  readonly code = 'CANCELED';
}

/** What a slice of the former connection gets instead of sending. */
export class ConnectionChanged extends Error {
  readonly code = 'UNAVAILABLE';
  constructor() {
    super('Not sent because the active connection changed in the meantime.');
  }
}
