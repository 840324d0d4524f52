// Spans of time, sizes, and coordinates as texts.
import { describe, expect, it } from 'vitest';
import { formatCoordinates, formatDuration, formatRelativeTime, formatSize } from '#renderer/ui/text/durations.ts';

const hour = 3_600_000;

describe('spans of time and sizes', () => {
  it.each([
    [0, '0 s'],
    [59_499, '59 s'],
    [59_500, '1 min'],
    [-120_000, '2 min'],
    [59 * 60_000, '59 min'],
    [hour, '1 h'],
    [hour + 60_000, '1 h 1 min'],
    [47 * hour, '47 h'],
    [48 * hour, '2 d'],
    [51 * hour, '2 d 3 h'],
  ])('%i ms are %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  it.each([
    [29_999, 'now'],
    [-29_999, 'now'],
    [30_000, 'in 30 s'],
    [-30_000, '30 s ago'],
  ])('%i ms from now is %s', (ms, text) => {
    expect(formatRelativeTime(1_000_000 + ms, 1_000_000)).toBe(text);
  });

  it('of data are decimal, and coordinates have a true minus', () => {
    expect([0, 999, 1_000, 999_949, 1_000_000, 3_140_000].map(formatSize)).toEqual([
      '0 B',
      '999 B',
      '1.0 kB',
      '999.9 kB',
      '1.0 MB',
      '3.1 MB',
    ]);
    expect(formatCoordinates({ lat: -45.123456, lng: 7 })).toBe('−45.1235, 7');
    expect(formatCoordinates({ lat: 1, lng: -7.126 }, 2)).toBe('1, −7.13');
  });
});
