// The box that stands for a circle in a database's query: it may be too large, never too small.
import fc from 'fast-check';
import '#test/property-seed.ts';
import { describe, expect, it } from 'vitest';
import { distanceKm } from '#contract/service-api/geo.ts';
import { boxAround } from '#service/watch/area.ts';

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

  it('is small if the circle is small', () => {
    const { south, north, spans } = boxAround({ center: { lat: 45, lng: 7 }, radiusKm: 56 });
    expect(
      [north - south, (spans[0]?.[1] ?? 0) - (spans[0]?.[0] ?? 0)].map((size) => Math.round(size * 10) / 10),
    ).toEqual([1, 1.4]);
  });
});
