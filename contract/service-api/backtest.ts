// What a monitor at a location would have done in the last 30 days: a Rainbell extension of the interface, at `GET /v2/backtest/`
// (docs/verification.md, "Backtest").
import { z } from 'zod';

/** The value in `meta.extensions` of `GET /v2/delivery/`; the app queries only services that list it. */
export const backtestExtension = 'backtest';

/** From the strongest to the weakest. */
export const backtestSources = ['archive', 'historical_forecast', 'simulation'] as const;

const count = z.int().min(0);

const estimateSchema = z
  .object({ value: z.number(), low: z.number(), high: z.number(), count })
  .describe('with its 95 % interval, from `count` cases');

export const backtestSchema = z.object({
  source: z
    .enum(backtestSources)
    .nullable()
    .describe('the recorded archive, a provider’s historical forecasts, or the simulation; null: not enough data'),
  provider: z.string().nullable().describe('whose historical forecasts they are'),
  policy: z.string().describe('the policy that decided, such as `standard/1`'),
  days: z.number().describe('how many of the last 30 days there is data for'),
  events: count.describe('how often the monitor would have fired'),
  expected: estimateSchema.nullable().describe('events to expect in another such period'),
  confirmed: count.describe('events that precipitation followed'),
  not_confirmed: count,
  no_evidence: count.describe('events after which no nearby airport reported'),
  missed: count.describe('precipitation that was observed without an event'),
  pod: estimateSchema.nullable().describe('probability of detection'),
  far: estimateSchema.nullable().describe('false alarm ratio'),
  csi: estimateSchema.nullable().describe('critical success index'),
  lead_minutes: estimateSchema.nullable().describe('median, from the event to the precipitation'),
  station: z
    .object({ name: z.string(), distance_km: z.number() })
    .nullable()
    .describe('the nearest airport whose reports count'),
  reason: z.string().nullable().describe('why there is not enough data'),
  sentence: z.string().describe('for people'),
  detail: z.string().nullable().describe('intervals, for people'),
});
export type Backtest = z.infer<typeof backtestSchema>;
type Facts = Omit<Backtest, 'sentence' | 'detail'>;

/** "Here it would have fired 7 times in the last 30 days; 6 were followed by rain at LIMF, 4 km away." */
export function describeBacktest(facts: Facts): Pick<Backtest, 'sentence' | 'detail'> {
  const { source, events, days } = facts;
  if (source === null) {
    return { sentence: `Not enough data to say how often it would have fired here: ${facts.reason}.`, detail: null };
  }
  const by = {
    archive: 'Here it',
    historical_forecast: `By historical forecasts of ${facts.provider}, a weaker source, it`,
    simulation: 'In the simulation, it',
  }[source];
  const span = `in the last ${days} days`;
  if (events === 0) return { sentence: `${by} would not have fired ${span}.${missedOf(facts)}`, detail: null };
  return { sentence: `${by} would have fired ${timesOf(events)} ${span}${followedBy(facts)}`, detail: detailOf(facts) };
}

function timesOf(times: number): string {
  return times === 1 ? 'once' : `${times} times`;
}

function followedBy({ confirmed, not_confirmed, station, source }: Facts): string {
  const seen = confirmed + not_confirmed;
  if (seen === 0) return '. No nearby airport reported whether rain followed.';
  const where = source === 'simulation' || !station ? '' : ` at ${station.name}, ${formatKm(station.distance_km)} away`;
  if (seen === 1) return confirmed === 1 ? `; rain followed${where}.` : `; no rain followed${where}.`;
  return `; ${confirmed} of ${seen} ${confirmed === 1 ? 'was' : 'were'} followed by rain${where}.`;
}

function missedOf({ missed }: Facts): string {
  return missed === 0 ? '' : ` It rained ${timesOf(missed)} without a callback.`;
}

function detailOf(facts: Facts): string {
  const { expected, far, lead_minutes: lead } = facts;
  const parts = [
    expected && `In another such period: ${Math.floor(expected.low)} to ${Math.ceil(expected.high)} events.`,
    far &&
      `Followed by rain: ${formatPercent(1 - far.value)} (${formatPercent(1 - far.high)} to ${formatPercent(1 - far.low)}).`,
    lead && `Lead time: ${formatMinutes(lead.value)} (${Math.round(lead.low)} to ${formatMinutes(lead.high)}).`,
  ].filter((part) => part !== null);
  return `${parts.join(' ')}${missedOf(facts)} Intervals are 95%.`;
}

const formatKm = (km: number) => `${km < 10 ? Math.round(km * 10) / 10 : Math.round(km)} km`;
const formatPercent = (share: number) => `${Math.round(share * 100)}%`;
const formatMinutes = (minutes: number) => `${Math.round(minutes)} min`;
