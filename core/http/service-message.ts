// Reads the error message of a service, in the usual formats: RFC 6749 and our own, problem details (RFC 9457), and those of common
// frameworks. It is untrusted text: shortened here, and shown as plain text.
import { isJsonObject, parseJsonObject } from '@rainbell/shared';
import type { HttpResponse } from './http-sender.ts';
import { headerOf } from './http-headers.ts';

export type ServiceMessage = {
  error: string | undefined;
  /** Shortened; undefined if the body has none. */
  reason: string | undefined;
};

const maxCodeLength = 100;
const maxReasonLength = 300;
/** A service may list errors, such as one for each field. */
const maxReasons = 3;

export function serviceMessage({ body, headers }: Pick<HttpResponse, 'body' | 'headers'>): ServiceMessage {
  const written = body.toString('utf8').trim();
  const parsed = parseJsonObject(written);
  if (!parsed) return { error: undefined, reason: shorten(isPlainText(headers) ? written : undefined) };
  const error = codeOf(parsed);
  return { error: error?.slice(0, maxCodeLength), reason: shorten(reasonOf(parsed) ?? error) };
}

/** Adds the service's own reason as a second sentence. */
export function withReason(sentence: string, { reason }: Pick<ServiceMessage, 'reason'>): string {
  return reason === undefined ? sentence : `${sentence} Message from the service: “${reason}”.`;
}

type Members = Readonly<Record<string, unknown>>;

function reasonOf(members: Members): string | undefined {
  const { error_description: description, detail, message, error, errors, title, errorSummary } = members;
  const details = isJsonObject(error) ? error : undefined;
  return (
    textOf(description) ??
    reasonsOf(detail) ??
    textOf(message) ??
    (details && (reasonOf(details) ?? textOf(details['reason']))) ??
    textOf(errorSummary) ??
    reasonsOf(errors) ??
    textOf(title)
  );
}

/** A text, or the texts of a list; an entry for a field names it, as FastAPI does. */
function reasonsOf(value: unknown): string | undefined {
  if (!Array.isArray(value)) return textOf(value);
  const reasons = value.slice(0, maxReasons).flatMap((entry: unknown) => {
    if (!isJsonObject(entry)) return textOf(entry) ?? [];
    const reason =
      textOf(entry['msg']) ?? textOf(entry['message']) ?? textOf(entry['detail']) ?? textOf(entry['title']);
    if (reason === undefined) return [];
    const place = entry['loc'];
    return Array.isArray(place) ? `${place.join('.')}: ${reason}` : reason;
  });
  return textOf(reasons.join('; '));
}

function codeOf(members: Members): string | undefined {
  const { error } = members;
  if (!isJsonObject(error)) return textOf(error);
  return textOf(error['code']) ?? textOf(error['type']) ?? textOf(error['status']) ?? 'error';
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

function shorten(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  return text.replaceAll(/\s+/g, ' ').slice(0, maxReasonLength).replace(/\.$/, '');
}

function isPlainText(headers: HttpResponse['headers']): boolean {
  return /^text\/plain\b/i.test(headerOf(headers, 'content-type') ?? '');
}
