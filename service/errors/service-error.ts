// A refusal with words: thrown anywhere below a route, rendered by http/server.ts as {error, error_description}.
import { serviceErrors, type ServiceErrorCode } from '#contract/service-api/service-errors.ts';

type Details = { headers?: Readonly<Record<string, string>>; cause?: unknown };

export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ServiceErrorCode;
  readonly headers: Readonly<Record<string, string>>;

  /** `description`: what was wrong and what to do. It reaches the client, so it never holds a secret. */
  constructor(code: ServiceErrorCode, description: string, { headers = {}, cause }: Details = {}) {
    super(description, { cause });
    this.code = code;
    this.headers = headers;
  }

  get status(): number {
    return serviceErrors[this.code];
  }
}

/** Whether the service refused because it is busy. It is not logged as an error, or a flood of requests would flood the log. */
export function isPlannedRefusal(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'temporarily_unavailable' && error.cause === undefined;
}

/** Foreign text that a description quotes: RFC 6749 §5.2's characters only, and not too much of it. */
export function quotable(foreign: string): string {
  const shown = foreign.replaceAll(/[^\x20\x21\x23-\x5B\x5D-\x7E]/g, '?');
  return shown.length > 80 ? `${shown.slice(0, 80)}...` : shown;
}
