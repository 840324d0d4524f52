// Who may reach the receiver, what it keeps, and how much of it one sender may use, so that the others can still reach it. Times are
// milliseconds.
import type { Endpoint, Settings } from '@rainbell/contract/app-rpc';
import { dayMs } from '@rainbell/shared';

/** As PEM. */
export type KeyAndCertificate = { key: string; cert: string };

/** What the receiver's thread needs to listen. */
export type ListenAccess = {
  tls: KeyAndCertificate | null;
  /** Other machines need this as the first segment of the path; null rejects all. */
  lanToken: string | null;
};

export const closedAccess: ListenAccess = { tls: null, lanToken: null };

/** A head may have so many bytes unless the user allows more. */
export const defaultHeaderBytes = 16 * 1024;

export const receiverLimits = {
  /** A longer body is cut here, stored as cut, and answered 413. */
  bodyBytes: 1024 * 1024,
  /** Bytes drained past the limit before the response, so that the sender can read the 413. */
  discardedBytes: 64 * 1024 * 1024,
  /** Bodies read but not yet on disk; beyond it a request gets 503 with `Retry-After`. */
  waitingBytes: 64 * 1024 * 1024,
  headerBytes: defaultHeaderBytes,
  headersTimeout: 5000,
  requestTimeout: 10_000,
  keepAliveTimeout: 5000,
  checkingInterval: 1000,
  /** Above so many unfinished requests the oldest is closed (shared/node/connection-limits.ts). */
  connections: 1024,
  /** One transaction holds at most so much. */
  batchRows: 512,
  batchBytes: 8 * 1024 * 1024,
  /** Minimum time between notices of new callbacks to screens. */
  noticeInterval: 50,
  /** The store keeps so many callbacks and so many body bytes; the oldest go first. */
  keptCallbacks: 1_000_000,
  maxBytes: 4 * 1024 * 1024 * 1024,
  /** Older ones go, too; null keeps them however old they are. */
  maxAgeMs: null as number | null,
};
export type ReceiverLimits = typeof receiverLimits;
type KeptLimits = Pick<Endpoint, 'keptCallbacks' | 'keptDays' | 'keptMegabytes'>;

export function limitsWith({ bodyKilobytes, headerKilobytes, ...kept }: Settings['keptLimits']): ReceiverLimits {
  return {
    ...receiverLimits,
    ...keptLimits(kept),
    bodyBytes: bodyKilobytes * 1024,
    headerBytes: headerKilobytes * 1024,
  };
}

/** Null means no limit. */
export function keptLimits({ keptCallbacks, keptDays, keptMegabytes }: KeptLimits) {
  return {
    keptCallbacks: keptCallbacks ?? Infinity,
    maxBytes: (keptMegabytes ?? Infinity) * 1024 * 1024,
    maxAgeMs: keptDays === null ? null : keptDays * dayMs,
  };
}
