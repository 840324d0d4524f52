// The user's decisions about fronts, which are read and written whole.
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { silenceSchema } from '@rainbell/contract/app-rpc';
import { openStoredList } from '../database/stored-list.ts';

const ofConnection = { connectionId: z.string() };
const acknowledgedSchema = silenceSchema.pick({ id: true, by: true, at: true, note: true }).extend(ofConnection);

export function openFrontDocuments(db: DatabaseSync) {
  const byId = { keyOf: (one: { connectionId: string; id: string }) => `${one.connectionId} ${one.id}`, key: 'id' };
  return {
    silences: openStoredList(db, { name: 'silences', schema: z.array(silenceSchema.extend(ofConnection)), ...byId }),
    acknowledged: openStoredList(db, { name: 'acknowledged fronts', schema: z.array(acknowledgedSchema), ...byId }),
  };
}
