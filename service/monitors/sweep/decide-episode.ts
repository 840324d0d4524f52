// Decides an opt-in monitor's events (docs/events.md): one episode is a spell of precipitation, from its forecast to its end. Pure: the
// state machine is the table below, and the first row that applies decides. The sweep stores the state (episodes.ts).
import type { EndReason, EventRules, PrecipitationType } from '@rainbell/contract/service-api';
import type { EpisodeEvent } from '../delivery/tables.ts';
import { covers, type Timeline, type TimelineStep } from '../../weather/timeline.ts';

export type Phase = 'dry' | 'expected' | 'wet' | 'drying';

export type Estimate = { at: number; earliest: number; latest: number };

export type EpisodeState = {
  phase: Phase;
  /** '' while it is dry. */
  id: string;
  /** Of the last event. */
  sequence: number;
  /** The last look with current weather, and the last one of any kind. */
  knownAt: number;
  lookedAt: number;
  /** While it is dry: since when it has been wet without an event, because the last start is less than an hour ago. */
  wetSince: number | null;
  /** The last opening by a forecast: at most one an hour. */
  forecastAt: number;
  expected: Estimate | null;
  /** Updates in a row without the expected precipitation, and the last of them. */
  misses: number;
  missedUpdate: number;
  startedAt: number | null;
  lastWetAt: number | null;
  /** The first of the dry looks in a row. */
  drySince: number | null;
  kind: PrecipitationType;
  maxRate: number | null;
  /** Millimeters so far; null: no amount is known. */
  amount: number | null;
};

export const noEpisode: EpisodeState = {
  phase: 'dry',
  id: '',
  sequence: 0,
  knownAt: 0,
  lookedAt: 0,
  wetSince: null,
  forecastAt: 0,
  expected: null,
  misses: 0,
  missedUpdate: 0,
  startedAt: null,
  lastWetAt: null,
  drySince: null,
  kind: 'unknown',
  maxRate: null,
  amount: null,
};

/** What the weather says at one time, by a monitor's rules. */
export type Look = {
  now: number;
  /** False: nothing current is known, so the state is held. */
  isKnown: boolean;
  updatedAt: number;
  /** The wettest step now, at the minimum; and at half of it, which is enough to stay wet. */
  wet: TimelineStep | undefined;
  stillWet: TimelineStep | undefined;
  /** The first wet step to come within the lead time. */
  ahead: TimelineStep | undefined;
};

type Rules = Pick<EventRules, 'leastMmPerHour' | 'types' | 'leadMinutes'>;

/** The smallest amount that counts, and the only minimum at which a source without amounts (an airport) counts. */
const leastOfAll = 0.1;
const minuteMs = 60_000;

/** `isStill`: by the amount at which an episode stays wet. */
function isMatch({ mmPerHour, kind }: TimelineStep, { leastMmPerHour, types }: Rules, isStill = false): boolean {
  if (!types.includes(kind)) return false;
  if (mmPerHour === null) return leastMmPerHour <= leastOfAll;
  return mmPerHour >= (isStill ? Math.max(leastOfAll, leastMmPerHour / 2) : leastMmPerHour);
}

function wettest(steps: readonly TimelineStep[]): TimelineStep | undefined {
  return steps.toSorted((one, other) => (other.mmPerHour ?? 0) - (one.mmPerHour ?? 0))[0];
}

/** Undefined: the weather was unavailable. */
export function lookAt(timeline: Timeline | undefined, rules: Rules, now: number): Look {
  const { steps = [], isKnown = false, updatedAt = 0 } = timeline ?? {};
  const current = isKnown ? steps.filter((step) => covers(step, now)) : [];
  const reach = now + rules.leadMinutes * minuteMs;
  const coming = isKnown ? steps.filter((step) => step.from > now && step.from <= reach && isMatch(step, rules)) : [];
  return {
    now,
    isKnown,
    updatedAt,
    wet: wettest(current.filter((step) => isMatch(step, rules))),
    stillWet: wettest(current.filter((step) => isMatch(step, rules, true))),
    ahead: coming.toSorted((one, other) => one.from - other.from)[0],
  };
}

/** Returns when a step starts, at the earliest now. */
export function startOf({ from, slackMs }: TimelineStep, now: number): Estimate {
  return { at: from, earliest: Math.max(now, from - slackMs), latest: from + slackMs };
}

/** Returns when the precipitation that starts with `step` ends; undefined if it lasts longer than what is known. */
export function endOf(timeline: Timeline, step: TimelineStep, rules: Rules): Estimate | undefined {
  const wet = timeline.steps.filter((each) => isMatch(each, rules, true));
  let last = step;
  for (;;) {
    const next = wet.find(({ from, until }) => from <= last.until && until > last.until);
    if (!next) break;
    last = next;
  }
  // A station says nothing of the time to come.
  const isSeen = last.basis === 'scenario' || timeline.steps.some((each) => covers(each, last.until));
  if (!isSeen || last.basis === 'station') return undefined;
  return { at: last.until, earliest: last.until - last.slackMs, latest: last.until + last.slackMs };
}

/** Returns the highest rate from a time on; null if no amount is known. */
export function maxRateOf({ steps }: Timeline, rules: Rules, now: number): number | null {
  const rates = steps
    .filter((step) => step.until > now && isMatch(step, rules))
    .flatMap((step) => step.mmPerHour ?? []);
  return rates.length === 0 ? null : Math.max(...rates);
}

type Facts = ReturnType<typeof factsOf>;

type Row = {
  from: readonly Phase[];
  when: (facts: Facts) => boolean;
  to: Phase | 'same';
  event?: EpisodeEvent;
  reason?: EndReason;
};

const all: readonly Phase[] = ['dry', 'expected', 'wet', 'drying'];

const table: readonly Row[] = [
  { from: ['expected'], when: ({ isLost }) => isLost, to: 'dry', event: 'canceled', reason: 'no_data' },
  { from: ['wet', 'drying'], when: ({ isLost }) => isLost, to: 'dry', event: 'ended', reason: 'no_data' },
  { from: ['wet', 'drying'], when: ({ isTooLong }) => isTooLong, to: 'dry', event: 'ended', reason: 'max_duration' },
  { from: all, when: ({ isKnown }) => !isKnown, to: 'same' },
  { from: ['dry'], when: ({ isWet, canStart }) => isWet && canStart, to: 'wet', event: 'started' },
  { from: ['dry'], when: ({ isWet }) => isWet, to: 'dry' },
  { from: ['dry'], when: ({ isAhead, canForecast }) => isAhead && canForecast, to: 'expected', event: 'expected' },
  { from: ['expected'], when: ({ isWet }) => isWet, to: 'wet', event: 'started' },
  { from: ['expected'], when: ({ isOverdue }) => isOverdue, to: 'dry', event: 'canceled', reason: 'forecast_changed' },
  {
    from: ['expected'],
    when: ({ isMissedTwice }) => isMissedTwice,
    to: 'dry',
    event: 'canceled',
    reason: 'forecast_changed',
  },
  { from: ['wet', 'drying'], when: ({ isStillWet }) => isStillWet, to: 'wet' },
  { from: ['drying'], when: ({ isDryLongEnough }) => isDryLongEnough, to: 'dry', event: 'ended', reason: 'dry' },
  { from: ['wet'], when: () => true, to: 'drying' },
];

const hourMs = 60 * minuteMs;
/** An episode without current weather ends after this time. */
export const lostAfterMs = 2 * hourMs;
export const longestMs = 24 * hourMs;
/** How long after the expected start an expectation is given up. */
export const overdueMs = 15 * minuteMs;
/** Between two looks at most; longer gaps count for no amount. */
const longestStepMs = 15 * minuteMs;

/** `state`: for the next look. `episode`: what the event is about. */
export type Decision = {
  state: EpisodeState;
  event?: { kind: EpisodeEvent; reason: EndReason | null; episode: EpisodeState };
};

type Question = {
  rules: Pick<EventRules, 'events' | 'dryMinutes'>;
  /** No start before this time. */
  startGate: number;
  /** For a new episode. */
  newId: () => string;
};

export function decideEpisode(given: EpisodeState, look: Look, { rules, startGate, newId }: Question): Decision {
  const { now } = look;
  const before = pulledIn(given, now);
  const misses = missesOf(before, look);
  // Dry looks far apart, or with looks between them that found no weather, prove nothing of the time between.
  const isInRow = before.drySince !== null && now - before.lookedAt <= 2 * longestStepMs;
  const drySince = look.isKnown && !look.stillWet ? (isInRow ? before.drySince : now) : null;
  const facts = factsOf(before, look, { rules, startGate, misses, drySince });
  const row = table.find(({ from, when }) => from.includes(before.phase) && when(facts));
  const phase = row === undefined || row.to === 'same' ? before.phase : row.to;
  const known = look.isKnown ? { knownAt: now, misses, missedUpdate: look.updatedAt } : {};
  const looked = { ...before, lookedAt: now, ...known, drySince };
  const state = { ...looked, ...entering(phase, before, look, newId), phase };
  if (row?.event === undefined) return { state };
  const episode = { ...state, sequence: state.sequence + 1 };
  const { event: kind, reason = null } = row;
  return { state: phase === 'dry' ? closed(state) : episode, event: { kind, reason, episode } };
}

function factsOf(
  before: EpisodeState,
  { now, isKnown, wet, stillWet, ahead }: Look,
  { rules, startGate, misses, drySince }: Omit<Question, 'newId'> & { misses: number; drySince: number | null },
) {
  // At most one start an hour, and one opening by a forecast.
  const canStart = now >= startGate;
  return {
    isKnown,
    isWet: wet !== undefined,
    isStillWet: stillWet !== undefined,
    isAhead: ahead !== undefined,
    canStart,
    canForecast: canStart && now >= before.forecastAt + hourMs && rules.events.includes('precipitation.expected'),
    isOverdue: now > (before.expected?.at ?? Infinity) + overdueMs,
    isMissedTwice: misses >= 2,
    isDryLongEnough: drySince !== null && now >= drySince + rules.dryMinutes * minuteMs,
    isTooLong: now >= (before.startedAt ?? Infinity) + longestMs,
    isLost: now > before.knownAt + lostAfterMs,
  };
}

/** Returns the state after an episode: only the gate of forecasts stays. */
export function closed({ forecastAt, lookedAt, knownAt }: EpisodeState): EpisodeState {
  return { ...noEpisode, forecastAt, lookedAt, knownAt };
}

function missesOf(before: EpisodeState, { isKnown, ahead, updatedAt }: Look): number {
  if (before.phase !== 'expected' || ahead) return 0;
  return before.misses + (isKnown && updatedAt !== before.missedUpdate ? 1 : 0);
}

/** What a look changes in the state, by the phase that it leads to. */
function entering(phase: Phase, before: EpisodeState, look: Look, newId: () => string): Partial<EpisodeState> {
  const { now, wet, stillWet, ahead } = look;
  const isNew = before.phase === 'dry' && phase !== 'dry';
  const opened = isNew ? { id: newId(), sequence: 0, amount: null, maxRate: null } : {};
  switch (phase) {
    case 'dry':
      return { wetSince: before.phase === 'dry' && look.isKnown ? (wet ? (before.wetSince ?? now) : null) : null };
    case 'expected':
      return {
        ...opened,
        ...(isNew ? { forecastAt: now, wetSince: null } : {}),
        ...(ahead ? { expected: startOf(ahead, now), kind: ahead.kind } : {}),
      };
    case 'wet': {
      if (!look.isKnown || !stillWet) return {};
      const startedAt = before.startedAt ?? before.wetSince ?? now;
      return {
        ...opened,
        startedAt,
        lastWetAt: now,
        wetSince: null,
        drySince: null,
        kind: (wet ?? stillWet).kind,
        ...fallen(isNew ? noEpisode : before, stillWet, now),
      };
    }
    case 'drying':
      return {};
  }
}

/** Adds up the amount since the last look. */
function fallen(before: EpisodeState, { mmPerHour }: TimelineStep, now: number) {
  if (mmPerHour === null) return {};
  const ms = before.startedAt === null ? 0 : Math.min(longestStepMs, now - before.lookedAt);
  return {
    amount: (before.amount ?? 0) + (mmPerHour * ms) / hourMs,
    maxRate: Math.max(before.maxRate ?? 0, mmPerHour),
  };
}

/** The clock was set back: the state's times move with it, so that an episode still ends. */
function pulledIn(state: EpisodeState, now: number): EpisodeState {
  const ms = state.lookedAt - now;
  if (ms <= minuteMs) return state;
  const earlier = (time: number | null) => (time === null ? null : time - ms);
  const { expected } = state;
  return {
    ...state,
    knownAt: state.knownAt - ms,
    lookedAt: now,
    forecastAt: state.forecastAt - ms,
    wetSince: earlier(state.wetSince),
    startedAt: earlier(state.startedAt),
    lastWetAt: earlier(state.lastWetAt),
    drySince: earlier(state.drySince),
    expected: expected && { at: expected.at - ms, earliest: expected.earliest - ms, latest: expected.latest - ms },
  };
}
