// Small lists about monitors that are read and written whole.
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { monitorViewSchema, type SavedMonitorView } from '#contract/app-rpc/monitors.ts';
import { openKeptList, type KeptList } from '#core/database/kept-list.ts';

export type MonitorDocuments = {
  readonly notices: readonly string[];
  views: KeptList<SavedMonitorView>;
};

export function openMonitorDocuments(db: DatabaseSync): MonitorDocuments {
  const notices: string[] = [];
  return {
    notices,
    views: openKeptList(
      db,
      { name: 'monitor views', schema: z.array(monitorViewSchema), keyOf: ({ name }) => name, key: 'name' },
      notices,
    ),
  };
}
