// What an answer with an error status means for the person. The service's own words are quoted, shortened, since they
// often name the field; they are foreign text, and screens show them as text.
import { errorBodySchema } from '#contract/service-api/service-errors.ts';
import { AppFailure } from '#core/errors/app-failure.ts';
import type { HttpExchange } from './http-exchange.ts';
import { headerOf, hostOf } from './http-headers.ts';

/** Undefined for 2xx. */
export function answerFailure(exchange: HttpExchange): AppFailure | undefined {
  const { status } = exchange;
  if (status >= 200 && status < 300) return undefined;
  const words = serviceWords(exchange);
  const details = { httpStatus: status, ...(words.error === undefined ? {} : { error: words.error }) };
  const host = hostOf(exchange.request.url);
  if (status === 429) return rateLimited(exchange, host, words.text);
  if (status >= 500) {
    return new AppFailure(
      'SERVER',
      `${host} has a problem of its own (status ${status}${words.text}). Try again later.`,
      details,
    );
  }
  if (status === 401) {
    return new AppFailure(
      'ACCESS_REFUSED',
      `${host} refused a fresh access token${words.text}. Renew the token or sign in again.`,
      details,
    );
  }
  if (status === 403) return new AppFailure('ACCESS_REFUSED', `${host} does not allow this${words.text}.`, details);
  if (status === 404 || status === 410)
    return new AppFailure('NOT_FOUND', `${host} knows nothing under this address${words.text}.`, details);
  if (status >= 400)
    return new AppFailure('REFUSED', `${host} refused the request (status ${status}${words.text}).`, details);
  return new AppFailure(
    'PROTOCOL',
    `${host} answered with status ${status}, which the interface does not know. Check that the base URL is that of the API.`,
    details,
  );
}

function rateLimited(exchange: HttpExchange, host: string, text: string): AppFailure {
  const seconds = Number(headerOf(exchange.headers, 'retry-after'));
  const isKnown = Number.isFinite(seconds) && seconds >= 0;
  const when = isKnown ? `in ${Math.ceil(seconds)} s` : 'later';
  return new AppFailure('RATE_LIMITED', `${host} asks for fewer requests${text}. Try again ${when}.`, {
    httpStatus: 429,
    ...(isKnown ? { retryAfterSeconds: Math.ceil(seconds) } : {}),
  });
}

const longestQuote = 300;

/** The error code, and the description as `: “…”`, where the body has the usual form; both may be missing. */
export function serviceWords(exchange: HttpExchange): { error: string | undefined; text: string } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(exchange.body.toString('utf8'));
  } catch {
    return { error: undefined, text: '' };
  }
  const body = errorBodySchema.safeParse(parsed);
  if (!body.success) return { error: undefined, text: '' };
  const description = (body.data.error_description ?? body.data.error).slice(0, longestQuote).replace(/\.$/, '');
  return { error: body.data.error.slice(0, 100), text: `: “${description}”` };
}
