// The report of a damaged database: what was opened instead, and where the damaged file is. Shown until the user acknowledges it.
import { z } from 'zod';

export const damageReportSchema = z.object({
  /** The name of the damaged file's folder, such as `app.sqlite.damaged-2026-11-22T09-00-00-000Z`. */
  id: z.string(),
  /** ISO 8601, UTC. */
  at: z.string(),
  /** The database's name, like `app.sqlite`. */
  database: z.string(),
  /** `replaced`: a start opened a copy. `pending`: found while running; nothing more is stored until the next start. */
  state: z.enum(['replaced', 'pending']),
  /** What was wrong, as a clause that can follow "because". */
  detail: z.string(),
  /** Where the damaged file is now; null while pending. */
  folder: z.string().nullable(),
  /** The time of the copy that was opened; null if none was intact. ISO 8601, UTC. */
  copiedAt: z.string().nullable(),
  /** Callbacks of the copy whose long bodies are gone. */
  missingBodies: z.int(),
});
export type DamageReport = z.infer<typeof damageReportSchema>;
