// Which observations confirm an event (docs/verification.md). What they say of precipitation: metar.test.ts and observations.test.ts.
import { describe, expect, it } from 'vitest';
import { decideOutcome, type EventToVerify } from '#service/verification/decide-outcome.ts';
import type { Evidence, Trigger } from '#service/weather/reading/reading.ts';

const occurredAt = Date.parse('2026-11-21T06:50:00Z');
const minute = 60_000;
const place = { lat: 0, lng: 0 };
/** Of the mean earth radius, 6371.0088 km. */
const degreesOf = (km: number) => (km / 6371.0088) * (180 / Math.PI);

const forecast: Trigger = { source: 'open-meteo', at: occurredAt - 1_000 };
const event: EventToVerify = { place, occurredAt, trigger: forecast };

function seen(minutes: number, isWet: boolean, changes: Partial<Evidence> = {}): Evidence {
  const at = occurredAt + minutes * minute;
  const common = { kind: 'station', source: 'metar:LIMF', place, text: isWet ? '-RA' : 'no precipitation' } as const;
  return { ...common, at, countsAt: at, isWet, ...changes };
}

const verdictOf = (evidence: readonly Evidence[], changes: Partial<EventToVerify> = {}) =>
  decideOutcome({ ...event, ...changes }, evidence).verdict;

describe('an event', () => {
  it('is confirmed by precipitation in its window, with the time until the first', () => {
    const evidence = [seen(40, true), seen(12, true), seen(5, false)];
    const outcome = decideOutcome(event, evidence);
    expect(outcome).toMatchObject({ verdict: 'confirmed', leadMs: 12 * minute, evidence: { text: '-RA' } });
  });

  it.each([
    ['a millisecond before it', -1 / minute, 'no_evidence'],
    ['at the event itself', 0, 'confirmed'],
    ['at the end of the window', 60, 'confirmed'],
    ['a millisecond after the window', 60 + 1 / minute, 'no_evidence'],
  ] as const)('with rain %s is %s', (_name, minutes, verdict) => {
    expect(verdictOf([seen(minutes, true)])).toBe(verdict);
  });

  it.each([
    [15.999, 'confirmed'],
    [16.001, 'no_evidence'],
  ] as const)('with rain %s km away is %s', (km, verdict) => {
    for (const there of [
      { lat: degreesOf(km), lng: 0 },
      { lat: 0, lng: -degreesOf(km) },
    ]) {
      expect(verdictOf([seen(10, true, { place: there })])).toBe(verdict);
    }
  });

  it.each([
    [-59, 0],
    [-60, 12 * minute],
    [0, 0],
  ])('has no lead time if it rained %i minutes from it', (minutes, leadMs) => {
    expect(decideOutcome(event, [seen(minutes, true), seen(12, true)])).toMatchObject({
      verdict: 'confirmed',
      leadMs,
    });
  });

  it.each([
    [[seen(12, true)], true],
    [[seen(-60, true)], true],
    [[seen(-59, true)], false],
    [[seen(-15, true)], false],
    // An event may be that late.
    [[seen(-14, true)], true],
    [[seen(-30, false)], true],
    [[seen(-30, true, { place: { lat: 1, lng: 0 } })], true],
  ])('is an onset unless it rained near it in the hour before: %#', (evidence, isOnset) => {
    expect(decideOutcome(event, evidence).isOnset).toBe(isOnset);
  });

  it('is confirmed by a report about recent rain from the time for which that counts', () => {
    const recent = (minutes: number) => seen(minutes, true, { countsAt: occurredAt + (minutes - 30) * minute });
    expect(verdictOf([recent(29)])).toBe('no_evidence');
    expect(decideOutcome(event, [recent(31)])).toMatchObject({ verdict: 'confirmed', leadMs: minute });
  });

  it('is not confirmed if all stays dry, and has no evidence if nothing is near', () => {
    expect(verdictOf([seen(10, false)])).toBe('not_confirmed');
    expect(verdictOf([])).toBe('no_evidence');
  });

  it('is never confirmed by the observation that created it, even if its clock is ahead', () => {
    const own: Trigger = { source: 'metar:LIMF', at: occurredAt + 30_000, isObserved: true };
    const same = seen(0.5, true);
    expect(verdictOf([same], { trigger: own })).toBe('no_evidence');
    expect(verdictOf([same, seen(20, false)], { trigger: own })).toBe('not_confirmed');
    expect(verdictOf([{ ...same, source: 'metar:LIMZ' }], { trigger: own })).toBe('confirmed');
    expect(decideOutcome({ ...event, trigger: own }, [same, seen(30, true)])).toMatchObject({
      verdict: 'confirmed',
      // It rained already at the event.
      leadMs: 0,
    });
  });

  it('is decided by an analysis only without observations, and never by the repeated amount of its own forecast', () => {
    const from = occurredAt;
    const amounts = [{ from, until: from + 15 * minute, mmPerHour: 1.2 }];
    const trigger = { ...forecast, amounts };
    const analysis = (mmPerHour: number) =>
      seen(15, mmPerHour > 0.1, { kind: 'analysis', source: 'open-meteo', mmPerHour, text: `${mmPerHour} mm/h` });
    expect(verdictOf([analysis(1.2)], { trigger })).toBe('no_evidence');
    expect(verdictOf([analysis(0.8)], { trigger })).toBe('confirmed');
    expect(verdictOf([analysis(0)], { trigger })).toBe('not_confirmed');
    expect(verdictOf([analysis(0.8), seen(50, false)], { trigger })).toBe('not_confirmed');
    // What created the event is unknown, so it may have been this.
    expect(verdictOf([analysis(0.8)], { trigger: undefined })).toBe('no_evidence');
  });
});
