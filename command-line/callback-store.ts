// Reads the app's store of callbacks in the order in which they came, whoever writes it at the moment.
import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { AppFailure } from '#core/errors/app-failure.ts';
import { connectAppDatabase } from '#core/database/app-database.ts';
import { createCallbackPages, type StoredSummary } from '#core/receiver/callback-pages.ts';
import { readCounters } from '#core/receiver/callback-writer.ts';

export type CallbackStore = {
  newestId: () => number;
  /** Callbacks with ids above this one, the oldest first. */
  after: (id: number) => Generator<StoredSummary>;
  /** The newest callback of a monitor. */
  newestOf: (monitorId: string) => StoredSummary | undefined;
};

/** So many ids are looked at per query; a list of any length then needs little memory. */
const windowIds = 500;

export function createCallbackStore(db: DatabaseSync): CallbackStore {
  const pages = createCallbackPages(db);
  const newestId = () => readCounters(db).newestId;
  return {
    newestId,
    *after(id) {
      // Ids grow by one, and those that were dropped leave windows with nothing in them.
      for (let from = id, last = newestId(); from < last; from += windowIds) {
        const newestFirst = pages.page({ beforeId: from + windowIds + 1, limit: windowIds });
        for (const callback of newestFirst.toReversed()) if (callback.id > from) yield callback;
      }
    },
    newestOf(monitorId) {
      const newest = pages.newestOf(monitorId);
      return newest ? pages.page({ beforeId: newest.id + 1, limit: 1 })[0] : undefined;
    },
  };
}

/** The store of a Rainbell that is running, or undefined while it is still making it. Throws AppFailure STORAGE. */
export function openRunningStore(file: string): { store: CallbackStore; close: () => void } | undefined {
  if (!existsSync(file)) return undefined;
  let db: DatabaseSync | undefined;
  try {
    db = connectAppDatabase(file);
    // The schema comes in steps; before the first there are no tables.
    if (Number(db.prepare('PRAGMA user_version').get()?.['user_version']) === 0) {
      db.close();
      return undefined;
    }
    const opened = db;
    return { store: createCallbackStore(db), close: () => opened.close() };
  } catch (error) {
    if (db?.isOpen) db.close();
    const reason = error instanceof Error ? error.message : 'for an unknown reason';
    throw new AppFailure('STORAGE', `The callbacks in ${file} cannot be read (${reason}).`, {}, { cause: error });
  }
}
