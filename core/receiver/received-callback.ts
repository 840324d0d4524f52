// A callback on its way into the store.

/** A request as received: `rawHeaders` holds names and values in turn, in order and with duplicates. */
export type ReceivedCallback = {
  receivedAt: number;
  method: string;
  target: string;
  httpVersion: string;
  remoteAddress: string;
  rawHeaders: readonly string[];
  body: Buffer;
  truncated: boolean;
  answeredStatus: number;
  /** From a file instead of a sender. */
  isImported?: boolean;
};

/** Bits of the column `flags`. */
export const callbackFlags = { truncated: 1, imported: 2 } as const;
