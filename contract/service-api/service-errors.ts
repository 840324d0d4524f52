// Error responses of the service. The interface defines no format (docs/interface.md §7.2), so all follow RFC 6749 §5.2: an object
// with a code for programs and a description for people (docs/interface.md §10).
import { z } from 'zod';

export const serviceErrors = {
  invalid_request: 400,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  invalid_scope: 400,
  invalid_client: 401,
  invalid_token: 401,
  insufficient_scope: 403,
  access_denied: 403,
  limit_reached: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  misdirected_request: 421,
  rate_limited: 429,
  headers_too_large: 431,
  server_error: 500,
  temporarily_unavailable: 503,
} as const satisfies Record<string, number>;

export type ServiceErrorCode = keyof typeof serviceErrors;

export const errorBodySchema = z.looseObject({ error: z.string(), error_description: z.string().optional() });
export type ErrorBody = { error: ServiceErrorCode; error_description: string };
