// Small lists about monitors that are read and written whole.
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { monitorViewSchema, type SavedMonitorView, type Silence, silenceSchema } from '@rainbell/contract/app-rpc';
import { openStoredList, type StoredList } from '../database/stored-list.ts';
import type { AcknowledgedFront } from './front-tracker.ts';

export type MonitorDocuments = {
  readonly notices: readonly string[];
  views: StoredList<SavedMonitorView>;
  silences: StoredList<Silence>;
  acknowledged: StoredList<AcknowledgedFront>;
};

const acknowledgedSchema = z.object({ connectionId: z.string(), id: z.string(), at: z.string(), note: z.string() });

export function openMonitorDocuments(db: DatabaseSync): MonitorDocuments {
  const notices: string[] = [];
  return {
    notices,
    views: openStoredList(
      db,
      { name: 'monitor views', schema: z.array(monitorViewSchema), keyOf: ({ name }) => name, key: 'name' },
      notices,
    ),
    silences: openStoredList(
      db,
      { name: 'silences', schema: z.array(silenceSchema), keyOf: ({ id }) => id, key: 'id' },
      notices,
    ),
    acknowledged: openStoredList(
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
