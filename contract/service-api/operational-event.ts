// The body of an operational webhook (docs/delivery.md S17): a Rainbell extension of the interface, shaped as Standard Webhooks
// recommends.
import { z } from 'zod';

export const operationalEventSchema = z.object({
  type: z
    .enum(['endpoint.failing', 'endpoint.disabled', 'endpoint.recovered'])
    .describe('3 events in a row failed, delivery was turned off, or callbacks are working again'),
  timestamp: z.string().describe('when the service detected it'),
  data: z.object({
    client_id: z.string(),
    monitors: z
      .array(
        z.object({
          monitor_id: z.string(),
          failed_in_a_row: z.number(),
          is_on: z.boolean(),
          off_since: z.string().nullable(),
          off_reason: z.string().nullable(),
        }),
      )
      .describe('at most 100; the rest are in separate events'),
  }),
});
export type OperationalEvent = z.infer<typeof operationalEventSchema>;
