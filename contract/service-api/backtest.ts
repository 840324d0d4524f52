// What a monitor would have done in the last 30 days, at `GET /v2/backtest/`: a Rainbell extension (docs/verification.md, "Backtest").
import { z } from 'zod';
import { plural } from '@rainbell/shared';

/** The value in `meta.extensions` of `GET /v2/delivery/`; the app queries only services that list it. */
export const backtestExtension = 'backtest';

export const backtestSchema = z.object({
  source: z
    .enum(['historical_forecast', 'simulation'])
    .nullable()
    .describe('a provider’s historical forecasts, or the simulation; null: not enough data'),
  provider: z.string().nullable().describe('the provider of the historical forecasts; null for other sources'),
  days: z.number().describe('how many of the last 30 days have data'),
  events: z.int().min(0).describe('how often the monitor would have fired'),
  reason: z.string().nullable().describe('why there is not enough data'),
  sentence: z.string().describe('human-readable summary'),
});
export type Backtest = z.infer<typeof backtestSchema>;

/** "In the simulation, a monitor here would have fired 7 times in the last 30 days." */
export function describeBacktest({ source, provider, events, days, reason }: Omit<Backtest, 'sentence'>): string {
  if (source === null) return `Not enough data to say how often a monitor here would have fired: ${reason}.`;
  const basis =
    source === 'simulation'
      ? 'In the simulation'
      : `According to ${provider}'s historical forecasts, which are less reliable`;
  const often =
    events === 0 ? 'would not have fired' : plural(events, ['would have fired once', 'would have fired # times']);
  return `${basis}, a monitor here ${often} in the last ${plural(days, ['# day', '# days'])}.`;
}
