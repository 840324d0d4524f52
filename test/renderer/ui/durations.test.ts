// Spans of time, sizes, coordinates, and the countdown of a token as texts. The computer’s zone, which is not read for each row of a table.
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { computerLocale, computerZone } from '#renderer/ui/text/computer-zone.ts';
import { formatCoordinates, formatDuration, formatRelativeTime, formatSize } from '#renderer/ui/text/durations.ts';
import { formatCountdown } from '#renderer/features/access/access-labels.ts';

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

it.each([
  [-1, '0:00'],
  [hour - 53_000, '59:07'],
  [hour + 165_000, '1:02:45'],
  [48 * hour - 1, '47:59:59'],
  [48 * hour, '2 d 0 h'],
  [51 * hour, '2 d 3 h'],
])('counts %i ms down as %s', (ms, text) => {
  expect(formatCountdown(ms)).toBe(text);
});

it('follows a computer that travels, and is read at most once a second', () => {
  const zones = ['Europe/Rome', 'Asia/Tokyo', 'Asia/Tokyo'];
  let reads = 0;
  let now = 0;
  const original = Intl.DateTimeFormat;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  vi.spyOn(Intl, 'DateTimeFormat').mockImplementation(function () {
    const timeZone = zones[reads] ?? '';
    reads += 1;
    return new original('en-GB', { timeZone });
  });
  onTestFinished(() => void vi.restoreAllMocks());
  expect([computerZone(), computerZone()]).toEqual(['Europe/Rome', 'Europe/Rome']);
  now = 1_001;
  expect([computerZone(), computerZone()]).toEqual(['Asia/Tokyo', 'Asia/Tokyo']);
  expect(reads).toBe(2);
});

it('takes a zone and a locale that Intl rejects for UTC and US English', () => {
  const original = Intl.DateTimeFormat;
  vi.spyOn(performance, 'now').mockReturnValue(1e9);
  vi.spyOn(Intl, 'DateTimeFormat').mockImplementation(function () {
    return Object.assign(new original('en-GB'), { resolvedOptions: () => ({ timeZone: 'Etc/Unknown' }) });
  });
  vi.stubGlobal('navigator', { language: 'en-US@posix' });
  onTestFinished(() => void vi.unstubAllGlobals());
  expect([computerZone(), computerLocale()]).toEqual(['UTC', 'en-US']);
});
