// Small lists that belong to the callbacks and are read and written whole: named endpoints, saved filters, forward targets.
// One that cannot be read is backed up and reported, and does not stop the app from starting.
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import {
  type Endpoint,
  endpointSchema,
  type ForwardTarget,
  forwardTargetsSchema,
  type SavedFilter,
  savedFilterSchema,
} from '@rainbell/contract/app-rpc';
import { openStoredList, type StoredList, type ListKind } from '../database/stored-list.ts';

export type CallbackDocuments = {
  readonly notices: readonly string[];
  endpoints: StoredList<Endpoint>;
  filters: StoredList<SavedFilter>;
  forwardTargets: StoredList<ForwardTarget>;
};

export function openCallbackDocuments(db: DatabaseSync): CallbackDocuments {
  const notices: string[] = [];
  const open = <Entry>(list: ListKind<Entry>) => openStoredList(db, list, notices);
  return {
    notices,
    endpoints: open({ name: 'endpoints', schema: z.array(endpointSchema), keyOf: ({ id }) => id, key: 'id' }),
    filters: open({
      name: 'callback filters',
      schema: z.array(savedFilterSchema),
      keyOf: ({ name }) => name,
      key: 'name',
    }),
    forwardTargets: open({ name: 'forward targets', schema: forwardTargetsSchema, keyOf: ({ id }) => id, key: 'id' }),
  };
}
