// What a monitor at a location would have done in the last 30 days: a Rainbell extension of the interface, at `GET /v2/backtest/`
// (docs/verification.md, "Backtest").
import { z } from 'zod';
import { plural } from '@rainbell/shared';

/** The value in `meta.extensions` of `GET /v2/delivery/`; the app queries only services that list it. */
export const backtestExtension = 'backtest';

/** From the strongest to the weakest. */
export const backtestSources = ['historical_forecast', 'simulation'] as const;

const count = z.int().min(0);

const estimateSchema = z
  .object({ value: z.number(), low: z.number(), high: z.number(), count })
  .describe('with its 95% confidence interval, based on `count` cases');

const scores = {
  confirmed: count.describe('events that were followed by precipitation'),
  not_confirmed: count,
  missed: count.describe('how often precipitation was observed without an event'),
  pod: estimateSchema.nullable().describe('probability of detection'),
  far: estimateSchema.nullable().describe('false alarm ratio'),
};

export const backtestSchema = z.object({
  source: z
    .enum(backtestSources)
    .nullable()
    .describe('a provider’s historical forecasts, or the simulation; null: not enough data'),
  provider: z.string().nullable().describe('the provider of the historical forecasts; null for other sources'),
  days: z.number().describe('how many of the last 30 days have data'),
  events: count.describe('how often the monitor would have fired'),
  ...scores,
  no_evidence: count.describe('events without observations after them: all of those from historical forecasts'),
  onsets: z.object(scores).optional().describe('those with no precipitation observed in the hour before: the starts'),
  lead_minutes: estimateSchema
    .nullable()
    .describe('median time from the event to the precipitation; with fewer than 6 cases, the range spans all of them'),
  reason: z.string().nullable().describe('why there is not enough data'),
  sentence: z.string().describe('human-readable summary'),
  detail: z.string().nullable().describe('human-readable intervals'),
});
export type Backtest = z.infer<typeof backtestSchema>;
type Facts = Omit<Backtest, 'sentence' | 'detail'>;

/** "In the simulation, a monitor here would have fired 7 times in the last 30 days. 6 of 7 events were followed by precipitation." */
export function describeBacktest(facts: Facts): Pick<Backtest, 'sentence' | 'detail'> {
  const { source, events } = facts;
  if (source === null) {
    return {
      sentence: `Not enough data to say how often a monitor here would have fired: ${facts.reason}.`,
      detail: null,
    };
  }
  const fired = firedOf(facts);
  if (events === 0) return { sentence: [fired, ...missedOf(facts)].join(' '), detail: null };
  return { sentence: [fired, ...followedBy(facts)].join(' '), detail: detailOf(facts) };
}

function firedOf({ source, provider, events, days: count }: Facts): string {
  const basis =
    source === 'simulation'
      ? 'In the simulation'
      : `According to ${provider}'s historical forecasts, which are less reliable`;
  const often =
    events === 0 ? 'would not have fired' : plural(events, ['would have fired once', 'would have fired # times']);
  return `${basis}, a monitor here ${often} in the last ${plural(count, ['# day', '# days'])}.`;
}

/** Historical forecasts don't show what followed. */
function followedBy({ confirmed, not_confirmed }: Facts): string[] {
  const seen = confirmed + not_confirmed;
  if (seen === 0) return [];
  if (seen === 1) return [confirmed === 1 ? 'Precipitation followed.' : 'No precipitation followed.'];
  return [
    plural(
      confirmed,
      ['# of {seen} events was followed by precipitation.', '# of {seen} events were followed by precipitation.'],
      { seen },
    ),
  ];
}

function missedOf({ missed }: Facts): string[] {
  if (missed === 0) return [];
  return [
    plural(missed, [
      'The monitor would have missed precipitation once.',
      'The monitor would have missed precipitation # times.',
    ]),
  ];
}

/** A median of fewer than 6 values has no 95% interval (service/verification/estimates.ts). */
function rangesOf({ lead_minutes: lead }: Facts): string {
  if (!lead || lead.count >= 6) return 'Ranges are 95% confidence intervals.';
  return plural(lead.count, [
    'Ranges are 95% confidence intervals, except for the lead time, which is based on # event.',
    'Ranges are 95% confidence intervals, except for the lead time, whose range covers all # events.',
  ]);
}

function detailOf(facts: Facts): string {
  const { far, onsets, lead_minutes: lead } = facts;
  const parts = [
    far &&
      `Followed by precipitation: ${formatPercent(1 - far.value)} (${formatPercent(1 - far.high)} to ${formatPercent(1 - far.low)}).`,
    onsets && onsets.confirmed + onsets.missed > 0
      ? `At the start of precipitation, ${onsets.confirmed} of ${onsets.confirmed + onsets.missed} were announced.`
      : null,
    lead && `Median lead time: ${formatMinutes(lead.value)} (${Math.round(lead.low)} to ${formatMinutes(lead.high)}).`,
    ...missedOf(facts),
    rangesOf(facts),
  ];
  return parts.filter((part) => part !== null).join(' ');
}

const formatPercent = (share: number) => `${Math.round(share * 100)}%`;
const formatMinutes = (minutes: number) => `${Math.round(minutes)} min`;
