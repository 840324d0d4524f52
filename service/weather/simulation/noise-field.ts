// A smooth random field over the globe and time: 4-D simplex noise on the sphere, without a seam at the antimeridian or distortion
// at the poles, drifting eastward as weather does. A pure function of seed, place, and time.
import { hourMs } from '@rainbell/shared';
import alea from 'alea';
import { createNoise4D, type NoiseFunction4D } from 'simplex-noise';
import type { LatLng } from '@rainbell/contract/service-api';

/** About -1 to 1, mean 0. */
export type NoiseField = (place: LatLng, instant: number) => number;

export type FieldShape = {
  patchKm: number;
  lifeHours: number;
  /** Finer octaves on top of the first, each half as large and half as strong. */
  octaves: number;
};

const earthRadiusKm = 6371;
const driftDegreesPerHour = 0.45;
const radians = Math.PI / 180;

export function createNoiseField(seed: string, { patchKm, lifeHours, octaves }: FieldShape): NoiseField {
  // Shuffling its tables takes a while, which must not delay the start.
  let noise: NoiseFunction4D | undefined;
  const frequency = earthRadiusKm / patchKm;
  const strengths = Array.from({ length: octaves }, (_, octave) => 0.5 ** octave);
  const whole = Math.sqrt(strengths.reduce((sum, strength) => sum + strength ** 2, 0));
  return ({ lat, lng }, instant) => {
    const hours = instant / hourMs;
    // One speed for the whole globe: speeds that differ by latitude would tear patches apart within days.
    const longitude = (lng - driftDegreesPerHour * hours) * radians;
    const ring = Math.cos(lat * radians);
    const x = ring * Math.cos(longitude);
    const y = ring * Math.sin(longitude);
    const z = Math.sin(lat * radians);
    noise ??= createNoise4D(alea(seed));
    let sum = 0;
    for (const [octave, strength] of strengths.entries()) {
      const scale = frequency * 2 ** octave;
      sum += strength * noise(x * scale, y * scale, z * scale, (hours / lifeHours) * 2 ** octave);
    }
    return sum / whole;
  };
}
