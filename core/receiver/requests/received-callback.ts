// A callback on its way into the store.
import type { RefusalReason } from '@rainbell/contract/app-rpc';

/** A request as received: `rawHeaders` contains names and values alternately, in order and with duplicates. */
export type ReceivedCallback = {
  receivedAt: number;
  method: string;
  target: string;
  httpVersion: string;
  remoteAddress: string;
  rawHeaders: readonly string[];
  /** The head as received, if it was kept (head-capture.ts); `usual`: as `rebuildHead` writes it. */
  head?: Buffer | 'usual' | undefined;
  body: Uint8Array;
  truncated: boolean;
  /** The status that is planned; 0 for none. */
  answeredStatus: number;
  /** Of the headers, if the receiver accepts longer heads than usual. */
  headBytes?: number;
  /** Why the request was refused; then `body` has its first bytes, masked. */
  refusal?: RefusalReason;
  /** Trailers of a chunked body, names and values alternately. */
  rawTrailers?: readonly string[];
  /** From a file instead of a sender. */
  isImported?: boolean;
  /** The user's, from a file. */
  note?: string | undefined;
  /** From the service's feed instead of a sender. */
  feedEvent?: { id: string; occurredAt: number };
};

/** The part of a feed page to store, except its events. */
export type FeedProgress = {
  connectionId: string;
  /** Service and application of the cursor; another one has its own. */
  source: string;
  cursor: string;
};

/** Cursors are documents with this before the connection's ID. */
export const feedCursorName = 'feed cursor ';

/** Bits of the column `flags`. */
export const callbackFlags = { truncated: 1, imported: 2, refused: 4, usualHead: 8, byFeed: 16 } as const;

/** A message to another thread makes a Buffer a Uint8Array. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
