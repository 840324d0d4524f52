// Small lists that belong to the callbacks and are read and written whole: named endpoints, saved filters, forward targets.
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { endpointSchema, forwardTargetsSchema, savedFilterSchema } from '@rainbell/contract/app-rpc';
import { openStoredList } from '../database/stored-list.ts';

export type CallbackDocuments = ReturnType<typeof openCallbackDocuments>;

export function openCallbackDocuments(db: DatabaseSync) {
  const byId = { keyOf: ({ id }: { id: string }) => id, key: 'id' };
  const byName = { keyOf: ({ name }: { name: string }) => name, key: 'name' };
  return {
    endpoints: openStoredList(db, { name: 'endpoints', schema: z.array(endpointSchema), ...byId }),
    filters: openStoredList(db, { name: 'callback filters', schema: z.array(savedFilterSchema), ...byName }),
    forwardTargets: openStoredList(db, { name: 'forward targets', schema: forwardTargetsSchema, ...byId }),
  };
}
