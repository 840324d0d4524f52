// Errors as data. Screens branch on the code, never on the message, which names the field, the rule, and what to do, never a secret.
import { z } from 'zod';

/** What a screen may show with the message. `httpStatus` and `error` come from the remote service. */
export const appErrorDetailsSchema = z.object({
  field: z.string().optional(),
  /** Of a form: what is wrong with each field. */
  problems: z.record(z.string(), z.string()).optional(),
  httpStatus: z.number().optional(),
  error: z.string().optional(),
  retryAfterSeconds: z.number().optional(),
  /** The request behind the error, in the traffic log. */
  trafficId: z.int().optional(),
  port: z.number().optional(),
  /** What the user can do now: get a client-credentials token (monitors, docs/interface.md §5.7), or sign in. */
  needs: z.enum(['client_credentials', 'sign_in']).optional(),
  /** When the service rejected a token, by the host's clock, as RFC 3339: the browser's clock may differ. */
  at: z.string().optional(),
});
export type AppErrorDetails = z.infer<typeof appErrorDetailsSchema>;

const kind = { data: appErrorDetailsSchema };

/** One row per kind of failure. */
export const appErrors = {
  /** Something typed or sent is not valid; `field` names it. */
  INVALID_INPUT: kind,
  /** The service could not be reached: no connection, DNS, TLS, timeout. */
  NETWORK: kind,
  /** The service returned 5xx. */
  SERVER: kind,
  /** The service returned 429. */
  RATE_LIMITED: kind,
  /** The service returned a response that the interface or an RFC forbids. */
  PROTOCOL: kind,
  /** The token endpoint rejected the client ID or secret. */
  INVALID_CLIENT: kind,
  /** The code, password, or refresh token was rejected: sign in again. */
  INVALID_GRANT: kind,
  UNAUTHORIZED_CLIENT: kind,
  INVALID_SCOPE: kind,
  /** The access token was rejected although it was fresh, or it is the wrong kind. */
  ACCESS_REFUSED: kind,
  /** The object does not exist, or was deleted. */
  NOT_FOUND: kind,
  /** An action on many is still running. */
  CONFLICT: kind,
  /** Any other 4xx of the service. */
  REFUSED: kind,
  /** The receiver's port is in use; `port` names a free one. */
  PORT_TAKEN: kind,
  /** Reading or writing the data folder failed. */
  STORAGE: kind,
  /** This connection does not offer it, for example sandbox controls on another service. */
  UNAVAILABLE: kind,
  /** A bug in Rainbell. */
  INTERNAL: kind,
} as const;

/** The failures that another token can fix. */
export const tokenErrorCodes: readonly string[] = [
  'ACCESS_REFUSED',
  'INVALID_CLIENT',
  'INVALID_GRANT',
  'UNAUTHORIZED_CLIENT',
] satisfies (keyof typeof appErrors)[];

export const appErrorCodes = Object.keys(appErrors) as (keyof typeof appErrors)[];
export type AppErrorCode = keyof typeof appErrors;

/** An error as data: in a status, or in a result row. */
export const appProblemSchema = z.object({
  code: z.enum(appErrorCodes),
  message: z.string(),
  details: appErrorDetailsSchema,
});
export type AppProblem = z.infer<typeof appProblemSchema>;
