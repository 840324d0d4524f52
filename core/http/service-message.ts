// Reads the error message of a service: in the formats of RFC 6749 and our own, of problem details (RFC 9457), or as a `message`. It
// is untrusted text: shortened here, and shown as plain text.
import { isJsonObject, parseJsonObject } from '@rainbell/shared';
import type { HttpResponse } from './http-sender.ts';
import { headerOf } from './http-headers.ts';

export type ServiceMessage = {
  /** The error code; undefined if the body has none. */
  error: string | undefined;
  /** Shortened; undefined if the body has none. */
  reason: string | undefined;
};

const maxCodeLength = 100;
const maxReasonLength = 300;

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

function reasonOf({ error_description: description, detail, message, error, title }: Members): string | undefined {
  const nested = isJsonObject(error) ? reasonOf(error) : undefined;
  return [description, detail, message, nested, title].map(textOf).find((text) => text !== undefined);
}

function codeOf({ error }: Members): string | undefined {
  return isJsonObject(error) ? (textOf(error['code']) ?? textOf(error['status']) ?? 'error') : textOf(error);
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
