// Errors between core and screen, as data. The screen branches on the code, never on the message; the message names the
// field, the rule and what to do next, and never a secret.
import { z } from 'zod';

/** What a screen may show beside the message. `httpStatus` and `error` are the foreign service's own words. */
export const appErrorDetailsSchema = z.object({
  field: z.string().optional(),
  httpStatus: z.number().optional(),
  error: z.string().optional(),
  retryAfterSeconds: z.number().optional(),
  /** The request behind the error, in the traffic log. */
  exchangeId: z.number().int().optional(),
  port: z.number().optional(),
  /**
   * What the person can do at once: take a token by client credentials (monitors, docs/interface.md §5.7), or sign in.
   */
  needs: z.enum(['client_credentials', 'sign_in']).optional(),
  /** Of a CONFLICT, by field: what this person is about to write, and what stands at the service now. */
  conflicts: z.array(z.object({ field: z.string(), mine: z.string(), theirs: z.string() })).optional(),
});
export type AppErrorDetails = z.infer<typeof appErrorDetailsSchema>;

const kind = { data: appErrorDetailsSchema };

/** One row per kind of failure. */
export const appErrors = {
  /** Something typed or sent is not valid; `field` names it. */
  INVALID_INPUT: kind,
  /** The service could not be reached: no connection, DNS, TLS, timeout. */
  NETWORK: kind,
  /** The service answered 5xx. */
  SERVER: kind,
  /** The service answered 429. */
  RATE_LIMITED: kind,
  /** The service answered in a way that the interface or an RFC forbids. */
  PROTOCOL: kind,
  /** The token endpoint refused the client id or secret. */
  INVALID_CLIENT: kind,
  /** The code, password or refresh token was refused: sign in again. */
  INVALID_GRANT: kind,
  UNAUTHORIZED_CLIENT: kind,
  INVALID_SCOPE: kind,
  /** The access token was refused although it was fresh, or it is of the wrong kind. */
  ACCESS_REFUSED: kind,
  /** The thing asked for is not there (any more). */
  NOT_FOUND: kind,
  /** Somebody else changed it since the edit began; `conflicts` says what. */
  CONFLICT: kind,
  /** Any other 4xx of the service. */
  REFUSED: kind,
  /** The receiver's port is in use; `port` names a free one. */
  PORT_TAKEN: kind,
  /** Reading or writing the data folder failed. */
  STORAGE: kind,
  /** This connection does not offer it, for instance sandbox controls on a foreign service. */
  UNAVAILABLE: kind,
  /** A fault of ours. */
  INTERNAL: kind,
} as const;

export const appErrorCodes = Object.keys(appErrors) as (keyof typeof appErrors)[];
export type AppErrorCode = keyof typeof appErrors;

/** An error at rest: in a status answer, or in a result row. */
export const appProblemSchema = z.object({
  code: z.enum(appErrorCodes),
  message: z.string(),
  details: appErrorDetailsSchema,
});
export type AppProblem = z.infer<typeof appProblemSchema>;
