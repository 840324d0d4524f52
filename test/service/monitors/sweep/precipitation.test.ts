// When it counts as precipitating at a place (docs/interface.md §6), to the edges of each rule.
import { describe, expect, it } from 'vitest';
import {
  describePrecipitation,
  describeTrigger,
  isPrecipitatingNear,
  nextCheckAt,
} from '#service/monitors/sweep/precipitation.ts';
import type { CellWeather } from '#service/weather/reading/reading.ts';
import type { NearbyWeather } from '#service/weather/timeline.ts';
import type { PlacedScenario } from '#service/weather/sources/scenarios.ts';

const now = Date.parse('2026-11-21T06:00:00Z');
const minute = 60_000;
const hour = 60 * minute;
const place = { lat: 45.1, lng: 7.7 };

const rain = (mmPerHour: number, from = now, until = now + hour) => ({ from, until, mmPerHour });
const known = (changes: Partial<CellWeather> = {}): CellWeather => ({
  source: 'open-meteo',
  grid: place,
  fetchedAt: now,
  current: { at: now, status: 'cloudy' },
  steps: [],
  rainfall: [rain(0)],
  ...changes,
});
const dry = known();
const wet = known({ rainfall: [rain(2)] });
const reading = (status: 'rainy' | 'stormy' | 'unknown' | 'sunny', at = now) => ({ at, status });

const scenario = (status: 'rainy' | 'sunny' | 'stormy', from = now, until = now + hour): PlacedScenario => ({
  id: 'one',
  center: place,
  radiusKm: 5,
  status,
  from,
  until,
  placedAt: now - minute,
});
const around = (changes: Partial<NearbyWeather> = {}): NearbyWeather => ({
  weather: dry,
  here: [],
  ...changes,
});

describe('the weather of a provider', () => {
  it.each([
    ['an amount above the threshold', known({ rainfall: [rain(0.11)] }), true],
    ['the threshold itself', known({ rainfall: [rain(0.1)] }), false],
    ['one wet step of several', known({ rainfall: [rain(0), rain(1)] }), true],
    ['a step that has just ended', known({ rainfall: [rain(1, now - hour, now)] }), false],
    ['a step that is about to end', known({ rainfall: [rain(1, now - hour, now + 1)] }), true],
    ['rain in 15 minutes', known({ rainfall: [rain(0), rain(1, now + 15 * minute)] }), false],
    ['rain just before', known({ rainfall: [rain(0), rain(1, now + 15 * minute - 1)] }), true],
    ['dry steps under a rainy status', known({ current: reading('rainy') }), false],
    ['rain at a station', known({ wetBy: { source: 'metar:LIMF', at: now } }), true],
    ['no amounts, but a rainy status', known({ rainfall: [], current: reading('rainy') }), true],
    [
      'a rainy status, and an amount only for later',
      known({ rainfall: [{ from: now + 1, until: now + hour, mmPerHour: 0 }], current: reading('rainy') }),
      true,
    ],
    [
      'a rainy step since an old current reading',
      known({ rainfall: [], current: reading('sunny', now - 2 * hour), steps: [reading('rainy', now - hour / 2)] }),
      true,
    ],
    [
      'one just younger than 90 minutes',
      known({ rainfall: [], current: reading('rainy', now - 1.5 * hour + 1) }),
      true,
    ],
    ['one 90 minutes old', known({ rainfall: [], current: reading('rainy', now - 1.5 * hour) }), false],
    ['a storm, which may be dry', known({ rainfall: [], current: reading('stormy') }), false],
    ['an unknown status', known({ rainfall: [], current: reading('unknown') }), false],
  ])('is wet or dry by its amounts, then its flag or status: %s', (_name, weather, expected) => {
    expect(isPrecipitatingNear(around({ weather }), now)).toBe(expected);
  });

  it('without a current reading uses the last step', () => {
    const { current: _, ...rest } = known({ rainfall: [] });
    const steps = [reading('sunny', now - hour / 2), reading('rainy', now), reading('sunny', now + 1)];
    expect(isPrecipitatingNear(around({ weather: { ...rest, steps } }), now)).toBe(true);
    expect(isPrecipitatingNear(around({ weather: { ...rest, steps } }), now - 1)).toBe(false);
    expect(isPrecipitatingNear(around({ weather: { ...rest, steps: [] } }), now)).toBe(false);
  });

  it('is dry if it is unknown', () => {
    expect(isPrecipitatingNear(around({ weather: undefined }), now)).toBe(false);
  });
});

describe('a scenario at a place', () => {
  it.each([
    ['a wet one over dry weather', dry, scenario('rainy'), true],
    ['a storm', dry, scenario('stormy'), true],
    ['a dry one over rain', wet, scenario('sunny'), false],
    ['one without any weather', undefined, scenario('rainy'), true],
    ['one that has ended', dry, scenario('rainy', now - hour, now), false],
    ['a dry one that has ended', wet, scenario('sunny', now - hour, now), true],
    ['one in 15 minutes', dry, scenario('rainy', now + 15 * minute), true],
    ['one later', dry, scenario('rainy', now + 15 * minute + 1), false],
    ['a dry one to come', dry, scenario('sunny', now + minute), false],
    ['a dry one to come, while it rains', wet, scenario('sunny', now + minute), true],
  ])('decides while it is active, and if it is wet and comes soon: %s', (_name, weather, laid, expected) => {
    expect(isPrecipitatingNear(around({ weather, here: [laid] }), now)).toBe(expected);
  });
});

describe('the trigger of an event', () => {
  const byScenario = { source: 'scenario', at: now - minute };
  const byProvider = { source: 'open-meteo', at: now, amounts: [rain(2)] };
  const soon = scenario('rainy', now + minute);
  it.each([
    ['nothing if it is dry', around(), undefined],
    ['nothing if a scenario keeps it dry', around({ weather: wet, here: [scenario('sunny')] }), undefined],
    ['the amounts of the place', around({ weather: wet }), byProvider],
    ['a scenario at the place, even if it rains', around({ weather: wet, here: [scenario('rainy')] }), byScenario],
    ['a scenario to come', around({ here: [soon] }), byScenario],
    ['the rain before a scenario to come', around({ weather: wet, here: [soon] }), byProvider],
    ['a scenario at a place that is unknown', around({ weather: undefined, here: [scenario('rainy')] }), byScenario],
  ])('is %s', (_name, surroundings, expected) => {
    const {
      basis,
      kind: _kind,
      place: _place,
      radiusKm: _radius,
      ...trigger
    } = describeTrigger(surroundings, now) ?? {};
    expect([basis, trigger]).toEqual([expected && (expected === byScenario ? 'scenario' : 'forecast'), expected ?? {}]);
  });

  it('has the place and kind of the precipitation', () => {
    const snow = { ...rain(2), kind: 'snow' as const };
    expect(describeTrigger(around({ weather: known({ rainfall: [snow] }) }), now)).toMatchObject({
      kind: 'snow',
      place,
    });
    const center = { lat: 45.2, lng: 7.7 };
    expect(describeTrigger(around({ here: [{ ...scenario('rainy'), center }] }), now)).toMatchObject({
      kind: 'rain',
      place: center,
      radiusKm: 5,
    });
  });

  it('has only amounts within 15 minutes and above the threshold', () => {
    const weather = known({ rainfall: [rain(0.1), rain(0.6), rain(9, now + 20 * minute), rain(9, 0, now)] });
    expect(describeTrigger(around({ weather }), now)?.amounts).toEqual([rain(0.6)]);
  });

  it('is the station near by, also if rain is forecast', () => {
    const wetBy = { source: 'metar:LIMF', at: now - minute, isObserved: true, kind: 'snow', place } as const;
    const trigger = describeTrigger(around({ weather: { ...wet, wetBy } }), now);
    expect(trigger).toEqual({ ...wetBy, basis: 'station' });
  });
});

describe('the description of a decision', () => {
  it.each([
    ['the largest amount', around({ weather: known({ rainfall: [rain(1), rain(3), rain(2)] }) }), 3, undefined],
    ['no amount', around({ weather: known({ rainfall: [rain(3, now + hour)] }) }), null, undefined],
    ['a dry scenario', around({ here: [scenario('sunny')] }), 0, now + hour],
    ['no wet scenario', around({ here: [scenario('rainy')] }), 0, undefined],
    ['no scenario to come', around({ here: [scenario('sunny', now + 1)] }), 0, undefined],
  ])('has source, grid point, and %s', (_name, surroundings, mmPerHour, dryScenarioUntil) => {
    expect(describePrecipitation(surroundings, now)).toEqual({
      source: 'open-meteo',
      grid: place,
      mmPerHour,
      dryScenarioUntil,
    });
  });

  it('is missing without weather', () => {
    expect(describePrecipitation(around({ weather: undefined }), now)).toBeUndefined();
  });
});

describe('the next look', () => {
  const usual = now + 5 * minute;
  const looked = (changes: object = {}) => ({ weather: dry, scenarios: [], ...changes });
  it.each([
    ['in five minutes', looked(), usual],
    ['when the data is 15 minutes old', looked({ weather: known({ fetchedAt: now - 14 * minute }) }), now + minute],
    [
      'when rain comes within reach',
      looked({ weather: known({ rainfall: [rain(1, now + 16 * minute)] }) }),
      now + minute,
    ],
    ['not for drizzle', looked({ weather: known({ rainfall: [rain(0.1, now + 16 * minute)] }) }), usual],
    ['not for rain within reach', looked({ weather: known({ rainfall: [rain(1, now + 15 * minute)] }) }), usual],
    [
      'when a scenario comes within reach',
      looked({ scenarios: [scenario('rainy', now + 17 * minute)] }),
      now + 2 * minute,
    ],
    ['when a scenario starts', looked({ scenarios: [scenario('rainy', now + 3 * minute)] }), now + 3 * minute],
    ['when a scenario ends', looked({ scenarios: [scenario('rainy', now, now + 4 * minute)] }), now + 4 * minute],
    ['never in the past', looked({ scenarios: [scenario('rainy', now - hour, now)] }), usual],
  ])('is due %s', (_name, surroundings, expected) => {
    expect(nextCheckAt(surroundings, now)).toBe(expected);
  });

  it('may come at any time for simulated or unknown weather', () => {
    expect(nextCheckAt(looked({ weather: known({ source: 'simulation' }) }), now)).toBeUndefined();
    expect(nextCheckAt(looked({ weather: undefined }), now)).toBeUndefined();
  });
});
