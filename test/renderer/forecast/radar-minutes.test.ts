// The layer "Radar nowcast": its sentence, and the strip in a real Chromium: offered by a service that has it, never by another.
import { describe, expect, it } from 'vitest';
import { formatStep, radarSentence, type RadarStep } from '#renderer/features/forecast/radar/radar-summary.ts';
import { createUnitFormat, unitPresets } from '#renderer/ui/text/units.ts';
import { zonedTimes } from '#renderer/ui/text/zoned-times.ts';
import { accessibilityProblems } from '#test/setup/accessibility.ts';
import { openScreens } from '../screen-harness.ts';

const minute = 60_000;

describe('the sentence of the radar', () => {
  const start = Date.parse('2026-11-22T13:00:00Z');
  const writers = { times: zonedTimes('UTC'), units: createUnitFormat(unitPresets.Metric, 'en-GB') };
  const stepsOf = (rates: readonly (number | null)[]): RadarStep[] =>
    rates.map((rate, index) => ({
      at: start + index * 5 * minute,
      until: start + (index + 1) * 5 * minute,
      rate,
    }));

  it.each<[readonly (number | null)[], string]>([
    [[0, 0, 0.05], 'Dry until 13:15 UTC'],
    [[0, 1.2, 2.4, 0], 'Precipitation from 13:05 to 13:15 UTC, up to 2.4 mm/h, 0.3 mm in total'],
    [[6, 6], 'Precipitation until 13:10 UTC or later, up to 6.0 mm/h, 1.0 mm in total'],
    [[null, null, 0, 3, 0], 'Precipitation until 13:10 UTC, rate unknown, and 1 more period of precipitation'],
    [[0, null, 3, 0], 'Precipitation from 13:05 to 13:15 UTC, up to 3.0 mm/h'],
    [[], 'No radar data for the next two hours'],
  ])('for %j is %j', (rates, sentence) => {
    expect(radarSentence(stepsOf(rates), start + minute, writers)).toBe(sentence);
  });

  it('gives a rate in the units of the user', () => {
    const units = createUnitFormat(unitPresets.US, 'en-US');
    expect(formatStep({ at: start, until: start + 5 * minute, rate: 2.54 }, { ...writers, units })).toBe(
      '13:00 to 13:05 UTC: 0.10 in/h',
    );
  });
});

describe('radar minutes', () => {
  const now = Date.now();
  const start = Math.floor(now / (5 * minute)) * 5 * minute;
  const timestamp = (at: number) => new Date(at).toISOString().slice(0, 19);
  const statesBody = (meta: object) => ({ body: { objects: [], meta: { now: timestamp(now), ...meta } } });

  it('are shown with unit, source, and age if the service offers them, and read by keys', async () => {
    const { page, service, complaints } = await openScreens({
      routes: {
        'GET /v2/delivery/': () => statesBody({ extensions: ['nowcast'] }),
        'GET /v2/nowcast/': () => ({
          body: {
            objects: Array.from({ length: 24 }, (_, index) => ({
              timestamp: timestamp(start + index * 5 * minute),
              precipitation_rate: index === 4 ? 2.4 : 0,
            })),
            meta: {
              source: 'met-norway-nowcast',
              updated_at: timestamp(now - 4 * minute),
              step_minutes: 5,
              now: timestamp(now),
            },
          },
        }),
      },
    });
    await page.getByRole('slider').waitFor();
    expect(service.requestsTo('GET /v2/nowcast/')).toEqual([]);
    await page.getByRole('button', { name: 'Layers' }).click();
    await page.getByRole('checkbox', { name: /^Radar nowcast/ }).check();
    await page.keyboard.press('Escape');
    const strip = page.getByRole('region', { name: 'Radar nowcast, mm/h' });
    await strip.getByText(/Precipitation from .*, up to 2\.4 mm\/h, 0\.2 mm in total/).waitFor();
    await strip.getByText(/^met-norway-nowcast, \d min old$/).waitFor();
    const slider = strip.getByRole('slider', { name: 'Radar nowcast' });
    await slider.focus();
    await page.keyboard.press('Home');
    for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowRight');
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/, 2\.4 millimeters per hour$/);
    // The chart's own cursor stays.
    await expect
      .poll(() => page.getByRole('slider', { name: 'Forecast points' }).getAttribute('aria-valuenow'))
      .toBe('1');
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('are neither offered nor requested if the service does not name them', async () => {
    const { page, service } = await openScreens({
      routes: { 'GET /v2/delivery/': () => statesBody({}) },
    });
    await page.getByRole('slider').waitFor();
    await expect.poll(() => service.requestsTo('GET /v2/delivery/').length).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Layers' }).click();
    await page.getByRole('checkbox', { name: 'Pressure' }).waitFor();
    await expect.poll(() => page.getByRole('checkbox', { name: /Radar/ }).count()).toBe(0);
    expect(service.requestsTo('GET /v2/nowcast/')).toEqual([]);
  });
});
