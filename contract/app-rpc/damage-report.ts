// The report of a damaged database: what was kept and lost at the start that found it. Shown until the user acknowledges it.
import { z } from 'zod';

const tableOutcomeSchema = z.object({
  /** The name that users see, such as "callbacks". */
  label: z.string(),
  kept: z.number().int(),
  /** Null if the number is unknown. */
  lost: z.number().int().nullable(),
});
export type TableOutcome = z.infer<typeof tableOutcomeSchema>;

export const damageReportSchema = z.object({
  /** The prefix of every kept file's name, such as `app.sqlite.damaged-2026-11-22T09-00-00-000Z`. */
  id: z.string(),
  /** ISO 8601, UTC. */
  at: z.string(),
  /** The database's name, like `app.sqlite`. */
  database: z.string(),
  /** `rescued`: a start wrote a new file. `pending`: found while running; nothing more is stored until the next start. */
  state: z.enum(['rescued', 'pending']),
  /** What was wrong, as a clause that can follow "because". */
  detail: z.string(),
  /** The old file's new name, in the folder of the database; null while pending. */
  keptAs: z.string().nullable(),
  /** Tables that had rows, or may have had some. */
  tables: z.array(tableOutcomeSchema),
  /** Files of callback bodies that have lost callbacks; they are in the folder `<id>-bodies`. */
  keptBodyFiles: z.number().int(),
  /** What the rescue omitted to keep the rest consistent, as sentences. */
  remarks: z.array(z.string()),
});
export type DamageReport = z.infer<typeof damageReportSchema>;
