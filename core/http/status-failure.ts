// Maps HTTP error statuses to user-facing messages. They quote the service's text, shortened, because it often names the field; it
// is untrusted, and screens show it as plain text.
import { AppFailure } from '#core/errors/app-failure.ts';
import type { HttpResponse } from './http-sender.ts';
import { headerOf, hostOf } from './http-headers.ts';
import { serviceMessage } from './service-message.ts';

/** Undefined for 2xx. */
export function statusFailure(response: HttpResponse): AppFailure | undefined {
  const { status } = response;
  if (status >= 200 && status < 300) return undefined;
  const message = serviceMessage(response);
  const details = {
    httpStatus: status,
    trafficId: response.trafficId,
    retryAfterSeconds: retryAfterOf(response),
    ...(message.error === undefined ? {} : { error: message.error }),
  };
  const host = hostOf(response.request.url);
  if (status === 429)
    return new AppFailure('RATE_LIMITED', `${host} returned 429 Too Many Requests${message.text}.`, details);
  if (status >= 500) {
    return new AppFailure('SERVER', `${host} failed to handle the request (status ${status}${message.text}).`, details);
  }
  if (status === 401) {
    return new AppFailure(
      'ACCESS_REFUSED',
      `${host} rejected a fresh access token${message.text}. Refresh the token or sign in again.`,
      details,
    );
  }
  if (status === 403) return new AppFailure('ACCESS_REFUSED', `${host} does not allow this${message.text}.`, details);
  if (status === 404 || status === 410)
    return new AppFailure('NOT_FOUND', `${host} has nothing at this URL (status ${status}${message.text}).`, details);
  if (status >= 400)
    return new AppFailure('REFUSED', `${host} refused the request (status ${status}${message.text}).`, details);
  return new AppFailure(
    'PROTOCOL',
    `${host} returned status ${status}, which the interface does not define. Check that the base URL is that of the API.`,
    details,
  );
}

/**
 * Seconds until the service accepts another request; undefined if it sends none. A date is relative to the response's own `Date`,
 * so that a wrong clock on either side does not matter.
 */
function retryAfterOf({ headers }: HttpResponse): number | undefined {
  const text = headerOf(headers, 'retry-after')?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  // Two dates of the same response; no clock is read.
  // oxlint-disable-next-line no-restricted-globals
  const seconds = (Date.parse(text) - Date.parse(headerOf(headers, 'date') ?? '')) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined;
}
