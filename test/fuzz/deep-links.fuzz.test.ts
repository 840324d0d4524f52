// Whatever page opens a `rainbell:` address: nothing but the name of a screen and a valid place comes through.
import fc from 'fast-check';
import '#test/property-seed.ts';
import { expect, it } from 'vitest';
import { screenHashOf } from '#electron/launch/deep-link.ts';
import { placeOfHash } from '#renderer/features/forecast/common/forecast-address.ts';

const part = fc.string({ unit: 'binary', maxLength: 30 });
const number = fc.oneof(part, fc.double().map(String), fc.constantFrom('1e3', '٣', '0x10', '90.0000001', '-180', ''));
const link = fc.oneof(
  part,
  fc.tuple(part, part).map(([host, query]) => `rainbell://${host}?${query}`),
  fc.tuple(number, number).map(([lat, lng]) => `rainbell://forecast?lat=${lat}&lng=${lng}`),
  fc.constantFrom('javascript:alert(1)', 'file:///etc/passwd', 'rainbell:forecast', 'RAINBELL://FORECAST'),
);

it('a deep link gives a plain screen address or nothing', () => {
  fc.assert(
    fc.property(link, (text) => {
      expect(screenHashOf(text) ?? '#/nothing').toMatch(/^#\/[a-z]{1,20}(\?lat=-?[\d.e-]+&lng=-?[\d.e-]+)?$/);
    }),
    { numRuns: 2_000 },
  );
});

it('an address of a forecast gives a place on Earth or none', () => {
  fc.assert(
    fc.property(number, number, (lat, lng) => {
      const asked = placeOfHash(`#/forecast?lat=${lat}&lng=${lng}`);
      if (!asked?.ok) return;
      const place = asked.value;
      expect(Math.abs(place.lat)).toBeLessThanOrEqual(90);
      expect(Math.abs(place.lng)).toBeLessThanOrEqual(180);
    }),
    { numRuns: 2_000 },
  );
});
