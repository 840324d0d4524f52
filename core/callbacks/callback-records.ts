// Converts a callback to an entry of a file, and back: our own JSON form (also a line of NDJSON), a row of CSV, an entry of HAR 1.2
// (http://www.softwareishard.com/blog/har-12-spec/). A UTF-8 body is written as text, any other in base64, so its bytes are
// preserved.
import { csvCell } from '#shared/text/csv-cell.ts';
import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import type { Callback } from '#contract/app-rpc/callbacks.ts';
import { headerListSchema, type HeaderList } from '#contract/app-rpc/base.ts';
import { refusalReasons } from '#contract/app-rpc/callback-outcome.ts';
import { formatSchemaError } from '#shared/errors/schema-error.ts';
import { parseTimestamp } from '#contract/service-api/timestamp.ts';
import { AppFailure } from '#core/errors/app-failure.ts';
import { headerOf } from '#core/http/http-headers.ts';
import type { StoredCallback } from '../receiver/records/callback-pages.ts';
import type { ReceivedCallback } from '../receiver/requests/received-callback.ts';

const instant = z
  .string()
  .refine((text) => parseTimestamp(text) !== undefined, 'must be a time such as 2026-11-21T08:00:00Z');
const method = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,40}$/, 'must be an HTTP method');
const target = z.string().min(1).max(65_536);
const status = z.number().int().min(0).max(599);

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
  /** A refused request is not a callback; only the reason of the refusal is read back. */
  refusal: z.object({ reason: z.enum(refusalReasons) }).optional(),
  body: z.string().optional(),
  bodyBase64: z.base64().optional(),
});
export type CallbackRecord = z.infer<typeof recordSchema>;

export type Imported = ReceivedCallback & { body: Buffer; isImported: true };

export function toRecord(
  callback: StoredCallback,
): CallbackRecord & { id: number; monitorId: string | null; note?: string } & Pick<Callback, 'outcome' | 'answer'> {
  const { id, monitorId, receivedAt, method: verb, target: where, httpVersion, remoteAddress } = callback;
  const { answeredStatus, truncated, headers, trailers, note, body, outcome, answer, refusal } = callback;
  return {
    id,
    monitorId,
    receivedAt,
    method: verb,
    target: where,
    httpVersion,
    remoteAddress,
    answeredStatus,
    outcome,
    answer: answer(),
    ...(refusal ? { refusal } : {}),
    truncated,
    headers,
    ...(trailers.length > 0 ? { trailers } : {}),
    ...(note === '' ? {} : { note }),
    ...bodyFields(body),
  };
}

function bodyFields(body: Buffer): { body: string } | { bodyBase64: string } {
  return isUtf8(body) ? { body: body.toString('utf8') } : { bodyBase64: body.toString('base64') };
}

/** Throws AppFailure INVALID_INPUT. */
export function fromRecord(value: unknown): Imported {
  const entry = readEntry(recordSchema, value);
  const { body, bodyBase64, headers, trailers, receivedAt, refusal, ...facts } = entry;
  if (!refusal && (facts.method === '' || facts.target === ''))
    throw new AppFailure('INVALID_INPUT', 'The entry has no method or target.', { field: 'piece' });
  return {
    ...facts,
    ...(refusal ? { refusal: refusal.reason } : {}),
    ...(trailers ? { rawTrailers: trailers.flat() } : {}),
    receivedAt: parseTimestamp(receivedAt) ?? 0,
    rawHeaders: headers.flat(),
    body: bodyBase64 === undefined ? Buffer.from(body ?? '', 'utf8') : Buffer.from(bodyBase64, 'base64'),
    isImported: true,
  };
}

const harPairs = z.array(z.object({ name: z.string(), value: z.string() }));

const harEntrySchema = z.object({
  startedDateTime: instant,
  request: z.object({
    method,
    url: target,
    httpVersion: z.string().default('HTTP/1.1'),
    headers: harPairs.default([]),
    postData: z
      .object({
        text: z.string().default(''),
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
});

/** `baseUrl`: of this receiver, for callbacks without a Host header. */
export function toHarEntry(callback: StoredCallback, baseUrl: string): object {
  const { method: verb, target: where, headers, body, httpVersion, answeredStatus } = callback;
  const response = callback.answer();
  const host = headerOf(headers, 'host');
  return {
    startedDateTime: callback.receivedAt,
    time: callback.outcome.afterMs ?? 0,
    request: {
      method: verb,
      url: where.startsWith('/') ? `${host ? `http://${host}` : baseUrl}${where}` : where,
      httpVersion: `HTTP/${httpVersion}`,
      cookies: [],
      headers: harHeaders(headers),
      queryString: [...(URL.parse(where, 'http://localhost')?.searchParams ?? [])].map(([name, value]) => ({
        name,
        value,
      })),
      ...(body.length > 0 ? { postData: harPostData(callback) } : {}),
      headersSize: -1,
      bodySize: body.length,
    },
    response: {
      status: answeredStatus,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: harHeaders(response?.headers ?? []),
      content: {
        size: Buffer.byteLength(response?.body ?? ''),
        mimeType: headerOf(response?.headers ?? [], 'content-type') ?? 'x-unknown',
        text: response?.body ?? '',
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: Buffer.byteLength(response?.body ?? ''),
    },
    cache: {},
    timings: { send: 0, wait: callback.outcome.afterMs ?? 0, receive: 0 },
    _outcome: callback.outcome,
    // Refused requests may have none.
    ...(where === '' ? {} : { _target: where }),
    _remoteAddress: callback.remoteAddress,
    _truncated: callback.truncated,
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

function harHeaders(headers: HeaderList): { name: string; value: string }[] {
  return headers.map(([name, value]) => ({ name, value }));
}

/** Throws AppFailure INVALID_INPUT. */
export function fromHarEntry(value: unknown): Imported {
  const {
    startedDateTime,
    request,
    response,
    _target: where,
    _remoteAddress: remote,
    _truncated: cut,
  } = readEntry(harEntrySchema, value);
  return {
    receivedAt: parseTimestamp(startedDateTime) ?? 0,
    method: request.method,
    target: where ?? targetOf(request.url),
    httpVersion: request.httpVersion.replace(/^HTTP\//i, '').slice(0, 10),
    remoteAddress: remote ?? '',
    answeredStatus: response?.status ?? 0,
    truncated: cut ?? false,
    rawHeaders: request.headers.flatMap(({ name, value: text }) => [name, text]),
    body: Buffer.from(request.postData?.text ?? '', request.postData?.encoding ?? 'utf8'),
    isImported: true,
  };
}

/** What a client sends for a URL, without the changes of a URL parser, which resolves `..` and encodes characters. */
function targetOf(url: string): string {
  const [, rest] = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*([^#]*)/i.exec(url) ?? [];
  if (rest === undefined) return url;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function readEntry<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new AppFailure('INVALID_INPUT', `${formatSchemaError(result.error.issues[0], value, 'The entry')}.`, {
    field: 'piece',
  });
}

export const csvHead =
  'id,receivedAt,method,target,remoteAddress,answeredStatus,monitorId,sizeBytes,truncated,note,headers,bodyEncoding,body,outcome,refusal\r\n';

/** For reading: cells that a spreadsheet would take for formulas are changed, so it can't be imported. */
export function toCsvRow(callback: StoredCallback): string {
  const isText = isUtf8(callback.body);
  const before = [
    callback.id,
    callback.receivedAt,
    callback.method,
    callback.target,
    callback.remoteAddress,
    callback.answeredStatus,
    callback.monitorId ?? '',
    callback.sizeBytes,
    callback.truncated,
    callback.note,
    JSON.stringify(callback.headers),
    isText ? 'utf-8' : 'base64',
  ];
  // Base64 stays as it is, because it must decode. It needs no quotes.
  const body = isText ? csvCell(callback.body.toString('utf8')) : callback.body.toString('base64');
  const after = [callback.outcome.kind, callback.refusal?.reason ?? ''];
  return `${[...before.map(csvCell), body, ...after.map(csvCell)].join(',')}\r\n`;
}
