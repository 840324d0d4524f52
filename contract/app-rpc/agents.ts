// The changes that agents (MCP, `rainbell mcp`) propose. Each is carried out only if the user allows it in the app.
import { z } from 'zod';
import { replaySigningSchema } from './callback-sends.ts';
import { rainSchema } from '../service-api/sandbox.ts';
import { doneSchema, procedure, timestampSchema } from './base.ts';

export const agentActionSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('resend'),
    callbackId: z.int().positive(),
    url: z.string().max(2048).nullable(),
    signing: replaySigningSchema.default('as-received'),
  }),
  z.object({ kind: z.literal('rain'), monitorId: z.string().min(1).max(200), rain: rainSchema }),
  z.object({
    kind: z.literal('create-monitor'),
    lat: z.number().min(-90).max(90),
    lng: z.number().min(-180).max(180),
    /** Null for this app's receiver. */
    callbackUri: z.string().max(2048).nullable(),
  }),
  z.object({
    kind: z.literal('update-monitor'),
    monitorId: z.string().min(1).max(200),
    location: z.object({ lat: z.number().min(-90).max(90), lng: z.number().min(-180).max(180) }).optional(),
    callbackUri: z.string().max(2048).optional(),
  }),
  z.object({ kind: z.literal('delete-monitor'), monitorId: z.string().min(1).max(200) }),
]);
export type AgentAction = z.infer<typeof agentActionSchema>;

export const consentRequestSchema = z.object({
  id: z.string(),
  /** The agent's own name for itself. It proves nothing. */
  agent: z.string(),
  /** What happens, such as “Delete a monitor”. */
  title: z.string(),
  /** Exactly what: names and values, in order. */
  facts: z.array(z.tuple([z.string(), z.string()])),
  /** When it is rejected if no one has decided. */
  until: timestampSchema,
});
export type ConsentRequest = z.infer<typeof consentRequestSchema>;

export const agents = {
  /** Oldest first. */
  consents: procedure.output(z.object({ consents: z.array(consentRequestSchema) })),
  /** NOT_FOUND if it has expired. */
  decide: procedure.input(z.object({ id: z.string().max(100), isAllowed: z.boolean() })).output(doneSchema),
  /** Asks the user, and returns what was done once they allow it. REFUSED if they don't, RATE_LIMITED if too many wait. */
  propose: procedure
    .input(z.object({ agent: z.string().max(200), action: agentActionSchema }))
    .output(z.record(z.string(), z.unknown())),
};
