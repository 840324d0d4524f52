// A small document that is read and written whole, as one row of app.sqlite. One that cannot be read is backed up and reported, and
// does not stop the app from starting.
import type { DatabaseSync } from 'node:sqlite';
import type { z } from 'zod';

const remarks = new WeakMap<DatabaseSync, readonly string[]>();

/** Sentences about the documents that could not be read. */
export function documentRemarks(db: DatabaseSync): readonly string[] {
  return remarks.get(db) ?? [];
}

/** One row of `documents`. If it cannot be read, it is backed up there. */
export function openDocument<Value>(
  db: DatabaseSync,
  { name, schema, empty }: { name: string; schema: z.ZodType<Value>; empty: Value },
) {
  const write = db.prepare('INSERT OR REPLACE INTO documents (name, json) VALUES (?, ?)');
  let current = empty;
  const stored = db.prepare('SELECT json FROM documents WHERE name = ?').get(name)?.['json'];
  if (typeof stored === 'string') {
    try {
      current = schema.parse(JSON.parse(stored));
    } catch {
      write.run(`${name}, unreadable`, stored);
      const remark = `Couldn’t read the stored ${name}, so Rainbell started without this data. app.sqlite contains a backup.`;
      remarks.set(db, [...documentRemarks(db), remark]);
    }
  }
  return {
    get: (): Value => current,
    replace(next: Value) {
      write.run(name, JSON.stringify(next));
      current = next;
    },
  };
}

export function openStoredList<Entry>(db: DatabaseSync, name: string, schema: z.ZodType<Entry[]>) {
  return openDocument<readonly Entry[]>(db, { name, schema, empty: [] });
}
