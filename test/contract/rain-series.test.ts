// The sandbox's series of weather as CSV.
import { describe, expect, it } from 'vitest';
import { readRainSeries } from '#contract/service-api/rain-series.ts';

const header = 'minute,mm_per_hour,kind,temperature_c,wind_ms';
const many = Array.from({ length: 1001 }, (_, minute) => `${minute},0`).join('\n');

describe('a series', () => {
  it('applies each line until the next, and the last for 12 hours; empty values and lines are left out', () => {
    expect(
      readRainSeries(`\uFEFF"minute",mm_per_hour,kind,temperature_c,wind_ms\r\n0,0\r\n\r\n5,2.5,snow,-3,4\r\n`),
    ).toEqual([
      { minute: 0, untilMinute: 5, status: 'cloudy' },
      { minute: 5, untilMinute: 725, status: 'snowy', mmPerHour: 2.5, kind: 'snow', temperature: 270.15, windSpeed: 4 },
    ]);
    expect(readRainSeries('mm_per_hour,minute\n1,0')).toMatchObject([{ minute: 0, status: 'rainy', mmPerHour: 1 }]);
  });

  it.each([
    ['', 'Line 1: the columns must be minute, mm_per_hour, and optionally kind, temperature_c, and wind_ms, not "".'],
    [
      'minute,mm\n0,1',
      'Line 1: the columns must be minute, mm_per_hour, and optionally kind, temperature_c, and wind_ms, not "minute,mm".',
    ],
    [header, 'The series has no lines after its header.'],
    [`${header}\n0,1\n\n5,`, 'Line 4: mm_per_hour must be a number (0, or at least 0.1) from 0 to 300.'],
    [`${header}\n0,0.05`, 'Line 2: mm_per_hour must be a number (0, or at least 0.1) from 0 to 300.'],
    [`${header}\n0.5,1`, 'Line 2: minute must be a whole number from 0 to 4320.'],
    [`${header}\n5,1\n5,2`, 'Line 3: minute must be greater than in the line before.'],
    [`${header}\n0,1,drizzle`, 'Line 2: kind must be one of rain, freezing_rain, sleet, snow, hail, unknown.'],
    [`${header}\n0,1,rain,99`, 'Line 2: temperature_c must be a number from -90 to 55.'],
    [`${header}\n0,1,rain,,1,7`, 'Line 2: it has more values than the first line has columns.'],
    [`minute,mm_per_hour\n${many}`, 'A series has at most 1,000 lines after its header; line 1002 is one more.'],
    ['x'.repeat(64_001), 'A series has at most 64,000 characters.'],
  ])('that is wrong gets a sentence with its line: %#', (csv, problem) => {
    expect(readRainSeries(csv)).toBe(problem);
  });
});
