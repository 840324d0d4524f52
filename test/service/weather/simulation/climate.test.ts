// The climate behind the simulated weather. Expected values are computed by hand from the model's constants.
import { describe, expect, it } from 'vitest';
import { climateTemperature, thresholdFor, wetShare } from '#service/weather/simulation/climate.ts';

/** July 20, the warmest day of the north. */
const warmest = Date.parse('1970-07-20T00:00:00Z');
const hourMs = 3_600_000;
const halfYearMs = (365.2422 / 2) * 24 * hourMs;

describe('the temperature', () => {
  // At longitude -52.5, it is 20:30 at midnight UTC: six hours after the warmest hour, when the daily swing is zero.
  it.each([
    ['300 K at the equator, all year', { lat: 0, lng: -52.5 }, warmest, 300],
    ['304 K there at half past two in the afternoon', { lat: 0, lng: 0 }, warmest + 14.5 * hourMs, 304],
    ['304 K at that local time in the east', { lat: 0, lng: 90 }, warmest + 8.5 * hourMs, 304],
    ['304 K at that local time in the west', { lat: 0, lng: -90 }, warmest + 20.5 * hourMs, 304],
    ['296 K there at night', { lat: 0, lng: 0 }, warmest + 2.5 * hourMs, 296],
    ['300 - 42 + 22 K at the north pole in summer', { lat: 90, lng: -52.5 }, warmest, 280],
    ['300 - 42 - 22 K at the south pole then', { lat: -90, lng: -52.5 }, warmest, 236],
    [
      '42 × 0.5^1.6 K less at 45°, with half the summer and 2.6 K of the day',
      { lat: 45, lng: -142.5 },
      warmest,
      299.745,
    ],
  ])('is %s', (_name, place, instant, kelvin) => {
    expect(climateTemperature(place, instant)).toBeCloseTo(kelvin, 2);
  });

  it('is lowest at the north pole half a year later', () => {
    expect(climateTemperature({ lat: 90, lng: 0 }, warmest + halfYearMs)).toBeCloseTo(236, -0.5);
    expect(climateTemperature({ lat: -90, lng: 0 }, warmest + halfYearMs)).toBeCloseTo(280, -0.5);
  });
});

describe('the share of wet time', () => {
  it.each([
    ['14.5% at the equator', 0, 0.145],
    ['17.5% at 52°', 52, 0.175],
    ['17.5% at -52°', -52, 0.175],
    ['4.5% + 10% / e at 14°, and a little of the westerlies', 14, 0.08225],
    ['4.5% + 13% / e at 36°', 36, 0.09296],
    ['4.5% + 13% / e at 68°', 68, 0.09282],
  ])('is %s', (_name, lat, share) => {
    expect(wetShare({ lat, lng: 0 })).toBeCloseTo(share, 4);
  });
});

describe('the threshold of a share', () => {
  it.each([
    [0, 0.9],
    [0.0025, 0.845],
    [0.005, 0.79],
    [0.02, 0.64],
    [0.04, 0.545],
    [0.06, 0.486],
    [0.08, 0.427],
    [0.12, 0.347],
    [0.16, 0.293],
    [0.2, 0.239],
    [0.35, 0.1195],
    [0.5, 0],
  ])('of %d is %d, between the quantiles on a line', (share, value) => {
    expect(thresholdFor(share)).toBeCloseTo(value, 10);
  });
});
