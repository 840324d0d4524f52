// Which callbacks `rainbell wait` has returned lately, in a small file of the data folder: a wait that looks back must not take an
// earlier step's callback for its own. A file, because the app may hold the database.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writePrivateFile } from '@rainbell/shared/node';

export type ReturnedCallbacks = {
  has: (callback: { id: number; receivedAt: string }) => boolean;
  /** Written at once, after those that another wait wrote in the meantime. */
  add: (callbacks: readonly { id: number; receivedAt: string }[]) => void;
};

/** Far more than arrive in the seconds that a wait looks back. */
const maxStored = 10_000;
const schema = z.array(z.string());

/** A file that cannot be read says that nothing was returned; one that cannot be written throws the system's error. */
export function openReturnedCallbacks(dataFolder: string): ReturnedCallbacks {
  const file = join(dataFolder, 'returned-callbacks.json');
  const read = (): string[] => {
    try {
      return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
    } catch {
      return [];
    }
  };
  const known = new Set(read());
  return {
    has: (callback) => known.has(keyOf(callback)),
    add(callbacks) {
      const keys = new Set([...read(), ...callbacks.map(keyOf)]);
      writePrivateFile(file, `${JSON.stringify([...keys].slice(-maxStored))}\n`);
    },
  };
}

/** A new database counts from 1 again. */
function keyOf({ id, receivedAt }: { id: number; receivedAt: string }): string {
  return `${id} ${receivedAt}`;
}
