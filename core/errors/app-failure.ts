// The one error type of the core: a code of contract/app-rpc/app-errors.ts, a sentence that says what to do, and facts for the
// screen. rpc-errors.ts turns it into the declared RPC error; nothing else decides what a screen gets to see.
import type { AppErrorCode, AppErrorDetails, AppProblem } from '@rainbell/contract/app-rpc';

export class AppFailure extends Error {
  readonly code: AppErrorCode;
  readonly details: AppErrorDetails;

  constructor(code: AppErrorCode, message: string, details: AppErrorDetails = {}, options: ErrorOptions = {}) {
    super(message, options);
    this.name = 'AppFailure';
    this.code = code;
    this.details = details;
  }

  with(details: AppErrorDetails): AppFailure {
    return new AppFailure(this.code, this.message, { ...this.details, ...details }, { cause: this.cause });
  }
}

/** Converts an error to data, for a status response. Any error except an AppFailure is an internal bug; its details stay hidden. */
export function toProblem(error: unknown): AppProblem {
  if (error instanceof AppFailure) return { code: error.code, message: error.message, details: error.details };
  return {
    code: 'INTERNAL',
    message: 'Something went wrong inside Rainbell. The log file in the data folder has the details.',
    details: {},
  };
}
