// Sixty simulated days at twelve places: the episodes are those that an independent reading of the same amounts finds.
import { expect, it } from 'vitest';
import { type EventRules, eventRulesOf } from '#contract/service-api/rain-event.ts';
import { decideEpisode, lookAt, noEpisode } from '#service/monitors/sweep/decide-episode.ts';
import type { Rainfall } from '#service/weather/reading/reading.ts';
import { createSimulation } from '#service/weather/simulation/simulation.ts';
import type { Timeline, TimelineStep } from '#service/weather/timeline.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

const minute = 60_000;
const from = Date.parse('2026-09-01T00:00:00Z');
const until = from + 60 * 24 * 60 * minute;
const places = [
  [45.1, 7.7],
  [59.9, 10.8],
  [51.5, -0.1],
  [40.7, -74],
  [35.7, 139.7],
  [-33.9, 151.2],
  [1.3, 103.8],
  [64.1, -21.9],
  [19.4, -99.1],
  [-1.3, 36.8],
  [55.8, 37.6],
  [-34.6, -58.4],
] as const;

type Found = [kind: string, at: number];

/** What the service decides, with a look every five minutes. */
function decided(rainfall: readonly Rainfall[], rules: EventRules): Found[] {
  const found: Found[] = [];
  let state = noEpisode;
  let startGate = 0;
  for (const { from: at, mmPerHour } of rainfall) {
    for (const now of [at, at + 5 * minute, at + 10 * minute]) {
      const step: TimelineStep = {
        from: at,
        until: at + 15 * minute,
        mmPerHour,
        kind: 'rain',
        basis: 'forecast',
        source: 'simulation',
        updatedAt: now,
        place: null,
        slackMs: 0,
      };
      const timeline: Timeline = { steps: [step], ruling: undefined, isKnown: true, updatedAt: now };
      const decision = decideEpisode(state, lookAt(timeline, rules, now), { rules, startGate, newId: () => 'ep' });
      ({ state } = decision);
      if (decision.event?.kind === 'started') startGate = now + 60 * minute;
      if (decision.event) found.push([decision.event.kind, now]);
    }
  }
  return found;
}

/** The rules in other words, over the amounts as one list with a value for every five minutes. */
function read(rainfall: readonly Rainfall[], min: number, dryMinutes: number): Found[] {
  const rates = rainfall.flatMap(({ mmPerHour: rate }) => [rate, rate, rate]);
  const timeOf = (index: number) => from + index * 5 * minute;
  const found: Found[] = [];
  let lastStart = -Infinity;
  let index = 0;
  while (index < rates.length) {
    const start = rates.findIndex((rate, at) => at >= index && at >= lastStart + 12 && rate >= min);
    if (start === -1) break;
    // It may have been wet since before, while the hour lasted.
    let wetSince = start;
    while (wetSince > index && (rates[wetSince - 1] ?? 0) >= min) wetSince -= 1;
    const limit = wetSince + 24 * 12;
    let end = start;
    let dry = -1;
    while (end < limit && end < rates.length && (dry === -1 || (end - dry) * 5 < dryMinutes)) {
      end += 1;
      if ((rates[end] ?? 0) >= Math.max(0.1, min / 2)) dry = -1;
      else if (dry === -1) dry = end;
    }
    found.push(['started', timeOf(start)]);
    if (end < rates.length) found.push(['ended', timeOf(end)]);
    lastStart = start;
    index = end + 1;
  }
  return found;
}

it.each([
  [0.1, 60],
  [0.5, 60],
  [2, 15],
])('episodes from %s mm/h with %s dry minutes', (min, dry_minutes) => {
  const rules = eventRulesOf({
    payload: 'event',
    events: ['precipitation.started', 'precipitation.ended'],
    conditions: { min_precipitation_rate: min, dry_minutes },
  });
  if (!rules) throw new Error('A monitor with a payload has rules.');
  const simulation = createSimulation({ clock: createManualClock(until) });
  let count = 0;
  for (const [lat, lng] of places) {
    const rainfall = simulation.pastRainfall({ lat, lng }, from, until, 15 * minute);
    const found = decided(rainfall, rules);
    expect(found).toEqual(read(rainfall, min, dry_minutes));
    count += found.length;
  }
  expect(count).toBeGreaterThan(300);
});
