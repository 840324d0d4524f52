// The weather codes of WMO 4677, of which test/fixtures/tables has a table.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { statusTable } from '#contract/service-api/vocabulary.ts';
import { statusOfWmoCode } from '#service/weather/reading/wmo-status.ts';
import { readOpenMeteo } from '#service/weather/providers/open-meteo/read-open-meteo.ts';

const wmoTable = z
  .object({
    codes: z.array(
      z.object({ code: z.number(), description: z.string(), status: z.string(), precipitation: z.boolean() }),
    ),
    fallback4677: z.record(z.coerce.number(), z.string()),
  })
  .parse(
    JSON.parse(readFileSync(new URL('../../../../fixtures/tables/wmo-weather-codes.json', import.meta.url), 'utf8')),
  );

const now = Date.parse('2025-12-06T02:35:00Z');

const forecast = {
  latitude: 52.366,
  longitude: 4.901,
  hourly: { time: ['2025-12-06T03:00', '2025-12-06T04:00'] },
};

describe('a WMO weather code', () => {
  const { codes, fallback4677 } = wmoTable;

  it.each(codes)('$code, $description, becomes $status', ({ code, status, precipitation }) => {
    expect(codes).toHaveLength(28);
    const { steps } = readOpenMeteo({ ...forecast, hourly: { ...forecast.hourly, weather_code: [code, code] } }, now);
    expect(steps[1]?.status).toBe(status);
    // Of a storm, only the amount shows if it is wet.
    expect(statusTable.find((row) => row.status === status)?.precipitation !== false).toBe(precipitation);
  });

  it('that Open-Meteo does not send becomes what WMO 4677 says, or unknown', () => {
    const sent = new Set(codes.map(({ code }) => code));
    const others = Array.from({ length: 100 }, (_, code) => code).filter((code) => !sent.has(code));
    const wrong = others.filter((code) => !['unknown', fallback4677[code]].includes(statusOfWmoCode(code)));
    expect(wrong).toEqual([]);
    for (const none of [100, -1, null, undefined]) expect(statusOfWmoCode(none)).toBe('unknown');
  });
});
