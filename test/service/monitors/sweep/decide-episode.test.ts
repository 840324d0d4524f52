// When an opt-in monitor's episodes start and end (docs/events.md): invariants over random weather, and each rule of its own.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventRules } from '#contract/service-api/rain-event.ts';
import {
  decideEpisode,
  type EpisodeState,
  endOf,
  lookAt,
  maxRateOf,
  noEpisode,
} from '#service/monitors/sweep/decide-episode.ts';
import type { Timeline, TimelineStep } from '#service/weather/timeline.ts';

const minute = 60_000;
const hour = 60 * minute;
const start = Date.parse('2026-11-28T14:00:00Z');

const rulesWith = (changes: Partial<EventRules> = {}): EventRules => ({
  payload: 'event',
  events: ['precipitation.expected', 'precipitation.started', 'precipitation.ended'],
  leastMmPerHour: 0.5,
  types: ['rain', 'freezing_rain', 'sleet', 'snow', 'hail', 'unknown'],
  leadMinutes: 30,
  dryMinutes: 60,
  ...changes,
});

const step = (from: number, mmPerHour: number | null, changes: Partial<TimelineStep> = {}): TimelineStep => ({
  from,
  until: from + 5 * minute,
  mmPerHour,
  kind: 'rain',
  basis: 'radar',
  source: 'met-norway-nowcast',
  updatedAt: from,
  place: null,
  slackMs: 5 * minute,
  ...changes,
});

/** Rates in steps of five minutes from a time on. */
const timeline = (from: number, rates: readonly (number | null)[], updatedAt = from): Timeline => ({
  steps: rates.map((rate, index) => step(from + index * 5 * minute, rate)),
  ruling: undefined,
  isKnown: true,
  updatedAt,
});

type Told = { at: number; kind: string; id: string; sequence: number; reason: string | null };

/** A monitor that is checked again and again, with the hour between its starts. */
function watch(rules: EventRules) {
  const events: Told[] = [];
  let state: EpisodeState = noEpisode;
  let startGate = 0;
  let ids = 0;
  return {
    events,
    phase: () => state.phase,
    state: () => state,
    look(at: number, weather: Timeline | undefined) {
      const decision = decideEpisode(state, lookAt(weather, rules, at), {
        rules,
        startGate,
        newId: () => `ep_${(ids += 1)}`,
      });
      ({ state } = decision);
      const { event } = decision;
      if (!event) return undefined;
      if (event.kind === 'started') startGate = at + hour;
      events.push({
        at,
        kind: event.kind,
        id: event.episode.id,
        sequence: event.episode.sequence,
        reason: event.reason,
      });
      return event;
    },
  };
}

/** Looks every five minutes, with the rate now and what is forecast. */
function run(rules: EventRules, rates: readonly (readonly (number | null)[] | undefined)[], from = start) {
  const watched = watch(rules);
  for (const [index, ahead] of rates.entries()) {
    const at = from + index * 5 * minute;
    watched.look(at, ahead && timeline(at, ahead));
  }
  return watched;
}

const times = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);
const kinds = ({ events }: { events: readonly Told[] }) => events.map(({ kind }) => kind);
/** When each came, in minutes, and why. */
const tellings = ({ events }: { events: readonly Told[] }) =>
  events.map(
    ({ kind, id, at, reason }) => `${kind} ${id} ${(at - start) / minute}${reason === null ? '' : ` ${reason}`}`,
  );

const weatherTape = fc.record({
  seed: fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 120, maxLength: 120 }),
  gaps: fc.array(fc.constantFrom(1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 6, 31), { minLength: 240, maxLength: 240 }),
  outages: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 120, maxLength: 120 }),
  noise: fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 120, maxLength: 120 }),
  lead: fc.integer({ min: 5, max: 60 }),
  dry: fc.integer({ min: 15, max: 120 }),
});

describe('any weather', () => {
  it('keeps the invariants of episodes', () => {
    let count = 0;
    fc.assert(
      fc.property(weatherTape, ({ seed, gaps, outages, noise, lead, dry }) => {
        const watched = watch(rulesWith({ leadMinutes: lead, dryMinutes: dry }));
        // A random walk that is dry about half of the time.
        let level = 0;
        const rates = [...seed, ...seed, ...seed].map((change) => Math.max(0, (level = level * 0.9 + change / 50)));
        let at = start;
        for (const [index, gap] of gaps.entries()) {
          at += gap * 5 * minute;
          const tape = rates
            .slice(index, index + 13)
            .map((rate, ahead) => rate * (ahead === 0 ? 1 : (noise[(index + ahead) % noise.length] ?? 0) / 100));
          watched.look(at, (outages[index % outages.length] ?? 0) > 0 ? timeline(at, tape) : undefined);
        }
        // Two days of dry weather: everything ends.
        for (let later = 0; later < 60; later += 1) watched.look((at += 5 * minute), timeline(at, times(13, 0)));
        const { events } = watched;
        count += events.length;
        const starts = events.filter(({ kind }) => kind === 'started');
        for (const [index, each] of starts.slice(1).entries()) {
          expect(each.at - (starts[index]?.at ?? 0)).toBeGreaterThanOrEqual(hour);
        }
        for (const { at: from } of events) {
          expect(events.filter((each) => each.at >= from && each.at < from + hour).length).toBeLessThanOrEqual(5);
        }
        for (const own of Map.groupBy(events, ({ id }) => id).values()) {
          const names = own.map(({ kind }) => kind);
          expect(new Set(names).size).toBe(names.length);
          expect(own.map(({ sequence }) => sequence)).toEqual(own.map((_, index) => index + 1));
          expect([
            ['expected', 'canceled'],
            ['expected', 'started', 'ended'],
            ['started', 'ended'],
          ]).toContainEqual(names);
        }
        expect(watched.phase()).toBe('dry');
      }),
      { numRuns: 100 },
    );
    expect(count).toBeGreaterThan(500);
  });
});

describe('a start', () => {
  it.each([
    ['at the minimum', [0.5], 'wet'],
    ['not below it', [0.49], 'dry'],
    ['not for rain to come, which is only expected', [0, 0.5], 'expected'],
  ])('comes %s', (_name, rates, phase) => {
    expect(run(rulesWith(), [rates]).phase()).toBe(phase);
  });

  it.each([
    ['at the default minimum', 0.1, 'wet'],
    ['not with a higher one', 0.2, 'dry'],
  ])('by an airport, which has no amount, comes %s', (_name, leastMmPerHour, phase) => {
    expect(run(rulesWith({ leastMmPerHour }), [[null]]).phase()).toBe(phase);
  });

  it('comes only for the chosen kinds', () => {
    expect(run(rulesWith({ types: ['snow'] }), [[9]]).phase()).toBe('dry');
    expect(run(rulesWith({ types: ['snow', 'rain'] }), [[9]]).phase()).toBe('wet');
  });
});

describe('the rate', () => {
  it.each([
    ['may fall to half of the minimum without an end', 0.5, 0.25, 'wet'],
    ['ends below half of the minimum', 0.5, 0.24, 'drying'],
    ['never falls below 0.1 mm/h without an end', 0.1, 0.09, 'drying'],
    ['goes on at 0.1 mm/h', 0.1, 0.1, 'wet'],
  ])('%s', (_name, leastMmPerHour, rate, phase) => {
    expect(run(rulesWith({ leastMmPerHour }), [[leastMmPerHour], [rate]]).phase()).toBe(phase);
  });

  it('adds up to an amount, with its maximum', () => {
    const state = run(rulesWith(), [[6], [6], [12], ...times(2, [0])]).state();
    expect(state).toMatchObject({ amount: 1.5, maxRate: 12, lastWetAt: start + 10 * minute });
  });
});

const noForecast = rulesWith({ events: ['precipitation.started', 'precipitation.ended'] });
const rain15 = [0, 0, 0, 1];

describe('looks every five minutes', () => {
  const soonDry = { ...noForecast, dryMinutes: 15 };

  it.each([
    ['end it after the dry minutes', noForecast, [[1], ...times(14, [0])], ['started ep_1 0', 'ended ep_1 65 dry']],
    [
      'end it later if it rains again meanwhile',
      noForecast,
      [[1], ...times(11, [0]), [1], ...times(14, [0])],
      ['started ep_1 0', 'ended ep_1 125 dry'],
    ],
    [
      'end it later if there was no weather for a time, which is not dry',
      noForecast,
      [[1], ...times(6, [0]), undefined, ...times(14, [0])],
      ['started ep_1 0', 'ended ep_1 100 dry'],
    ],
    [
      'end it after 24 hours of rain, and start a new one with the next look',
      noForecast,
      times(24 * 12 + 2, [1]),
      ['started ep_1 0', 'ended ep_1 1440 max_duration', 'started ep_2 1445'],
    ],
    [
      'start the next one an hour after the last start',
      soonDry,
      [[1], ...times(4, [0]), ...times(8, [1])],
      ['started ep_1 0', 'ended ep_1 20 dry', 'started ep_2 60'],
    ],
    ['start what was expected', rulesWith(), [rain15, [1]], ['expected ep_1 0', 'started ep_1 5']],
    [
      'cancel it only if two in a row find nothing ahead',
      rulesWith(),
      [rain15, [0, 0], [0, 1], [0, 0], [0, 0]],
      ['expected ep_1 0', 'canceled ep_1 20 forecast_changed'],
    ],
    [
      'expect it at most once an hour, but start it',
      rulesWith(),
      [rain15, [0, 0], [0, 0], rain15, [1]],
      ['expected ep_1 0', 'canceled ep_1 10 forecast_changed', 'started ep_2 20'],
    ],
    [
      'expect none before a start would be allowed',
      rulesWith({ dryMinutes: 15 }),
      [[1], ...times(4, [0]), rain15],
      ['started ep_1 0', 'ended ep_1 20 dry'],
    ],
  ])('%s', (_name, rules, rates, expected) => {
    expect(tellings(run(rules, rates))).toEqual(expected);
  });

  it('tell since when it is wet, also within the hour after the last start', () => {
    const { state } = run(soonDry, [[1], ...times(5, [0]), ...times(7, [1])]);
    expect(state().startedAt).toBe(start + 30 * minute);
  });
});

describe('an end', () => {
  it('does not count time without looks as dry', () => {
    const watched = run(noForecast, [[1], [0]]);
    watched.look(start + 110 * minute, timeline(start + 110 * minute, [0]));
    expect(kinds(watched)).toEqual(['started']);
  });

  it('comes after more than two hours without weather', () => {
    const watched = run(noForecast, [[1]]);
    watched.look(start + 2 * hour, undefined);
    expect(watched.phase()).toBe('wet');
    expect(watched.look(start + 2 * hour + 1, undefined)).toMatchObject({ kind: 'ended', reason: 'no_data' });
  });

  it('comes at the first look after a longer downtime, even if it rains', () => {
    const watched = run(noForecast, [[1]]);
    const later = start + 3 * hour;
    expect(watched.look(later, timeline(later, [1]))).toMatchObject({ kind: 'ended', reason: 'no_data' });
    expect(watched.look(later + minute, timeline(later + minute, [1]))).toMatchObject({ kind: 'started' });
  });
});

describe('an expectation', () => {
  it('comes for rain within the lead time only if it is chosen', () => {
    expect(run(rulesWith(), [[...times(6, 0), 1]]).phase()).toBe('expected');
    expect(run(rulesWith(), [[...times(7, 0), 1]]).phase()).toBe('dry');
    expect(run(rulesWith({ events: ['precipitation.started'] }), [rain15]).phase()).toBe('dry');
  });

  it('is canceled only by the second update without it', () => {
    const watched = watch(rulesWith());
    watched.look(start, timeline(start, rain15));
    const dryAt = (minutes: number, updated: number) =>
      watched.look(start + minutes * minute, timeline(start + minutes * minute, [0, 0], start + updated * minute));
    expect(dryAt(1, 1)).toBeUndefined();
    expect(dryAt(2, 1)).toBeUndefined();
    expect(dryAt(3, 3)).toMatchObject({ kind: 'canceled', reason: 'forecast_changed' });
  });

  it('is canceled 15 minutes after its time', () => {
    const watched = watch(rulesWith());
    watched.look(start, timeline(start, rain15));
    const dry = timeline(start, times(20, 0));
    watched.look(start + 30 * minute, { ...dry, updatedAt: start });
    expect(watched.phase()).toBe('expected');
    expect(watched.look(start + 30 * minute + 1, { ...dry, updatedAt: start })).toMatchObject({ kind: 'canceled' });
  });

  it('is canceled after two hours without weather', () => {
    const watched = run(rulesWith(), [rain15]);
    expect(watched.look(start + 2 * hour + 1, undefined)).toMatchObject({ kind: 'canceled', reason: 'no_data' });
  });
});

describe('a clock that is set back', () => {
  it('moves the episode with it, so that it still ends', () => {
    const watched = run(rulesWith({ events: ['precipitation.ended'] }), [[1], [0]]);
    const back = start - 48 * hour;
    for (let minutes = 0; minutes <= 60; minutes += 5) {
      watched.look(back + minutes * minute, timeline(back + minutes * minute, [0]));
    }
    expect(watched.events.at(-1)).toMatchObject({ kind: 'ended', reason: 'dry', at: back + 60 * minute });
  });
});

describe('what is known of the time to come', () => {
  const rules = rulesWith();
  const first = step(start, 1);

  it('is the end of the rain by the last step above half of the minimum', () => {
    const { at, earliest, latest } = endOf(timeline(start, [1, 0.3, 0.2, 1]), first, rules) ?? {};
    expect([at, earliest, latest]).toEqual([start + 10 * minute, start + 5 * minute, start + 15 * minute]);
  });

  it('is not found beyond the horizon, or by a station', () => {
    expect(endOf(timeline(start, [1, 1]), first, rules)).toBeUndefined();
    const station = step(start, null, { basis: 'station' });
    const weather = { ...timeline(start, [0, 0]), steps: [station, step(start + 5 * minute, 0)] };
    expect(endOf(weather, station, rulesWith({ leastMmPerHour: 0.1 }))).toBeUndefined();
  });

  it('is the highest rate from now on', () => {
    expect(maxRateOf(timeline(start - 5 * minute, [9, 1, 3, 0.2]), rules, start)).toBe(3);
    expect(maxRateOf(timeline(start, [0]), rules, start)).toBeNull();
  });
});
