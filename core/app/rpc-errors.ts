// The one place where what went wrong in the core becomes an error that the screen knows (contract/app-rpc/app-errors.ts).
import type { z } from 'zod';
import { ORPCError, ValidationError } from '@orpc/server';
import { type AppErrorCode, type AppErrorDetails, tokenErrorCodes } from '@rainbell/contract/app-rpc';
import {
  type Clock,
  describeStorageError,
  formatInstant,
  formatSchemaError,
  storageCauseOf,
  storageRemedy,
} from '@rainbell/shared';
import { AppFailure, toProblem } from '../errors/app-failure.ts';
import type { Log } from '../ports/log.ts';

/** Logs internal errors in full; the screen gets no details of them. */
export function toRpcError(error: unknown, log: Log, clock: Clock): ORPCError<AppErrorCode, AppErrorDetails> {
  const failure = toFailure(error);
  if (!failure) log.error({ err: error }, 'a procedure failed');
  const { code, message, details } = toProblem(failure ?? error);
  const data = tokenErrorCodes.includes(code) ? { ...details, at: formatInstant(clock.now()) } : details;
  return new ORPCError(code, { defined: true, message, data });
}

function toFailure(error: unknown): AppFailure | undefined {
  if (error instanceof AppFailure) return error;
  const phrase = describeStorageError(error);
  if (phrase !== undefined && storageCauseOf(error) !== 'unreachable') return storageFailure(error, phrase);
  if (!(error instanceof ORPCError) || !(error.cause instanceof ValidationError)) return undefined;
  // Every procedure's input is a zod schema.
  const [issue] = error.cause.issues as readonly z.core.$ZodIssue[];
  const field = issue?.path.join('.') ?? '';
  const sentence = `${formatSchemaError(issue, error.cause.data, 'The input')}.`;
  return new AppFailure('INVALID_INPUT', sentence, field === '' ? {} : { field });
}

/** The user can repair the data folder, so this is not an internal error. */
function storageFailure(error: unknown, phrase: string): AppFailure {
  const cause = storageCauseOf(error);
  const remedy = cause === undefined ? 'Try again' : storageRemedy(cause);
  return new AppFailure(
    'STORAGE',
    `Rainbell could not read or write its data: ${phrase}. ${remedy}.`,
    {},
    { cause: error },
  );
}
