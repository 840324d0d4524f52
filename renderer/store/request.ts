// What a request is doing, as one union instead of three booleans, and what went wrong in a form that screens can show.
// Data that was fetched before stays beside it, so a failure never empties a screen.
import type { AppErrorCode, AppErrorDetails } from '#contract/app-rpc/app-errors.ts';

export type Failure = {
  /** `LINK_LOST`: the window lost its connection to the app itself. */
  code: AppErrorCode | 'LINK_LOST';
  message: string;
  details: AppErrorDetails;
};

export type Request =
  | { state: 'idle' }
  | { state: 'loading'; since: number }
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

/** Runs one call and tells `report` each of its states; answers undefined where it failed. */
export async function runRequest<T>(
  report: (request: Request) => void,
  call: () => Promise<T>,
): Promise<T | undefined> {
  report({ state: 'loading', since: Date.now() });
  try {
    const value = await call();
    report({ state: 'done', at: Date.now() });
    return value;
  } catch (error) {
    report({ state: 'failed', failure: toFailure(error), at: Date.now() });
    return undefined;
  }
}
