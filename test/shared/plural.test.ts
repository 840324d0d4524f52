import { expect, it } from 'vitest';
import { plural } from '#shared/text/plural.ts';

it('chooses the form of a count, and fills in values', () => {
  const place = 'Torino';
  expect(
    [0, 1, 2, 1234].map((count) => plural(count, ['# callback from {place}', '# callbacks from {place}'], { place })),
  ).toEqual([
    '0 callbacks from Torino',
    '1 callback from Torino',
    '2 callbacks from Torino',
    '1,234 callbacks from Torino',
  ]);
});
