// Events that a monitor's owner chose instead of the interface's callback: their members in a monitor, and their body (docs/events.md).
// A Rainbell extension: a monitor without them gets the Monitor as the body, at most once an hour (docs/interface.md §6).
import { z } from 'zod';
import { geoPointSchema } from './geo.ts';

export const precipitationTypes = ['rain', 'freezing_rain', 'sleet', 'snow', 'hail', 'unknown'] as const;
export type PrecipitationType = (typeof precipitationTypes)[number];

/** `monitor`: the interface's callback, without the other members. */
const payloads = ['monitor', 'event', 'slack', 'discord', 'teams'] as const;
const eventTypes = ['precipitation.expected', 'precipitation.started', 'precipitation.ended'] as const;
export type ChosenEvent = (typeof eventTypes)[number];

const payloadSchema = z.enum(payloads, 'must be "monitor", "event", "slack", "discord", or "teams"');

/** A list of different words. `rule`: the end of a sentence about its name. */
function wordList<const Words extends readonly [string, ...string[]]>(words: Words, rule: string) {
  return z
    .array(z.enum(words, rule), rule)
    .min(1, rule)
    .superRefine((list, context) => {
      const twice = list.find((word, index) => list.indexOf(word) !== index);
      if (twice !== undefined) context.addIssue(`must not name "${twice}" more than once`);
    });
}

const eventsSchema = wordList(
  eventTypes,
  'must be a list of "precipitation.expected", "precipitation.started", and "precipitation.ended"',
);
const whole = (min: number, max: number) => {
  const rule = `must be a whole number from ${min} to ${max}`;
  return z.int(rule).min(min, rule).max(max, rule);
};
const rateRule = 'must be a number from 0.1 to 50 (mm/h)';
const hasTwoDecimals = (rate: number) => Math.abs(rate * 100 - Math.round(rate * 100)) < 1e-9;

export const conditionsSchema = z.strictObject(
  {
    min_precipitation_rate: z
      .number(rateRule)
      .min(0.1, rateRule)
      .max(50, rateRule)
      .refine(hasTwoDecimals, `${rateRule} with at most 2 decimals`)
      .optional(),
    precipitation_types: wordList(precipitationTypes, `must be a list of ${precipitationTypes.join(', ')}`).optional(),
    lead_minutes: whole(5, 60).optional(),
    dry_minutes: whole(15, 360).optional(),
  },
  'must be an object',
);

/** The optional members of a monitor. */
export const monitorOptions = {
  payload: payloadSchema.optional(),
  events: eventsSchema.optional(),
  conditions: conditionsSchema.optional(),
};
const optionsSchema = z.object(monitorOptions);
export type MonitorOptions = z.infer<typeof optionsSchema>;

/** Null removes a member. */
export type OptionChanges = { [Name in keyof MonitorOptions]?: MonitorOptions[Name] | null };

/** Returns the members of a monitor with events of its own; undefined for the interface's callback. */
export function optionsOf({ payload, events, conditions }: OptionChanges): MonitorOptions | undefined {
  if (!payload || payload === 'monitor') return undefined;
  return { payload, ...(events && { events }), ...(conditions && { conditions }) };
}

/** Returns what members of a monitor don't fit together, as a sentence; undefined if they do. */
export function optionsProblem({ payload, events, conditions }: OptionChanges): string | undefined {
  const unusable =
    (payload ?? 'monitor') !== 'monitor' ? undefined : events ? 'events' : conditions ? 'conditions' : undefined;
  if (unusable !== undefined) return `${unusable} needs payload "event", "slack", "discord", or "teams".`;
  if (conditions?.lead_minutes === undefined || events?.includes('precipitation.expected')) return undefined;
  return 'conditions.lead_minutes has no effect without "precipitation.expected" in events.';
}

/** What a monitor with `payload` other than `monitor` does, with all defaults. */
export type EventRules = {
  payload: Exclude<(typeof payloads)[number], 'monitor'>;
  events: readonly ChosenEvent[];
  leastMmPerHour: number;
  types: readonly PrecipitationType[];
  leadMinutes: number;
  dryMinutes: number;
};

/** Undefined: the interface's callback. */
export function eventRulesOf({ payload = 'monitor', events, conditions = {} }: MonitorOptions): EventRules | undefined {
  if (payload === 'monitor') return undefined;
  return {
    payload,
    events: events ?? ['precipitation.started'],
    leastMmPerHour: conditions.min_precipitation_rate ?? 0.1,
    types: conditions.precipitation_types ?? precipitationTypes,
    leadMinutes: conditions.lead_minutes ?? 15,
    dryMinutes: conditions.dry_minutes ?? 60,
  };
}

/** `.canceled` comes with `.expected`. */
export const rainEventTypes = [...eventTypes, 'precipitation.canceled'] as const;

/** Why an episode or an expectation ended. */
const endReasons = ['dry', 'no_data', 'max_duration', 'monitor_changed', 'forecast_changed'] as const;
export type EndReason = (typeof endReasons)[number];

export const eventBases = ['station', 'radar', 'forecast', 'scenario'] as const;
export type EventBasis = (typeof eventBases)[number];

const time = z.string().describe('RFC 3339, UTC');
const estimate = z
  .object({ at: time, earliest: time, latest: time })
  .describe('with its uncertainty: one step of the source');
const rate = z.number().describe('mm/h of water; null: unknown, as from an airport');

/** The body with `payload: "event"`, in the form of Standard Webhooks. All members are always present; null means unknown. */
export const rainEventSchema = z.looseObject({
  type: z.enum(rainEventTypes),
  timestamp: time,
  title: z.string().describe('for people'),
  message: z.string().describe('for people, with times in UTC'),
  data: z.looseObject({
    version: z.literal(1),
    episode_id: z.string().describe('shared by all events of one episode'),
    sequence: z.int().describe('rises within an episode; ignore an event with a lower one'),
    is_test: z.boolean(),
    precipitation_type: z.enum(precipitationTypes),
    precipitation_rate: rate.nullable(),
    max_precipitation_rate: rate.nullable().describe('mm/h, the highest that is known'),
    precipitation_amount: z.number().nullable().describe('mm of water so far, by rates at checks; null: unknown'),
    basis: z.enum(eventBases).nullable(),
    certainty: z.enum(['observed', 'likely']),
    source: z.string().nullable(),
    updated_at: time.nullable().describe('when the source made or sent the data'),
    attribution: z.string().nullable(),
    started_at: time.nullable(),
    ended_at: time.nullable().describe('when it was last wet'),
    end_reason: z.enum(endReasons).nullable(),
    expected_start: estimate.nullable(),
    expected_end: estimate.nullable(),
    expires_at: time.nullable().describe('stop believing the event after this time'),
    distance_km: z.number().nullable(),
    bearing: z.number().nullable().describe('degrees to the place of the data, never a movement'),
    monitor: z.looseObject({ id: z.string(), geo: geoPointSchema }),
  }),
});
export type RainEvent = z.infer<typeof rainEventSchema>;
