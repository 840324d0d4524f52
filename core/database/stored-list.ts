// A small list that is read and written whole, as one row of app.sqlite. One that cannot be read is backed up and reported, and
// does not stop the app from starting.
import type { DatabaseSync } from 'node:sqlite';
import type { z } from 'zod';
import { AppFailure } from '../errors/app-failure.ts';

export type StoredList<Entry> = {
  get: () => readonly Entry[];
  /** Throws AppFailure INVALID_INPUT where two entries have one key. */
  replace: (entries: readonly Entry[]) => void;
};

export type ListKind<Entry> = {
  name: string;
  schema: z.ZodType<Entry[]>;
  keyOf: (entry: Entry) => string;
  key: string;
};

/** `notices` gets a line if the list cannot be read. */
export function openStoredList<Entry>(db: DatabaseSync, kind: ListKind<Entry>, notices: string[]): StoredList<Entry> {
  const { name, schema, keyOf, key } = kind;
  const write = db.prepare('INSERT OR REPLACE INTO documents (name, json) VALUES (?, ?)');
  let current: readonly Entry[] = [];
  const stored = db.prepare('SELECT json FROM documents WHERE name = ?').get(name)?.['json'];
  if (typeof stored === 'string') {
    try {
      current = schema.parse(JSON.parse(stored));
    } catch {
      write.run(`${name}, unreadable`, stored);
      notices.push(`Couldn’t read the list of ${name}, so it is now empty. app.sqlite contains a backup of it.`);
    }
  }
  return {
    get: () => current,
    replace(entries) {
      const keys = entries.map(keyOf);
      const twice = keys.find((one, index) => keys.indexOf(one) !== index);
      if (twice !== undefined) {
        throw new AppFailure(
          'INVALID_INPUT',
          `Two entries have the ${key} “${twice}”. Give each entry a different one.`,
          {
            field: key,
          },
        );
      }
      write.run(name, JSON.stringify(entries));
      current = entries;
    },
  };
}
