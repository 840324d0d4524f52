// What `rainbell` ends with, in one table: scripts branch on these numbers, so they never change their meaning.
import type { AppErrorCode } from '@rainbell/contract/app-rpc';

export const exitCodes = {
  done: 0,
  no: 1,
  wrongUse: 2,
  refused: 3,
  noResponse: 4,
  thisMachine: 5,
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The words of --help and docs/command-line.md. */
export const exitCodeMeanings: readonly (readonly [ExitCode, string])[] = [
  [exitCodes.done, 'success; for wait: callback received'],
  [
    exitCodes.no,
    'negative result: timed out, not delivered, invalid signature, failed check or import line, or changes (plan, apply)',
  ],
  [exitCodes.wrongUse, 'invalid arguments or input file; for plan and apply: any error'],
  [exitCodes.refused, 'the service refused: credentials, permissions, limits, or an unknown monitor or callback'],
  [exitCodes.noResponse, 'no usable response: no connection, no service there, or a server error'],
  [exitCodes.thisMachine, 'local error: data folder, port, or a bug in Rainbell'],
  [exitCodes.interrupted, 'interrupted while waiting (Ctrl+C)'],
];

const codesByFailure: Readonly<Record<AppErrorCode, ExitCode>> = {
  INVALID_INPUT: exitCodes.wrongUse,
  NETWORK: exitCodes.noResponse,
  SERVER: exitCodes.noResponse,
  PROTOCOL: exitCodes.noResponse,
  RATE_LIMITED: exitCodes.refused,
  INVALID_CLIENT: exitCodes.refused,
  INVALID_GRANT: exitCodes.refused,
  UNAUTHORIZED_CLIENT: exitCodes.refused,
  INVALID_SCOPE: exitCodes.refused,
  ACCESS_REFUSED: exitCodes.refused,
  NOT_FOUND: exitCodes.refused,
  CONFLICT: exitCodes.refused,
  REFUSED: exitCodes.refused,
  PORT_TAKEN: exitCodes.thisMachine,
  STORAGE: exitCodes.thisMachine,
  UNAVAILABLE: exitCodes.thisMachine,
  INTERNAL: exitCodes.thisMachine,
};

export function exitCodeOf(failure: AppErrorCode): ExitCode {
  return codesByFailure[failure];
}
