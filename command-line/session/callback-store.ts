// Reads the app's store of callbacks in order of arrival, whichever process writes it.
import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import {
  AppFailure,
  type CallbackPages,
  type CallbackValidator,
  connectAppDatabase,
  createCallbackPages,
  createCallbackValidator,
  fitsQuery,
  readCounters,
  type StoredCallback,
  type StoredSummary,
} from '@rainbell/core';
import type { CallbackQuery } from '@rainbell/contract/app-rpc';
import { parseTimestamp } from '@rainbell/shared';

export type CallbackStore = {
  newestId: () => number;
  /** Callbacks with IDs above this one, oldest first. */
  after: (id: number) => Generator<StoredSummary>;
  /** With its headers and body. */
  get: (id: number) => StoredCallback | undefined;
  /** Whether an earlier callback has the same event and was received the other way: by the feed, or as a request. */
  hasOtherWay: CallbackPages['hasOtherWay'];
  /** Whether a callback fits a query of the app's search box. */
  fits: (query: CallbackQuery, id: number) => boolean;
  /** The ID after which all callbacks were received since a time (epoch milliseconds). */
  firstSince: (instant: number) => number;
};

/** IDs to read per query, so that a list of any length needs little memory. */
const windowIds = 500;

export function createCallbackStore(db: DatabaseSync): CallbackStore {
  const pages = createCallbackPages(db);
  const validator = createStoredValidator(pages);
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
    get: (id) => pages.get(id),
    hasOtherWay: pages.hasOtherWay,
    fits(query, id) {
      const callback = pages.get(id);
      return callback !== undefined && fitsQuery(query, callback, validator.validate);
    },
    firstSince(instant) {
      let beforeId: number | undefined;
      // From the newest back: clocks can jump, so the first older one ends the search.
      for (;;) {
        const newestFirst = pages.page({ beforeId, limit: windowIds });
        for (const { id, receivedAt } of newestFirst) {
          if ((parseTimestamp(receivedAt) ?? 0) < instant) return id;
          beforeId = id;
        }
        if (newestFirst.length < windowIds) return 0;
      }
    },
  };
}

/** Judges callbacks without the app: which monitors are registered, and the secret, only the app knows. */
export function createStoredValidator(pages: CallbackPages): CallbackValidator {
  const signing = () => ({ secrets: [], isClockMovable: true });
  return createCallbackValidator({ pages, monitors: () => undefined, signing });
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
    const reason = error instanceof Error ? error.message : 'unknown reason';
    throw new AppFailure('STORAGE', `The callbacks in ${file} cannot be read (${reason}).`, {}, { cause: error });
  }
}
