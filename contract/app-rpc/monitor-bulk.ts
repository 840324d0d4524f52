// One action on many monitors, run by core at the rate that the service allows, with a result for each, stop, retry, and undo.
import { z } from 'zod';
import { latLngSchema } from '../service-api/geo.ts';
import { rainSchema } from '../service-api/sandbox.ts';
import { callbackTargetSchema, monitorInput, monitorNotesSchema } from './monitors.ts';
import { doneSchema, procedure } from './base.ts';

export const maxBulkTasks = 20_000;
const id = z.string().max(400);
/** Identifies a result, such as the line of a file. */
const label = z.string().max(300);

const bulkTaskSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('create'), label, ...monitorInput.shape, notes: monitorNotesSchema }),
  z.object({ kind: z.literal('callback'), id, callback: callbackTargetSchema }),
  z.object({ kind: z.literal('notes'), id, notes: monitorNotesSchema }),
  z.object({ kind: z.literal('test'), id }),
  /** Pauses or resumes it. */
  z.object({ kind: z.literal('delivery'), id, isOn: z.boolean() }),
  /** Sends an event once more, after its monitor's delivery was turned on. */
  z.object({ kind: z.literal('resend'), id, label, eventId: z.string().max(100), turnsOn: z.boolean() }),
  z.object({ kind: z.literal('rain'), label, center: latLngSchema, rain: rainSchema }),
  z.object({ kind: z.literal('end-rain'), label, scenarioId: z.string().max(100) }),
]);
export type BulkTask = z.infer<typeof bulkTaskSchema>;

const bulkRunSchema = z.object({
  title: z.string(),
  total: z.int(),
  done: z.int(),
  failed: z.int(),
  /** Not sent, because the run was stopped. */
  stopped: z.int(),
  isRunning: z.boolean(),
  canUndo: z.boolean(),
  /** The first failures, in the order of the tasks. */
  failures: z.array(z.object({ label: z.string(), message: z.string(), trafficId: z.int().optional() })),
});
export type BulkRun = z.infer<typeof bulkRunSchema>;

const runOrNone = z.object({ run: bulkRunSchema.nullable() });

export const monitorBulk = {
  /** CONFLICT while a run is running. `part`: of more tasks than fit into one message; the last one starts the run with all of them. */
  start: procedure
    .input(
      z.object({
        title: z.string().max(200),
        tasks: z.array(bulkTaskSchema).min(1).max(maxBulkTasks),
        part: z.object({ id: z.string().max(50), isLast: z.boolean() }).optional(),
      }),
    )
    .output(runOrNone),
  /** Null if it belongs to another connection. */
  state: procedure.output(runOrNone),
  /** Finishes the request in progress; the rest is not sent. */
  stop: procedure.output(runOrNone),
  /** Repeats failed and stopped requests. */
  retry: procedure.output(runOrNone),
  /** Reverts the run, as a new run. */
  undo: procedure.output(runOrNone),
  close: procedure.output(doneSchema),
};
