// Callbacks in files: export page by page and import piece by piece, so that neither side holds a million of them. The
// screen reads and writes the file.
import { z } from 'zod';
import { timestampSchema } from './base.ts';
import { exportFormats, importFormats, importPieceLength } from './callback-formats.ts';
import { verdictNames } from './callback-verdicts.ts';

/** What a list of callbacks is limited to: a query, and beside it a part of the time (`to` is excluded) and some verdicts. */
export const callbackFilterSchema = z.object({
  query: z.string().max(2000),
  from: timestampSchema.optional(),
  to: timestampSchema.optional(),
  /** One of these; none stands for all. */
  verdicts: z.array(z.enum(verdictNames)).max(verdictNames.length).optional(),
});
export type CallbackFilter = z.infer<typeof callbackFilterSchema>;

/** Which callbacks an action means: chosen ones, or all that a query finds (an empty one finds all). */
export const callbackChoiceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ids'), ids: z.array(z.number().int()).min(1).max(10_000) }),
  z.object({
    kind: z.literal('query'),
    ...callbackFilterSchema.shape,
    /** None above it, so that what arrives meanwhile is not meant. */
    throughId: z.number().int(),
  }),
]);
export type CallbackChoice = z.infer<typeof callbackChoiceSchema>;

export const exportInputSchema = z.object({
  format: z.enum(exportFormats),
  choice: callbackChoiceSchema,
  /** Null begins; then the `next` of the page before. */
  cursor: z.string().max(100).nullable(),
});

export const exportPageSchema = z.object({
  /** To be written after the pages before; together they are the file. The oldest callback comes first. */
  text: z.string(),
  /** How many callbacks are in this page. */
  count: z.number().int(),
  /** Null after the last page. */
  next: z.string().nullable(),
});

export const importInputSchema = z.object({
  /** Null begins; then the answer's `importId`. */
  importId: z.string().max(100).nullable(),
  format: z.enum(importFormats),
  piece: z.string().max(importPieceLength),
  isLast: z.boolean(),
});

export const importStateSchema = z.object({
  importId: z.string(),
  /** Stored so far, with new ids and marked as imported. */
  imported: z.number().int(),
  /** Entries that were not taken, the first 100; `line` is that of NDJSON or the entry's number, from 1. */
  problems: z.array(z.object({ line: z.number().int(), message: z.string() })),
  refused: z.number().int(),
});
export type ImportState = z.infer<typeof importStateSchema>;
