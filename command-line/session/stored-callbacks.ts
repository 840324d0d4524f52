// The stored callbacks for commands that only read them, whether a Rainbell runs with the folder or not.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '@rainbell/shared';
import {
  AppFailure,
  type CallbackPages,
  type CallbackSearch,
  connectAppDatabase,
  createCallbackPages,
  createCallbackSearch,
} from '@rainbell/core';
import { createStoredValidator } from './callback-store.ts';
import { isFolderInUse } from './receiver-session.ts';

export type StoredCallbacks = { pages: CallbackPages; search: CallbackSearch; close: () => void };

/** Opens the stored callbacks. Throws AppFailure STORAGE, even if there are none yet. */
export function openStoredCallbacks(dataFolder: string, clock: Clock): StoredCallbacks {
  const file = join(dataFolder, 'app.sqlite');
  if (!existsSync(file)) {
    throw new AppFailure(
      'STORAGE',
      `${dataFolder} has no stored callbacks. Specify the app’s data folder with --data.`,
    );
  }
  // The process that has the folder has migrated the file; if there is none, acquiring the lock does.
  isFolderInUse({ dataFolder, clock });
  const db = connectAppDatabase(file);
  const pages = createCallbackPages(db);
  return {
    pages,
    search: createCallbackSearch({ pages, validator: createStoredValidator(pages) }),
    close: () => db.close(),
  };
}
