// The data folder: its contents, backups, and deleting stored data by kind.
import { z } from 'zod';
import { doneSchema, procedure, timestampSchema } from './base.ts';

export const dataKinds = ['callbacks', 'traffic', 'forecasts', 'recent-places'] as const;
export type DataKind = (typeof dataKinds)[number];

export const backupSchema = z.object({
  /** Its folder in `backups` of the data folder. */
  name: z.string(),
  createdAt: timestampSchema,
  bytes: z.int(),
  /** False if the files of long bodies were left out. */
  hasBodies: z.boolean(),
});
export type Backup = z.infer<typeof backupSchema>;

export const dataFolderSchema = z.object({
  folder: z.string(),
  parts: z.array(z.object({ name: z.string(), bytes: z.int() })),
  stored: z.array(z.object({ kind: z.enum(dataKinds), count: z.int() })),
  /** Newest first. */
  backups: z.array(backupSchema),
  /** A backup that the next start restores. */
  pendingRestore: z.string().nullable(),
});
export type DataFolder = z.infer<typeof dataFolderSchema>;

const nameInput = z.object({ name: z.string().max(100) });

export const data = {
  describe: procedure.output(dataFolderSchema),
  /** Consistent, while the app runs. Without tokens and client secrets. */
  backUp: procedure.output(backupSchema),
  /** Checks the backup; the next start of the app restores it. INVALID_INPUT with the reason if it can't be used. */
  restore: procedure.input(nameInput).output(doneSchema),
  cancelRestore: procedure.output(doneSchema),
  deleteBackup: procedure.input(nameInput).output(doneSchema),
  clear: procedure.input(z.object({ kinds: z.array(z.enum(dataKinds)).min(1) })).output(doneSchema),
};
