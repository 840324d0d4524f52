// The body of an episode's event (docs/events.md), and its forms for Slack, Discord, and Teams, against files written by hand.
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { eventRulesOf, rainEventSchema } from '#contract/service-api/rain-event.ts';
import { noEpisode } from '#service/monitors/sweep/decide-episode.ts';
import { testBodyOf } from '#service/monitors/sweep/episodes.ts';
import type { MonitorRow } from '#service/monitors/monitor-json.ts';
import { bodyOf, rainEventOf } from '#service/monitors/sweep/rain-event-body.ts';
import type { Timeline, TimelineStep } from '#service/weather/timeline.ts';

const minute = 60_000;
const now = Date.parse('2026-11-28T14:05:12Z');
const radarAt = Date.parse('2026-11-28T14:05:00Z');

const step = (from: number, mmPerHour: number): TimelineStep => ({
  from,
  until: from + 5 * minute,
  mmPerHour,
  kind: 'rain',
  basis: 'radar',
  source: 'met-norway-nowcast',
  updatedAt: Date.parse('2026-11-28T14:00:00Z'),
  place: null,
  slackMs: 5 * minute,
});
const timeline: Timeline = {
  steps: [2.4, 3.1, ...Array.from({ length: 15 }, () => 1), 0].map((rate, index) =>
    step(radarAt + index * 5 * minute, rate),
  ),
  ruling: undefined,
  isKnown: true,
  updatedAt: radarAt,
};
const monitor = {
  id: 'precipitation_17',
  monitor_type: 'precipitation',
  callback_uri: 'http://192.168.1.20:8123/api/webhook/rainbell-9f3c',
  latitude: '59.91',
  longitude: '10.75',
  rules: '{"payload":"event"}',
} as MonitorRow;
const rules = eventRulesOf({ payload: 'event', events: ['precipitation.started'] });
if (!rules) throw new Error('A monitor with a payload has rules.');

const started = rainEventOf({
  kind: 'started',
  reason: null,
  episode: { ...noEpisode, id: 'ep_1', sequence: 2, kind: 'rain', startedAt: now, maxRate: 2.4 },
  timeline,
  monitor,
  rules,
  now,
});
const ended = rainEventOf({
  kind: 'ended',
  reason: 'dry',
  episode: {
    ...noEpisode,
    id: 'ep_1',
    sequence: 3,
    kind: 'rain',
    startedAt: now,
    lastWetAt: now + 95 * minute,
    maxRate: 3.1,
    amount: 6.08,
  },
  timeline: { ...timeline, steps: [step(now + 160 * minute, 0)] },
  monitor,
  rules,
  now: now + 160 * minute,
});
const golden = async (name: string) =>
  JSON.parse(await readFile(new URL(`../../../fixtures/rain-events/${name}.json`, import.meta.url), 'utf8')) as unknown;

describe('the body', () => {
  it.each([
    ['started', started],
    ['ended', ended],
  ])('of a %s event is as documented', async (name, event) => {
    expect(JSON.parse(bodyOf(event, 'event'))).toEqual(await golden(name));
    expect(rainEventSchema.parse(event)).toEqual(event);
  });

  it.each([15, 60, 360])('of a test of an end has possible numbers with %s dry minutes', (dry_minutes) => {
    const tested = { ...monitor, rules: JSON.stringify({ payload: 'event', conditions: { dry_minutes } }) };
    const { data } = rainEventSchema.parse(JSON.parse(testBodyOf(tested, 'ended', now) ?? ''));
    const hours = (Date.parse(data.ended_at ?? '') - Date.parse(data.started_at ?? '')) / (60 * minute);
    expect(hours).toBeGreaterThan(0);
    expect(data.precipitation_amount).toBeLessThanOrEqual((data.max_precipitation_rate ?? 0) * hours);
  });

  it.each(['slack', 'discord', 'teams'] as const)('for %s has the form that it accepts', async (payload) => {
    expect(JSON.parse(bodyOf(started, payload))).toEqual(await golden(payload));
    expect(Buffer.byteLength(bodyOf(ended, payload))).toBeLessThan(2000);
  });
});

describe('the message', () => {
  const ending = {
    kind: 'ended',
    reason: 'dry',
    episode: { ...noEpisode, kind: 'snow', startedAt: now, lastWetAt: now },
    monitor,
    now,
  } as const;
  const messageOf = (changes: Partial<Parameters<typeof rainEventOf>[0]>) => {
    const { title, message } = rainEventOf({
      kind: 'started',
      reason: null,
      episode: {
        ...noEpisode,
        kind: 'snow',
        startedAt: now,
        lastWetAt: now,
        expected: { at: now, earliest: now, latest: now },
      },
      timeline: undefined,
      monitor,
      rules,
      now,
      ...changes,
    });
    return `${title}. ${message}`;
  };
  it.each([
    [{ kind: 'expected' }, 'Snow is expected. Snow near 59.91, 10.75 expected around 14:05 UTC.'],
    [{}, 'Snow has started. Snow near 59.91, 10.75 since 14:05 UTC.'],
    [{ isTest: true }, 'Test: Snow has started. Snow near 59.91, 10.75 since 14:05 UTC.'],
    [
      { kind: 'canceled', reason: 'forecast_changed' },
      'Snow is no longer expected. Snow near 59.91, 10.75 around 14:05 UTC is no longer in the forecast.',
    ],
    [
      { kind: 'canceled', reason: 'no_data' },
      'Snow is no longer expected. No check with current weather near 59.91, 10.75 for 2 hours; no longer watching for snow.',
    ],
    [{ kind: 'ended', reason: 'dry' }, 'Snow has ended. No snow near 59.91, 10.75; last wet at 14:05 UTC.'],
    [
      { kind: 'ended', reason: 'no_data' },
      'Snow has ended. No check with current weather near 59.91, 10.75 for 2 hours; last wet at 14:05 UTC.',
    ],
    [
      { kind: 'ended', reason: 'max_duration' },
      'Snow has ended. 24 hours of snow near 59.91, 10.75; a new event follows if it continues.',
    ],
    [{ kind: 'ended', reason: 'monitor_changed' }, 'Snow has ended. The monitor was changed; last wet at 14:05 UTC.'],
  ] as const)('%j', (changes, text) => {
    expect(messageOf(changes)).toBe(text);
  });

  it.each([
    [0.9, 'rain', 'Only 0.9 mm/h near', 0.9],
    [0.05, 'rain', 'No snow near', 0.05],
    [5, 'sleet', 'No snow near', 0],
  ] as const)('says what falls below its conditions: %s mm/h of %s', (rate, kind, text, said) => {
    for (const place of [null, { lat: 59.91, lng: 10.75 }]) {
      const basis = place ? 'scenario' : 'radar';
      const weather = { ...timeline, steps: [{ ...step(radarAt, rate), kind, basis, place } as const] };
      const event = {
        ...ending,
        timeline: weather,
        rules: { ...rules, leastMmPerHour: 10, types: ['snow', 'rain'] },
      } as const;
      const { message, data } = rainEventOf(event);
      expect([message.startsWith(text), data.precipitation_rate, data.basis]).toEqual([true, said, basis]);
    }
  });

  it.each([
    [0.49, 'Very light'],
    [0.5, 'Light'],
    [1.89, 'Light'],
    [1.9, 'Moderate'],
    [8.1, 'Heavy'],
    [34, 'Extreme'],
  ])('calls %s mm/h %s', (rate, word) => {
    const weather = { ...timeline, steps: [step(radarAt, rate)] };
    expect(messageOf({ timeline: weather })).toContain(`. ${word} snow (`);
  });
});
