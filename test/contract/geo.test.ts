// Longitude comes first in responses and latitude in requests; distances must hold where the map tears.
import fc from 'fast-check';
import '#test/property-seed.ts';
import { describe, expect, it } from 'vitest';
import { bearingDegrees, distanceKm, latLngSchema, toGeoPoint, toLatLng } from '#contract/service-api/geo.ts';

const latLng = fc.record({
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
  lng: fc.double({ min: -180, max: 180, noNaN: true }),
});

describe('places', () => {
  it('go to GeoJSON, longitude first, and come back exactly, minus zero included', () => {
    expect(toGeoPoint({ lat: 45.0625, lng: 7.6875 }).coordinates).toEqual([7.6875, 45.0625]);
    fc.assert(
      fc.property(latLng, (place) => {
        const back = toLatLng(toGeoPoint(place));
        expect(Object.is(back.lat, place.lat) && Object.is(back.lng, place.lng)).toBe(true);
      }),
    );
  });

  it('at the edges of the globe are valid, and beyond are not', () => {
    for (const edge of [-180, 180]) expect(latLngSchema.safeParse({ lat: 90, lng: edge }).success).toBe(true);
    expect(latLngSchema.safeParse({ lat: 90.0001, lng: 0 }).success).toBe(false);
    expect(latLngSchema.safeParse({ lat: Number.NaN, lng: 0 }).success).toBe(false);
  });

  it('lie near each other across the antimeridian', () => {
    expect(distanceKm({ lat: 0, lng: 179.95 }, { lat: 0, lng: -179.95 })).toBeCloseTo(11.12, 1);
  });

  it('are as far apart one way as the other, and never further than half the globe', () => {
    fc.assert(
      fc.property(latLng, latLng, (here, there) => {
        const distance = distanceKm(here, there);
        expect(distance).toBeCloseTo(distanceKm(there, here), 6);
        expect(distance).toBeLessThanOrEqual(20_016);
      }),
    );
  });

  it('to the east bear 90 degrees from the equator', () => {
    expect(bearingDegrees({ lat: 0, lng: 0 }, { lat: 0, lng: 1 })).toBeCloseTo(90);
    expect(bearingDegrees({ lat: 0, lng: 179.5 }, { lat: 0, lng: -179.5 })).toBeCloseTo(90);
  });
});
