// Callbacks in files, which the screen reads and writes: by page and by part, so that neither side holds a million of them.
import { z } from 'zod';
import { timestampSchema } from './base.ts';
import { exportFormats, importFormats, importPieceLength } from './callback-formats.ts';
import { verdictNames } from './callback-verdicts.ts';

/** Filter of a list of callbacks: a query, a time range (`to` is exclusive), and verdicts. */
export const callbackFilterSchema = z.object({
  query: z.string().max(2000),
  from: timestampSchema.optional(),
  to: timestampSchema.optional(),
  /** One of these; all if empty. */
  verdicts: z.array(z.enum(verdictNames)).max(verdictNames.length).optional(),
});
export type CallbackFilter = z.infer<typeof callbackFilterSchema>;

/** Callbacks that an action applies to: selected ones, or all matches of a query (an empty one matches all). */
export const callbackChoiceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ids'), ids: z.array(z.int()).min(1).max(10_000) }),
  z.object({
    kind: z.literal('query'),
    ...callbackFilterSchema.shape,
    /** The highest ID, so that callbacks that arrive meanwhile are excluded. */
    throughId: z.int(),
  }),
]);
export type CallbackChoice = z.infer<typeof callbackChoiceSchema>;

export const exportInputSchema = z.object({
  format: z.enum(exportFormats),
  choice: callbackChoiceSchema,
  /** Null for the first page, then the `next` of the previous page. */
  cursor: z.string().max(100).nullable(),
});

export const exportPageSchema = z.object({
  /** Append it to the previous pages; together they are the file. The oldest callback is first. */
  text: z.string(),
  count: z.int(),
  /** Null after the last page. */
  next: z.string().nullable(),
});

export const importInputSchema = z.object({
  /** Null for the first part, then the response's `importId`. */
  importId: z.string().max(100).nullable(),
  format: z.enum(importFormats),
  piece: z.string().max(importPieceLength),
  isLast: z.boolean(),
});

export const importStateSchema = z.object({
  importId: z.string(),
  /** Stored so far, with new ids and marked as imported. */
  imported: z.int(),
  /** Skipped entries, the first 100; `line` is that of NDJSON or the entry's number, from 1. */
  problems: z.array(z.object({ line: z.int(), message: z.string() })),
  refused: z.int(),
});
export type ImportState = z.infer<typeof importStateSchema>;

/** One callback as an HTML file for someone else. */
export const callbackProofSchema = z.object({
  fileName: z.string(),
  /** The exact file. */
  html: z.string(),
  /** What is omitted or masked, in sentences. */
  redactions: z.array(z.string()),
});
export type CallbackProof = z.infer<typeof callbackProofSchema>;
