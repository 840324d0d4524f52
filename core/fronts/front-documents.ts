// The user's decisions about fronts, which are read and written whole.
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { silenceSchema } from '@rainbell/contract/app-rpc';
import { openStoredList } from '../database/stored-list.ts';

const acknowledgedSchema = silenceSchema.pick({ id: true, by: true, at: true, note: true });
const ofConnection = { connectionId: z.string() };

/** `notices` gets a line for each list that cannot be read. */
export function openFrontDocuments(db: DatabaseSync, notices: string[]) {
  const keyOf = ({ connectionId, id }: { connectionId: string; id: string }) => `${connectionId} ${id}`;
  return {
    silences: openStoredList(
      db,
      { name: 'silences', schema: z.array(silenceSchema.extend(ofConnection)), keyOf, key: 'id' },
      notices,
    ),
    acknowledged: openStoredList(
      db,
      { name: 'acknowledged fronts', schema: z.array(acknowledgedSchema.extend(ofConnection)), keyOf, key: 'id' },
      notices,
    ),
  };
}
