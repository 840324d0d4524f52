// The box that stands for a circle in a database's query: it may be too large, never too small.
import fc from 'fast-check';
import '#test/property-seed.ts';
import { describe, expect, it } from 'vitest';
import { distanceKm } from '#contract/service-api/geo.ts';
import { boxAround } from '#service/database/area.ts';

const latitude = fc.double({ min: -90, max: 90, noNaN: true });
const longitude = fc.double({ min: -180, max: 180, noNaN: true });

describe('the box around a circle', () => {
  it('holds every place of the circle, at the poles and across 180° too', () => {
    fc.assert(
      fc.property(
        fc.record({ lat: latitude, lng: longitude }),
        fc.double({ min: 0.1, max: 600, noNaN: true }),
        fc.double({ min: -1, max: 1, noNaN: true }),
        fc.double({ min: -1, max: 1, noNaN: true }),
        (center, radiusKm, north, east) => {
          const { lat, lng } = center;
          const degrees = (radiusKm * 1.5) / 111;
          const place = {
            lat: Math.max(-90, Math.min(90, lat + north * degrees)),
            lng: Math.max(
              -180,
              ((lng + (east * degrees) / Math.max(0.001, Math.cos((lat * Math.PI) / 180)) + 1260) % 360) - 180,
            ),
          };
          if (distanceKm(center, place) > radiusKm) return;
          const box = boxAround({ center, radiusKm });
          expect(place.lat).toBeGreaterThanOrEqual(box.south);
          expect(place.lat).toBeLessThanOrEqual(box.north);
          expect(box.spans.some(([west, to]) => place.lng >= west && place.lng <= to)).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

// A degree of latitude is 111.19 km on a sphere of 6371 km, and one of longitude as much times the cosine of the latitude.
it.each([
  ['on the equator', { lat: 0, lng: 10 }, 111.19, { south: -1, north: 1, spans: [[10 - 1.00015, 10 + 1.00015]] }],
  ['at 60°, twice as wide as at the equator', { lat: 59, lng: 0 }, 111.19, { south: 58, north: 60, spans: [[-2, 2]] }],
  ['at the north pole', { lat: 90, lng: 5 }, 111.19, { south: 89, north: 90, spans: [[-180, 180]] }],
  ['near a pole', { lat: 88, lng: 5 }, 111.19, { south: 87, north: 89, spans: [[5 - 57.3, 5 + 57.3]] }],
  ['of half the globe', { lat: 0, lng: 0 }, 20_015, { south: -90, north: 90, spans: [[-180, 180]] }],
])('the box around a circle %s', (_name, center, radiusKm, expected) => {
  const box = boxAround({ center, radiusKm });
  const rounded = (value: number) => Math.round(value * 100) / 100 + 0;
  expect({
    south: rounded(box.south),
    north: rounded(box.north),
    spans: box.spans.map((span) => span.map(rounded)),
  }).toEqual({ ...expected, spans: expected.spans.map((span) => span.map(rounded)) });
});

it('a box that touches 180° has both sides of the line', () => {
  const touching = (lng: number) => boxAround({ center: { lat: 0, lng }, radiusKm: 0 }).spans;
  expect(touching(180)).toEqual([
    [180, 180],
    [-180, -180],
  ]);
  expect(touching(-180)).toEqual([
    [180, 180],
    [-180, -180],
  ]);
});
