// What people type: coordinates and addresses.
import { describe, expect, it } from 'vitest';
import { parseDegrees } from '#shared/text/coordinate-text.ts';
import { parseCallbackAddress } from '#shared/network/parse-callback-address.ts';

describe('coordinates', () => {
  it('are read with a comma, a true minus or a degree sign, up to the very ends', () => {
    const read = (text: string) => parseDegrees(text, 'lng');
    expect(['7,69', '−180', '180°', ' 0.5 ', '-0'].map(read)).toEqual(
      [7.69, -180, 180, 0.5, 0].map((value) => ({ ok: true, value })),
    );
  });

  it('that are missing, words or out of range are refused with the rule, and swapped ones are suspected', () => {
    const problem = (text: string) => {
      const read = parseDegrees(text, 'lat');
      return read.ok ? 'accepted' : read.problem;
    };
    expect([problem(''), problem('north'), problem('1e3'), problem('120.5'), problem('200')]).toEqual([
      'Latitude is missing. Enter a number from −90 to 90.',
      'Latitude must be a decimal number such as 45.07.',
      'Latitude must be a decimal number such as 45.07.',
      'Latitude must be from −90 to 90. Are latitude and longitude swapped?',
      'Latitude must be from −90 to 90.',
    ]);
  });
});

describe('a callback address', () => {
  it.each([
    ['', 'Enter a URL'],
    ['example.net/rain', 'starts with https'],
    ['ftp://example.net/', 'only over HTTP or HTTPS'],
    ['https://user:secret@example.net/', 'username or password'],
    [`https://example.net/${'a'.repeat(2048)}`, 'at most 2048'],
  ])('such as "%.24s" is refused with words', (text, words) => {
    const read = parseCallbackAddress(text);
    expect(read.ok ? 'accepted' : read.problem).toContain(words);
  });

  it('is taken as it is typed', () => {
    expect(parseCallbackAddress(' https://example.net/rain?x=1 ')).toEqual({
      ok: true,
      value: 'https://example.net/rain?x=1',
    });
  });
});
