// The computer's time zone, which is not read for each row of a table, and its locale.
import { expect, it, onTestFinished, vi } from 'vitest';
import { computerLocale, computerZone } from '#renderer/ui/text/computer-zone.ts';

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
