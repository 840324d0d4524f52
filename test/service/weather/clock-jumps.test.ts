// What the weather's parts do when the clock is set forward or back.
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createWeatherFaults } from '#service/weather/weather-faults.ts';
import { createProviderHealth } from '#service/weather/fetch/provider-health.ts';
import { placeScenario, pullScenarioIn } from '#service/weather/sources/scenarios.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const jumps = [3 * hourMs, -3 * hourMs];

it.each(jumps)('a provider that failed rests for as long as before after a jump of %i ms', (byMs) => {
  const clock = createManualClock();
  const health = createProviderHealth({ clock, log: pino({ level: 'silent' }) });
  health.failed('open-meteo', new Error('It failed.'));
  clock.advance(4_000);
  clock.jump(byMs);
  expect(health.restMs('open-meteo')).toBe(6_000);
  clock.advance(6_000);
  expect(health.restMs('open-meteo')).toBe(0);
});

it.each(jumps)('a fault of the sandbox lasts as long as before after a jump of %i ms', (byMs) => {
  const clock = createManualClock();
  const faults = createWeatherFaults(clock);
  faults.switchOn({ kind: 'error', minutes: 5, requests: null, delaySeconds: 5 });
  clock.advance(minuteMs);
  clock.jump(byMs);
  expect(Date.parse(faults.describe()?.endsAt ?? '')).toBe(clock.now() + 4 * minuteMs);
  clock.advance(4 * minuteMs - 1);
  expect(faults.isOn()).toBe(true);
  clock.advance(1);
  expect(faults.isOn()).toBe(false);
});

describe('a scenario', () => {
  const wanted = {
    center: { lat: 45, lng: 7 },
    radiusKm: 30,
    status: 'rainy',
    minutes: 60,
    startsInMinutes: 5,
  } as const;

  it('that a clock which was ahead placed starts and ends at the requested distance from the correction', () => {
    const now = Date.UTC(2026, 10, 21, 6);
    const placed = placeScenario('one', wanted, now + 4 * hourMs);
    const { from, until } = pullScenarioIn(placed, now);
    expect([from - now, until - now]).toEqual([5 * minuteMs, 65 * minuteMs]);
  });

  it('that was placed before the clock went ahead keeps its times', () => {
    const now = Date.UTC(2026, 10, 21, 6);
    const placed = placeScenario('one', wanted, now);
    expect(pullScenarioIn(placed, now + 1)).toEqual(placed);
  });
});
