// Converts a callback to an entry of a file, and back: our own JSON form (also a line of NDJSON), a row of CSV, an entry of HAR 1.2
// (http://www.softwareishard.com/blog/har-12-spec/). A UTF-8 body is written as text, any other in base64, so its bytes are
// preserved.
import { csvCell, formatInstant, formatSchemaError, parseTimestamp, pick, readableHeaders } from '@rainbell/shared';
import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { type HeaderList, headerListSchema, refusalReasons } from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import { headerOf } from '../http/http-headers.ts';
import type { StoredCallback } from '../receiver/records/stored-callback.ts';
import { originForm } from '../receiver/requests/path-pattern.ts';
import type { ReceivedCallback } from '../receiver/requests/received-callback.ts';

const instant = z
  .string()
  .refine((text) => parseTimestamp(text) !== undefined, 'must be a time such as 2026-11-21T08:00:00Z');
const method = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,40}$/, 'must be an HTTP method');
const target = z.string().min(1).max(65_536);
const status = z.int().min(0).max(599);

const recordSchema = z.object({
  receivedAt: instant,
  method: method.or(z.literal('')),
  target: target.or(z.literal('')),
  httpVersion: z.string().max(10).default('1.1'),
  remoteAddress: z.string().max(100).default(''),
  answeredStatus: status.default(0),
  truncated: z.boolean().default(false),
  headers: headerListSchema.default([]),
  trailers: headerListSchema.optional(),
  note: z.string().max(10_000).optional(),
  /** A refused request is not a callback; only the reason of the refusal is read back. */
  refusal: z.object({ reason: z.enum(refusalReasons) }).optional(),
  body: z.string().optional(),
  bodyBase64: z.base64().optional(),
});
export type CallbackRecord = z.infer<typeof recordSchema>;

export function toRecord(callback: StoredCallback) {
  const { receivedAt, truncated, note, body, answer, refusal, headers, trailers } = callback;
  return {
    ...pick(callback, 'id', 'monitorId'),
    receivedAt: formatInstant(receivedAt),
    ...pick(callback, 'method', 'target', 'httpVersion', 'remoteAddress', 'answeredStatus', 'outcome'),
    answer: answer(),
    ...(refusal ? { refusal } : {}),
    truncated,
    headers,
    ...(trailers.length > 0 ? { trailers } : {}),
    ...(note === '' ? {} : { note }),
    ...bodyFields(body),
  } satisfies CallbackRecord & Record<string, unknown>;
}

/** Names and values alternately, each character a byte. Other programs write values as text. */
function rawHeadersOf(headers: HeaderList): string[] {
  const raw = (value: string) => (/[\u0100-\uffff]/.test(value) ? Buffer.from(value).toString('latin1') : value);
  return headers.flatMap(([name, value]) => [name, raw(value)]);
}

export function bodyFields(body: Buffer): { body: string } | { bodyBase64: string } {
  return isUtf8(body) ? { body: body.toString('utf8') } : { bodyBase64: body.toString('base64') };
}

/** Throws AppFailure INVALID_INPUT. */
export function fromRecord(value: unknown): ReceivedCallback & { body: Buffer } {
  const { body, bodyBase64, ...entry } = readEntry(recordSchema, value);
  return toReceived(entry, bodyBase64 === undefined ? Buffer.from(body ?? '') : Buffer.from(bodyBase64, 'base64'));
}

function toReceived(entry: CallbackRecord, body: Buffer): ReceivedCallback & { body: Buffer } {
  const { headers, trailers, receivedAt, refusal, ...facts } = entry;
  if (!refusal && (facts.method === '' || facts.target === ''))
    throw importFailure('The entry has no method or target.');
  return {
    ...facts,
    ...(refusal ? { refusal: refusal.reason } : {}),
    ...(trailers ? { rawTrailers: rawHeadersOf(trailers) } : {}),
    receivedAt: parseTimestamp(receivedAt) ?? 0,
    rawHeaders: rawHeadersOf(headers),
    body,
    isImported: true,
  };
}

const harPairs = z.array(
  z.object({ name: z.string(), value: z.string() }).transform(({ name, value }): [string, string] => [name, value]),
);

const harEntrySchema = z.object({
  startedDateTime: instant,
  request: z.object({
    method: method.or(z.literal('')),
    url: target.or(z.literal('')),
    httpVersion: z.string().default('HTTP/1.1'),
    headers: harPairs.default([]),
    bodySize: z.number().default(-1),
    postData: z
      .object({
        text: z.string().default(''),
        params: z.array(z.unknown()).default([]),
        /** HAR has no field for bytes in a request, so this is our own; a response's content has the same. */
        encoding: z.literal('base64').optional(),
        comment: z.string().optional(),
      })
      .optional(),
  }),
  response: z.object({ status: status.default(0) }).optional(),
  /** Our own field: the request's target as received, which not every URL can contain. */
  _target: target.optional(),
  _remoteAddress: z.string().max(100).optional(),
  _truncated: z.boolean().optional(),
  _trailers: harPairs.optional(),
  _refusal: z.enum(refusalReasons).optional(),
  comment: recordSchema.shape.note,
});
type HarRequest = z.infer<typeof harEntrySchema>['request'];

/** `baseUrl`: of this receiver, for callbacks without a Host header. */
export function toHarEntry(callback: StoredCallback, baseUrl: string): object {
  const { method: verb, target: where, body, headers, trailers, remoteAddress, outcome } = callback;
  const { truncated, refusal, note } = callback;
  const answer = callback.answer();
  const [answerHeaders, answerBody] = [answer?.headers ?? [], answer?.body ?? ''];
  const host = headerOf(headers, 'host');
  return {
    startedDateTime: formatInstant(callback.receivedAt),
    time: outcome.afterMs ?? 0,
    request: {
      method: verb,
      url: where.startsWith('/') ? `${host ? `http://${host}` : baseUrl}${where}` : where,
      httpVersion: `HTTP/${callback.httpVersion}`,
      cookies: [],
      headers: harPairsOf(headers),
      queryString: harPairsOf([...(URL.parse(where, 'http://localhost')?.searchParams ?? [])]),
      ...(body.length > 0 ? { postData: harPostData(callback) } : {}),
      headersSize: -1,
      bodySize: body.length,
    },
    response: {
      status: callback.answeredStatus,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: harPairsOf(answerHeaders),
      content: {
        size: Buffer.byteLength(answerBody),
        mimeType: headerOf(answerHeaders, 'content-type') ?? 'x-unknown',
        text: answerBody,
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: Buffer.byteLength(answerBody),
    },
    cache: {},
    timings: { send: 0, wait: outcome.afterMs ?? 0, receive: 0 },
    _outcome: outcome,
    // Refused requests may have none.
    ...(where === '' ? {} : { _target: where }),
    _remoteAddress: remoteAddress,
    _truncated: truncated,
    ...(trailers.length > 0 ? { _trailers: harPairsOf(trailers) } : {}),
    ...(refusal ? { _refusal: refusal.reason } : {}),
    ...(note === '' ? {} : { comment: note }),
  };
}

function harPostData({ headers, body }: StoredCallback): object {
  const isBytes = !isUtf8(body);
  return {
    mimeType: headerOf(headers, 'content-type') ?? 'application/octet-stream',
    text: body.toString(isBytes ? 'base64' : 'utf8'),
    ...(isBytes ? { encoding: 'base64' } : {}),
  };
}

function harPairsOf(pairs: readonly (readonly [string, string])[]): { name: string; value: string }[] {
  return pairs.map(([name, value]) => ({ name, value }));
}

/** Throws AppFailure INVALID_INPUT. */
export function fromHarEntry(value: unknown): ReceivedCallback & { body: Buffer } {
  const entry = readEntry(harEntrySchema, value);
  const { request, response, _target: where, _truncated: truncated = false, _refusal: refusal } = entry;
  const record: CallbackRecord = {
    receivedAt: entry.startedDateTime,
    method: request.method,
    target: where ?? originForm(request.url),
    httpVersion: request.httpVersion.replace(/^HTTP\//i, '').slice(0, 10),
    remoteAddress: entry._remoteAddress ?? '',
    answeredStatus: response?.status ?? 0,
    truncated,
    headers: request.headers,
    trailers: entry._trailers,
    refusal: refusal && { reason: refusal },
    ...(entry.comment === undefined ? {} : { note: entry.comment }),
  };
  return toReceived(record, harBody(request, truncated || refusal !== undefined));
}

/** `canLack`: what was received had no whole body either. Throws AppFailure INVALID_INPUT if the file has lost it. */
function harBody({ headers, bodySize, postData }: HarRequest, canLack: boolean): Buffer {
  const { text = '', encoding = 'utf8', params = [] } = postData ?? {};
  if (text !== '') return Buffer.from(text, encoding);
  const size = Number(headerOf(headers, 'content-length') ?? bodySize);
  if ((size > 0 || params.length > 0) && !canLack)
    throw importFailure('The file does not have the body of this request.');
  return Buffer.alloc(0);
}

function readEntry<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw importFailure(`${formatSchemaError(result.error.issues[0], value, 'The entry')}.`);
}

/** Makes the error for a file, or an entry of it, that can't be read. */
export function importFailure(sentence: string, cause?: unknown): AppFailure {
  return new AppFailure('INVALID_INPUT', sentence, { field: 'piece' }, { cause });
}

export const csvHead =
  'id,receivedAt,method,target,remoteAddress,answeredStatus,monitorId,sizeBytes,truncated,note,headers,bodyEncoding,body,outcome,refusal\r\n';

/** For reading: cells that a spreadsheet would take for formulas are changed, so it can't be imported. */
export function toCsvRow(callback: StoredCallback): string {
  const isText = isUtf8(callback.body);
  const before = [
    callback.id,
    formatInstant(callback.receivedAt),
    callback.method,
    callback.target,
    callback.remoteAddress,
    callback.answeredStatus,
    callback.monitorId ?? '',
    callback.sizeBytes,
    callback.truncated,
    callback.note,
    JSON.stringify(readableHeaders(callback.headers)),
    isText ? 'utf-8' : 'base64',
  ];
  // Base64 stays as it is, because it must decode. It needs no quotes.
  const body = isText ? csvCell(callback.body.toString('utf8')) : callback.body.toString('base64');
  const after = [callback.outcome.kind, callback.refusal?.reason ?? ''];
  return `${[...before.map(csvCell), body, ...after.map(csvCell)].join(',')}\r\n`;
}
