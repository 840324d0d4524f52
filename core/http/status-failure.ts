// Maps HTTP error statuses to user-facing messages. They quote the service's text, shortened, because it often names the field; it
// is untrusted, and screens show it as plain text.
import type { AppErrorCode } from '@rainbell/contract/app-rpc';
import { retryAfterSeconds } from '@rainbell/contract/service-api';
import { AppFailure } from '../errors/app-failure.ts';
import type { HttpResponse } from './http-sender.ts';
import { headerOf, hostOf } from './http-headers.ts';
import { serviceMessage, withReason } from './service-message.ts';

/** Undefined for 2xx. */
export function statusFailure(response: HttpResponse): AppFailure | undefined {
  const { status } = response;
  if (status >= 200 && status < 300) return undefined;
  const message = serviceMessage(response);
  const header = (name: string) => headerOf(response.headers, name);
  const details = {
    httpStatus: status,
    trafficId: response.trafficId,
    retryAfterSeconds: retryAfterSeconds(header('retry-after'), header('date')),
    ...(message.error === undefined ? {} : { error: message.error }),
  };
  const host = hostOf(response.request.url);
  const failure = (code: AppErrorCode, sentence: string) =>
    new AppFailure(code, withReason(sentence, message), details);
  if (status === 429) return failure('RATE_LIMITED', `${host} returned 429 Too Many Requests.`);
  if (status >= 500) return failure('SERVER', `${host} failed to handle the request (status ${status}).`);
  if (status === 401) {
    return failure('ACCESS_REFUSED', `${host} rejected a new access token. Refresh the token or sign in again.`);
  }
  if (status === 403) return failure('ACCESS_REFUSED', `${host} does not allow this.`);
  if (status === 404 || status === 410)
    return failure('NOT_FOUND', `${host} has nothing at this URL (status ${status}).`);
  if (status >= 400) return failure('REFUSED', `${host} refused the request (status ${status}).`);
  return new AppFailure(
    'PROTOCOL',
    `${host} returned status ${status}, which the API spec does not define. Check that the base URL points to the API.`,
    details,
  );
}
