// One action on many monitors, which core carries out: requests at the pace that the service allows, a result per monitor, stop,
// retry, and undo.
import { z } from 'zod';
import { latLngSchema } from '#contract/service-api/geo.ts';
import { callbackTargetSchema, monitorNotesSchema } from './monitors.ts';
import { doneSchema, procedure } from './base.ts';

const id = z.string().max(400);
const draft = { geo: latLngSchema, callback: callbackTargetSchema };

export const bulkTaskSchema = z.discriminatedUnion('kind', [
  /** `label`: what a result names, such as the line of a file. */
  z.object({ kind: z.literal('create'), label: z.string().max(300), ...draft, notes: monitorNotesSchema }),
  z.object({ kind: z.literal('update'), id, changes: z.object(draft).partial() }),
  z.object({ kind: z.literal('notes'), id, notes: monitorNotesSchema }),
  z.object({ kind: z.literal('test'), id }),
]);
export type BulkTask = z.infer<typeof bulkTaskSchema>;

export const bulkRunSchema = z.object({
  title: z.string(),
  total: z.number().int(),
  done: z.number().int(),
  failed: z.number().int(),
  /** Not sent, because the run was stopped. */
  stopped: z.number().int(),
  isRunning: z.boolean(),
  /** Whether what was done can be undone. */
  canUndo: z.boolean(),
  /** The first failures, in the order of the tasks. */
  failures: z.array(z.object({ label: z.string(), message: z.string(), exchangeId: z.number().int().optional() })),
});
export type BulkRun = z.infer<typeof bulkRunSchema>;

const runOrNone = z.object({ run: bulkRunSchema.nullable() });

export const monitorBulk = {
  /** Replaces an earlier run that has ended; CONFLICT while one is running. */
  start: procedure
    .input(z.object({ title: z.string().max(200), tasks: z.array(bulkTaskSchema).min(1).max(20_000) }))
    .output(runOrNone),
  state: procedure.output(runOrNone),
  /** What is being sent ends; the rest is not sent. */
  stop: procedure.output(runOrNone),
  /** What failed or was stopped, once more. */
  retry: procedure.output(runOrNone),
  /** Changes back what was done, as a run of its own. */
  undo: procedure.output(runOrNone),
  close: procedure.output(doneSchema),
};
