// Why the service cannot start, for the user who starts it: one sentence with the problem and the fix. `main.ts` prints only the
// message, without a stack trace.

import { describeStorageError, storageCauseOf, storageRemedy } from '@rainbell/shared';

/** `settings`: a flag or environment variable is wrong (exit code 2). `start`: the machine does not allow it (exit code 1). */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly kind: 'settings' | 'start';

  constructor(kind: 'settings' | 'start', message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** Returns why the service or a command failed, never a stack. `what` begins the text: "The service failed". */
export function describeFailure(error: unknown, what?: string): string {
  if (error instanceof StartError) return error.message;
  const start = what === undefined ? '' : `${what}: `;
  const cause = storageCauseOf(error);
  const phrase = describeStorageError(error);
  if (phrase !== undefined) return `${start}${phrase}.${cause === undefined ? '' : ` ${storageRemedy(cause)}.`}`;
  return `${start}${error instanceof Error ? error.message : String(error)}`;
}
