// Whether a newer version of the app exists.
import { z } from 'zod';
import { appProblemSchema } from './app-errors.ts';
import { timestampSchema, procedure } from './base.ts';

export const updateStateSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('unchecked') }),
  z.object({ state: z.literal('current'), checkedAt: timestampSchema }),
  /** `pageUrl` is the release's page; the app opens it and installs nothing. */
  z.object({ state: z.literal('available'), version: z.string(), pageUrl: z.url(), checkedAt: timestampSchema }),
  z.object({ state: z.literal('failed'), problem: appProblemSchema, checkedAt: timestampSchema }),
]);
export type UpdateState = z.infer<typeof updateStateSchema>;

export const updates = {
  /** Checks the release URL now and returns the result; a failed check is a state, not an error. */
  check: procedure.output(updateStateSchema),
};
