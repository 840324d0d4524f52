// The interface's timestamps (docs/interface.md §2.3) are UTC without saying so; reading them as local time is the
// classic fault.
import fc from 'fast-check';
import '#test/property-seed.ts';
import { describe, expect, it } from 'vitest';
import { formatTimestamp, parseTimestamp } from '#shared/time/timestamp.ts';

describe('timestamps', () => {
  // Only milliseconds are kept.
  it.each([
    ['2026-11-21T00:00:00', Date.UTC(2026, 10, 21)],
    ['2026-11-21T00:00:00.123456', Date.UTC(2026, 10, 21) + 123],
    ['2026-11-21T00:00:00Z', Date.UTC(2026, 10, 21)],
    ['2026-11-21T01:00:00+01:00', Date.UTC(2026, 10, 21)],
    ['2026-11-28T11:00', Date.UTC(2026, 10, 28, 11)],
    ['2026-11-28T11:00Z', Date.UTC(2026, 10, 28, 11)],
    ['2026-11-28T11:00+01:00', Date.UTC(2026, 10, 28, 10)],
    ['2026-11-28T11:00:07,25+01', Date.UTC(2026, 10, 28, 10, 0, 7, 250)],
    ['2026-11-28T11:00:07-0330', Date.UTC(2026, 10, 28, 14, 30, 7)],
    ['2028-02-29T00:00:00', Date.UTC(2028, 1, 29)],
    ['2026-12-31T00:00:00', Date.UTC(2026, 11, 31)],
    ['2026-04-30T00:00:00', Date.UTC(2026, 3, 30)],
  ])('are read as UTC unless they carry a zone, in any form of ISO 8601: %s', (text, instant) => {
    expect(parseTimestamp(text)).toBe(instant);
  });

  it('that are none, or of a day that the calendar does not have, are not read as anything', () => {
    const odd = ['2026-11-28T11', '2026-11-28T11:00.5', '2026-11-28T1:00', '2026-11-28T11:0', '', 'now', '2026-11-21'];
    const impossible = ['2026-13-01T00:00:00', '2026-11-21T25:00:00', '21/11/2026 00:00'];
    const days = ['2026-02-29', '2026-02-31', '2026-04-31', '2100-02-29', '2026-11-31'].map((day) => `${day}T00:00:00`);
    const texts = [...odd, ...impossible, ...days];
    expect(texts.filter((text) => parseTimestamp(text) !== undefined)).toEqual([]);
  });

  it('are written without a suffix and survive the round trip', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_102_444_800_000 }), (instant) => {
        const text = formatTimestamp(instant);
        expect(text).not.toMatch(/Z|[+-]\d\d:\d\d$/);
        expect(parseTimestamp(text)).toBe(instant);
      }),
    );
  });
});
