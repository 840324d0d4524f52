// An error for the client: thrown anywhere below a route, rendered by http/server.ts as {error, error_description}.
import { type ServiceErrorCode, serviceErrors } from '@rainbell/contract/service-api';

/** `status`: for a code with a different status at this endpoint. `retryAfter`: in seconds. */
type Details = { headers?: Readonly<Record<string, string>>; retryAfter?: number; status?: number; cause?: unknown };

export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ServiceErrorCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  /** `description`: what is wrong and what to do. It is sent to the client, so it never contains a secret. */
  constructor(code: ServiceErrorCode, description: string, { headers = {}, retryAfter, status, cause }: Details = {}) {
    super(description, { cause });
    this.code = code;
    this.headers = retryAfter === undefined ? headers : { ...headers, 'retry-after': String(retryAfter) };
    this.status = status ?? serviceErrors[code];
  }
}

/** Whether the service is only busy. Not logged as an error, or a flood of requests would flood the log. */
export function isPlannedRefusal(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'temporarily_unavailable' && error.cause === undefined;
}

/** Sanitizes untrusted text for a description: only RFC 6749 §5.2's characters, and limited in length. */
export function quotable(foreign: string): string {
  const shown = foreign.replaceAll(/[^\x20\x21\x23-\x5B\x5D-\x7E]/g, '?');
  return shown.length > 80 ? `${shown.slice(0, 80)}...` : shown;
}
