// What is recorded of a response: the plan, which many callbacks share, and how it ended.
import { STATUS_CODES } from 'node:http';
import type { CallbackResponse, HeaderList } from '@rainbell/contract/app-rpc';

/** A response that one or many callbacks get. */
export type ResponsePlanned = Omit<CallbackResponse, 'headers'> & {
  headers: readonly (readonly [string, string])[];
  /** For `delayMs`, the user can answer in its place. */
  isHeld?: true;
  /** It replaced the response that was planned when the callback was stored, so its status is another. */
  isUnplanned?: true;
};

/** Values of the column `kind`. Never change a number. */
export const outcomeCodes = { answered: 1, closed: 2, reset: 3, aborted: 4, dropped: 5 } as const;
export type RecordedKind = keyof typeof outcomeCodes;

export type RecordedOutcome = {
  callbackId: number;
  kind: RecordedKind;
  planned: ResponsePlanned;
  /** In milliseconds after the receipt; null if no response was started. */
  startedAfterMs: number | null;
  endedAfterMs: number;
  bytesSent: number | null;
  /** Whether the response said that the connection stays open. */
  isKeptAlive: boolean;
};

/** The response without a rule. Compared by identity, because it is not stored. */
export const receivedResponse: ResponsePlanned = {
  action: 'answer',
  status: 200,
  headers: [],
  body: '',
  delayMs: 0,
  rule: null,
  step: null,
};

/** A response with a message of the receiver. */
export function sentenceResponse(status: number, sentence: string): ResponsePlanned {
  const headers = [['content-type', 'text/plain; charset=utf-8']] as const;
  return { ...receivedResponse, status, headers, body: `${sentence}\n` };
}

/** The receiver's keepAliveTimeout, as the header names it. */
const keepAliveHeader = 'timeout=5';

/** The headers as they go out. The ones that follow from connection and time are not stored with each response. */
export function headersOf(planned: ResponsePlanned, startedAt: number, isKeptAlive: boolean): HeaderList {
  const headers: HeaderList = planned.headers.map(([name, value]) => [name, value]);
  if (hasBody(planned.status)) headers.push(['content-length', String(Buffer.byteLength(planned.body))]);
  if (!planned.headers.some(([name]) => name.toLowerCase() === 'date'))
    // Formats an instant, and reads no clock.
    // oxlint-disable-next-line no-restricted-globals
    headers.push(['Date', new Date(startedAt).toUTCString()]);
  headers.push(['Connection', isKeptAlive ? 'keep-alive' : 'close']);
  if (isKeptAlive) headers.push(['Keep-Alive', keepAliveHeader]);
  return headers;
}

/** Bytes of the status line and these headers. */
export function headBytes(status: number, headers: readonly string[]): number {
  const line = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n\r\n`.length;
  // Each header has a colon, a space, and a line end.
  return line + headers.join('').length + headers.length * 2;
}

/** A 204 or 304 never has a body or a length (RFC 9110 sections 6.4.1, 8.6). */
export function hasBody(status: number | null): boolean {
  return status !== 204 && status !== 304;
}
