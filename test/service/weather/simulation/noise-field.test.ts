// The noise field against the library that it samples.
import alea from 'alea';
import { createNoise4D } from 'simplex-noise';
import { describe, expect, it } from 'vitest';
import { createNoiseField } from '#service/weather/simulation/noise-field.ts';

const hourMs = 3_600_000;
const seed = 'a seed';
const noise = createNoise4D(alea(seed));
/** At this patch size, the globe has a radius of 4 in noise space. */
const patchKm = 6371 / 4;

describe('a noise field', () => {
  const still = createNoiseField(seed, { patchKm, lifeHours: Infinity, octaves: 1 });

  it('samples a sphere, as large as the patches are small', () => {
    expect(still({ lat: 0, lng: 0 }, 0)).toBeCloseTo(noise(4, 0, 0, 0), 12);
    expect(still({ lat: 0, lng: 90 }, 0)).toBeCloseTo(noise(0, 4, 0, 0), 12);
    expect(still({ lat: 90, lng: 0 }, 0)).toBeCloseTo(noise(0, 0, 4, 0), 12);
    expect(still({ lat: 60, lng: 0 }, 0)).toBeCloseTo(noise(2, 0, 4 * Math.sqrt(0.75), 0), 12);
    expect(still({ lat: -30, lng: 30 }, 0)).toBeCloseTo(noise(3, Math.sqrt(3), -2, 0), 12);
  });

  it('drifts to the east by 0.45° an hour', () => {
    expect(still({ lat: 40, lng: 14.5 }, 10 * hourMs)).toBeCloseTo(still({ lat: 40, lng: 10 }, 0), 12);
    expect(still({ lat: 40, lng: 5.5 }, 10 * hourMs)).not.toBeCloseTo(still({ lat: 40, lng: 10 }, 0), 3);
  });

  it('changes in its lifetime', () => {
    const short = createNoiseField(seed, { patchKm, lifeHours: 8, octaves: 1 });
    // After six hours, 2.7° to the east.
    expect(short({ lat: 0, lng: 2.7 }, 6 * hourMs)).toBeCloseTo(noise(4, 0, 0, 0.75), 12);
  });

  it('adds finer octaves, each with half the strength, size, and life, without growing', () => {
    const fine = createNoiseField(seed, { patchKm, lifeHours: 8, octaves: 3 });
    const place = { lat: 0, lng: 2.7 };
    const sum = noise(4, 0, 0, 0.75) + noise(8, 0, 0, 1.5) / 2 + noise(16, 0, 0, 3) / 4;
    expect(fine(place, 6 * hourMs)).toBeCloseTo(sum / Math.sqrt(1 + 1 / 4 + 1 / 16), 12);
  });
});
