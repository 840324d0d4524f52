// One zip for support, without tokens, secrets, passwords, and bodies. The user sees all of it first.
import { z } from 'zod';
import { procedure } from './base.ts';

export const diagnosticsFileSchema = z.object({
  name: z.string(),
  description: z.string(),
  sizeBytes: z.int(),
  /** The exact exported text. */
  text: z.string(),
});
export type DiagnosticsFile = z.infer<typeof diagnosticsFileSchema>;

export const diagnostics = {
  /** Returns exactly what `export` would put into the zip now. */
  preview: procedure.output(z.object({ files: z.array(diagnosticsFileSchema) })),
  export: procedure.output(z.object({ fileName: z.string(), zipBase64: z.string() })),
};
