// The user's lists about fronts, which are read and written whole.
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { type Silence, silenceSchema } from '@rainbell/contract/app-rpc';
import { openStoredList } from '../database/stored-list.ts';
import type { AcknowledgedFront } from './front-tracker.ts';

const acknowledgedSchema = z.object({ connectionId: z.string(), id: z.string(), at: z.string(), note: z.string() });

/** `notices` gets a line for each list that cannot be read. */
export function openFrontDocuments(db: DatabaseSync, notices: string[]) {
  return {
    silences: openStoredList<Silence>(
      db,
      { name: 'silences', schema: z.array(silenceSchema), keyOf: ({ id }) => id, key: 'id' },
      notices,
    ),
    acknowledged: openStoredList<AcknowledgedFront>(
      db,
      {
        name: 'acknowledged fronts',
        schema: z.array(acknowledgedSchema),
        keyOf: ({ connectionId, id }) => `${connectionId} ${id}`,
        key: 'id',
      },
      notices,
    ),
  };
}
