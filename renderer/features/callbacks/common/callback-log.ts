// The callbacks that the list shows, newest first. Rows live in two append-only arrays, one growing at each end, so a
// thousand arrivals a second copy nothing; `version` tells React that something grew.
import type { CallbackSummary } from '@rainbell/contract/app-rpc';

export type CallbackLog = {
  /** Arrived after the first page, oldest first. */
  readonly newer: CallbackSummary[];
  /** The first page and the rows below it, newest first. */
  readonly older: CallbackSummary[];
};

export function emptyLog(): CallbackLog {
  return { newer: [], older: [] };
}

export function rowCount(log: CallbackLog): number {
  return log.newer.length + log.older.length;
}

/** The row at a place in the list, 0 being the newest. */
export function rowAt(log: CallbackLog, index: number): CallbackSummary | undefined {
  return index < log.newer.length ? log.newer[log.newer.length - 1 - index] : log.older[index - log.newer.length];
}

/** The place of an ID in the list, which may be in any order; −1 if it is not in it. */
export function indexOf({ newer, older }: CallbackLog, id: number): number {
  const place = newer.findLastIndex((row) => row.id === id);
  if (place >= 0) return newer.length - 1 - place;
  const below = older.findIndex((row) => row.id === id);
  return below < 0 ? -1 : newer.length + below;
}

/** Counts the rows at the top with a higher ID. The list need not have a row with this ID. */
export function countAbove(log: CallbackLog, id: number): number {
  let count = 0;
  while ((rowAt(log, count)?.id ?? 0) > id) count += 1;
  return count;
}

export function newestId(log: CallbackLog): number {
  return rowAt(log, 0)?.id ?? 0;
}

export function oldestId(log: CallbackLog): number | undefined {
  return rowAt(log, rowCount(log) - 1)?.id;
}

/** Adds a page (newest first) at the top, without the rows that are already in it. Returns how many were added. */
export function addNewer(log: CallbackLog, page: readonly CallbackSummary[]): number {
  const known = newestId(log);
  const fresh = page.filter((row) => row.id > known);
  for (const row of fresh.toReversed()) log.newer.push(row);
  return fresh.length;
}

export function addOlder(log: CallbackLog, page: readonly CallbackSummary[]): void {
  const lowest = oldestId(log) ?? Number.POSITIVE_INFINITY;
  for (const row of page) if (row.id < lowest) log.older.push(row);
}

/** Puts these in the place of rows with another outcome. Returns whether there were any. */
export function replaceRows(log: CallbackLog, rows: readonly CallbackSummary[]): boolean {
  const byId = new Map(rows.map((row) => [row.id, row]));
  let isChanged = false;
  for (const list of [log.newer, log.older]) {
    list.forEach((row, index) => {
      const next = byId.get(row.id);
      const isSame = !next || (next.outcome.kind === row.outcome.kind && next.refusal?.count === row.refusal?.count);
      if (isSame) return;
      list[index] = next;
      isChanged = true;
    });
  }
  return isChanged;
}
