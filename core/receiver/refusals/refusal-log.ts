// Requests that are refused before they are stored leave a light row each, within a budget: in a flood, the rest is only counted,
// at the newest row with the same reason. So a flood neither fills the disk nor displaces real callbacks.
import { isUtf8 } from 'node:buffer';
import type { Clock } from '@rainbell/shared';
import type { RefusalReason } from '@rainbell/contract/app-rpc';
import { plainMasker } from '../../traffic/mask.ts';
import type { ReceivedCallback } from '../requests/received-callback.ts';

export type Refusal = {
  reason: RefusalReason;
  /** The status sent; 0 for none. */
  status: number;
  remoteAddress: string;
  /** The first bytes from the sender, if known. */
  firstBytes: Buffer;
};

/** Refused requests that were only counted. */
export type MoreRefusals = { reason: RefusalReason; count: number; lastAt: number };

/** Rows to write at once, and then per minute: so few that they don't displace callbacks. */
const burstRows = 50;
const rowsPerMinute = 1;
const countEveryMs = 1000;
const maxFirstBytes = 1024;

type RefusalLogDependencies = {
  clock: Clock;
  add: (row: ReceivedCallback) => void;
  /** Returns those whose rows are gone: the next with such a reason has a row again. */
  addCounts: (more: readonly MoreRefusals[]) => readonly MoreRefusals[];
};

export function createRefusalLog({ clock, add, addCounts }: RefusalLogDependencies) {
  const more = new Map<RefusalReason, MoreRefusals>();
  /** Others of these can be counted. */
  const known = new Set<RefusalReason>();
  let tokens = burstRows;
  let refilledAt = clock.elapsed();
  let cancelTimer: (() => void) | undefined;

  function takeToken(): boolean {
    const now = clock.elapsed();
    tokens = Math.min(burstRows, tokens + ((now - refilledAt) / 60_000) * rowsPerMinute);
    refilledAt = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  }

  function flush(): void {
    cancelTimer?.();
    cancelTimer = undefined;
    if (more.size === 0) return;
    const counted = [...more.values()];
    more.clear();
    for (const { reason } of addCounts(counted)) known.delete(reason);
  }

  return {
    note(refusal: Refusal) {
      const lastAt = clock.now();
      if (takeToken() || !known.has(refusal.reason)) {
        known.add(refusal.reason);
        return add(toRow(refusal, lastAt));
      }
      const count = (more.get(refusal.reason)?.count ?? 0) + 1;
      more.set(refusal.reason, { reason: refusal.reason, count, lastAt });
      cancelTimer ??= clock.after(countEveryMs, flush);
    },
    /** Writes rows for refusals that were only counted. */
    flush,
  };
}

function toRow({ reason, status, remoteAddress, firstBytes }: Refusal, receivedAt: number): ReceivedCallback {
  const [, method = '', target = '', httpVersion = ''] = requestLine.exec(firstBytes.toString('latin1')) ?? [];
  return {
    receivedAt,
    method,
    target: utf8Of(target),
    httpVersion,
    remoteAddress,
    rawHeaders: [],
    body: maskHead(firstBytes.subarray(0, maxFirstBytes)),
    truncated: firstBytes.length > maxFirstBytes,
    answeredStatus: status,
    refusal: reason,
  };
}

/** Some senders don't encode their path. */
function utf8Of(latin1: string): string {
  const bytes = Buffer.from(latin1, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : latin1;
}

/** An unusual method counts only with the version behind its target; it may be any text otherwise. */
const requestLine = /^([A-Z]{1,20}|[\w!#$%&'*+.^`|~-]{1,20}(?= \S{1,2048} HTTP\/)) (\S{1,2048})(?: HTTP\/(\d\.\d))?/;

/** Values of secret headers are masked; a text in which there are none stays as it is, to the byte. */
export function maskHead(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  const masked = text.split('\r\n').map((line) => {
    const [, name, between = '', value = ''] = /^([!#$%&'*+.^_`|~\w-]+)(:[ \t]*)(.*)$/s.exec(line) ?? [];
    if (name === undefined) return line;
    const [[, masked] = [name, value]] = plainMasker.headers([[name, value]]);
    return `${name}${between}${masked}`;
  });
  // The mask itself is not Latin-1.
  return Buffer.from(masked.join('\r\n').replaceAll('•', '*'), 'latin1');
}
