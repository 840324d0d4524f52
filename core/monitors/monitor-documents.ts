// Small lists about monitors that are read and written whole.
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { type Silence, silenceSchema } from '#contract/app-rpc/monitor-fronts.ts';
import { monitorViewSchema, type SavedMonitorView } from '#contract/app-rpc/monitors.ts';
import { openKeptList, type KeptList } from '#core/database/kept-list.ts';
import type { AcknowledgedFront } from './front-tracker.ts';

export type MonitorDocuments = {
  readonly notices: readonly string[];
  views: KeptList<SavedMonitorView>;
  silences: KeptList<Silence>;
  acknowledged: KeptList<AcknowledgedFront>;
};

const acknowledgedSchema = z.object({ connectionId: z.string(), id: z.string(), at: z.string(), note: z.string() });

export function openMonitorDocuments(db: DatabaseSync): MonitorDocuments {
  const notices: string[] = [];
  return {
    notices,
    views: openKeptList(
      db,
      { name: 'monitor views', schema: z.array(monitorViewSchema), keyOf: ({ name }) => name, key: 'name' },
      notices,
    ),
    silences: openKeptList(
      db,
      { name: 'silences', schema: z.array(silenceSchema), keyOf: ({ id }) => id, key: 'id' },
      notices,
    ),
    acknowledged: openKeptList(
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
