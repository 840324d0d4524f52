// Diagnostics: what a person can hand to somebody who helps, as one zip. It is shown whole before it leaves, and holds no
// token, secret, password or body.
import { z } from 'zod';
import { procedure } from './base.ts';

export const diagnosticsFileSchema = z.object({
  name: z.string(),
  /** What it holds, in words. */
  words: z.string(),
  sizeBytes: z.number().int(),
  /** The text as it would leave. */
  text: z.string(),
});
export type DiagnosticsFile = z.infer<typeof diagnosticsFileSchema>;

export const diagnostics = {
  /** Exactly what `export` would put into the zip at this moment. */
  preview: procedure.output(z.object({ files: z.array(diagnosticsFileSchema) })),
  export: procedure.output(z.object({ fileName: z.string(), zipBase64: z.string() })),
};
