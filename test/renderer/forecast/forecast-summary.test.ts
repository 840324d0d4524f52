// The sentence that sums a forecast up. Expected texts are written by hand; the properties are counted in a string of
// letters, one per hour: w is wet, d is dry, and u is unknown.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { daysSentences, summarySentence } from '#renderer/features/forecast/common/summary.ts';
import { timelineModel } from '#renderer/features/forecast/common/timeline-model.ts';
import type { ForecastPoint } from '#contract/app-rpc/forecast.ts';
import type { Measured } from '#contract/service-api/weather.ts';
import { createUnitFormat, unitPresets } from '#renderer/ui/text/units.ts';
import { zonedTimes } from '#renderer/ui/text/zoned-times.ts';
import '#test/property-seed.ts';
import { forecastOf, hour, pointsOf, start } from './forecast-points.ts';

/** A Saturday. */
const metric = createUnitFormat(unitPresets.Metric, 'en-GB');
const statusOf: Record<string, string> = { w: 'rainy', d: 'cloudy', u: 'unknown', s: 'snowy', h: 'hailing' };

type Options = { now?: number; zone?: string; units?: typeof metric; mm?: number; from?: number };

function model(letters: string, { zone = 'UTC', mm, from = start }: Options) {
  const points = pointsOf(
    from,
    letters.split('').map((letter) => statusOf[letter] ?? letter),
    (point) => ({ ...point, measured: mm === undefined || point.status !== 'rainy' ? null : { rainfall: mm } }),
  );
  const made = timelineModel(forecastOf(points.filter(({ status }) => status !== '-')), zonedTimes(zone));
  if (!made) throw new Error('no model was made');
  return made;
}

function sentence(letters: string, options: Options = {}): string {
  const made = model(letters, options);
  const { now = options.from ?? start, units = metric } = options;
  return summarySentence(made, { times: made.times, units, now });
}

function sentenceOf(points: readonly ForecastPoint[], now = start, units = metric): string | null {
  const made = timelineModel(forecastOf(points), zonedTimes('UTC'));
  return made && summarySentence(made, { times: made.times, units, now });
}

describe('the summary of a forecast', () => {
  const german = createUnitFormat(unitPresets.Metric, 'de-DE');
  const inches = createUnitFormat(unitPresets.US, 'en-US');
  const dry = (hours: number) => 'd'.repeat(hours);
  const beforeWinter = Date.parse('2026-10-24T22:00:00Z');

  it.each<[rule: string, letters: string, sentence: string, options?: Options]>([
    ['what comes', `${dry(38)}www${dry(20)}`, 'Dry until Sunday 14:00, then rain until 17:00, 6 mm', { mm: 2 }],
    ['what comes today', `dddww${dry(20)}`, 'Dry until 03:00, then rain until 05:00, 1.2 mm', { mm: 0.6 }],
    ['when it ends', dry(72), 'Dry for the whole forecast (through Tue 00:00)'],
    ['what falls now', 'wwd', 'Rain until 02:00'],
    ['what falls until another day', `${'s'.repeat(30)}d`, 'Snow until Sunday 06:00'],
    ['what falls to the end', 'ww', 'Rain until at least Sat 02:00'],
    ['touching kinds as one spell', 'dwshd', 'Dry until 01:00, then rain, snow, and hail until 04:00'],
    ['only the next spell', 'wdwdsdwdwd', 'Rain until 01:00'],
    ['unknown hours', `${dry(40)}uu${dry(30)}`, 'Dry, with data gaps (through Tue 00:00); no data for 2 of 72 hours'],
    ['unknown hours at the end', 'ddwduw', 'Dry until 02:00, then rain until 03:00; no data for 1 of 6 hours'],
    ['gaps', 'duwd', 'Dry, with data gaps, until 02:00, then rain until 03:00; no data for 1 of 4 hours'],
    ['no data', 'uu', 'No precipitation data through Sat 02:00; no data for 2 of 2 hours'],
    ['hours that are missing', 'ddd---ddd', 'Dry, with data gaps (through Sat 09:00); no data for 3 of 9 hours'],
    ['no amount that rounds to nothing', 'dwd', 'Dry until 01:00, then rain until 02:00', { mm: 0.01 }],
    ['amounts in the locale', 'dwd', 'Dry until 01:00, then rain until 02:00, 1,2 mm', { mm: 1.24, units: german }],
    ['inches', 'dwd', 'Dry until 01:00, then rain until 02:00, 1 in', { mm: 25.4, units: inches }],
    ['parts of inches', 'dwd', 'Dry until 01:00, then rain until 02:00, 0.50 in', { mm: 12.7, units: inches }],
    [
      'the zone with each time if the clocks change',
      `ddw${dry(10)}`,
      'Dry until 02:00 CEST, then rain until 02:00 CET',
      { zone: 'Europe/Rome', from: beforeWinter },
    ],
    ['that it is over', 'dw', 'This forecast ended Sat 02:00', { now: start + 2 * hour }],
  ])('says %s: %s is “%s”', (_rule, hours, text, options) => {
    expect(sentence(hours, options)).toBe(text);
  });

  it('names unknown current weather apart from the hours', () => {
    const points = [...model('u', { from: start - 12 * 60_000 }).points, ...model('dd', {}).points].map(
      ({ point }) => point,
    );
    expect(sentenceOf(points, start - 5 * 60_000)).toBe(
      'Dry, with data gaps (through Sat 02:00); no data for the current time',
    );
  });

  it('gives the least amount if an hour of the spell has none', () => {
    const points = pointsOf(start, ['cloudy', 'rainy', 'rainy', 'cloudy'], (point, index) => ({
      ...point,
      measured: index === 1 ? { rainfall: 3.4 } : null,
    }));
    expect(sentenceOf(points)).toBe('Dry until 01:00, then rain until 03:00, at least 3.4 mm');
  });

  const spoken = (status: string, measured: Measured, units = metric) => {
    const points = pointsOf(start, ['foggy', status, status, 'foggy'], (point, index) => ({
      ...point,
      measured: index === 1 || index === 2 ? measured : { rainfall: 0 },
    }));
    return sentenceOf(points, start, units);
  };

  it('gives rain and snow each in its own unit, and never adds them', () => {
    expect(spoken('snowy', { rainfall: 0, snowfall: 61 })).toBe(
      'Dry until 01:00, then snow until 03:00, 12.2 cm of snow',
    );
    expect(spoken('rainy', { rainfall: 1.5, snowfall: 10 })).toBe(
      'Dry until 01:00, then rain until 03:00, 3 mm and 2 cm of snow',
    );
    expect(spoken('snowy', { snowfall: 50.8 }, inches)).toBe('Dry until 01:00, then snow until 03:00, 4 in of snow');
  });

  it('says only amounts that the points have', () => {
    const amount = fc.constantFrom(0, 0.05, 0.2, 1, 3.5, 12);
    const hours = fc.array(fc.tuple(fc.constantFrom('cloudy', 'rainy', 'snowy'), amount, amount), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(hours, (all) => {
        const points = pointsOf(
          start,
          all.map(([status]) => status),
          (point, index) => ({
            ...point,
            measured: { rainfall: all[index]?.[1] ?? 0, snowfall: (all[index]?.[2] ?? 0) * 10 },
          }),
        );
        const text = sentenceOf(points) ?? '';
        // An hour is wet by its word, or by more than 0.1 mm of water; 7 mm of snow are 1 mm of it.
        const isWet = all.map(([status, rain, snow]) => status !== 'cloudy' || rain + (snow * 10) / 7 > 0.1);
        const first = isWet.indexOf(true);
        expect(text.startsWith('Dry for the whole forecast')).toBe(first === -1);
        if (first === -1) return;
        const after = isWet.indexOf(false, first);
        const spell = all.slice(first, after === -1 ? undefined : after);
        const millimeters = spell.reduce((sum, [, rain]) => sum + rain, 0);
        const centimeters = spell.reduce((sum, [, , snow]) => sum + snow, 0);
        const [sentence = ''] = text.split('; ');
        const said = (unit: string) => Number(new RegExp(`([\\d.]+) ${unit}`).exec(sentence)?.[1] ?? 0);
        // Said with one decimal.
        expect(Math.abs(said('cm of snow') - centimeters)).toBeLessThan(0.0501);
        expect(Math.abs(said('mm') - millimeters)).toBeLessThan(0.0501);
      }),
    );
  });

  it('believes an amount against the word, and names the contradiction', () => {
    expect(spoken('cloudy', { rainfall: 3 })).toBe(
      'Dry until 01:00, then rain until 03:00, 6 mm, though the status is cloudy',
    );
    expect(spoken('rainy', { rainfall: 0 })).toBe('Dry until 01:00, then rain until 03:00, though the amount is 0 mm');
  });

  const letters = fc
    .array(fc.constantFrom('w', 'd', 'd', 'd', 'u'), { minLength: 1, maxLength: 72 })
    .map((array) => array.join(''));

  it('says dry only of known hours, counts the unknown ones, and names the next spell with its amount', () => {
    fc.assert(
      fc.property(letters, (hours) => {
        const text = sentence(hours, { mm: 2 });
        expect(text).not.toMatch(/not known|undefined|NaN/);
        expect(text.startsWith('Dry for the whole forecast')).toBe(/^d+$/.test(hours));
        expect(text.startsWith('Dry until')).toBe(/^d+w/.test(hours));
        const unknown = hours.replaceAll(/[^u]/g, '').length;
        const gaps = `${unknown} of ${hours.length} ${hours.length === 1 ? 'hour' : 'hours'}`;
        expect(/; no data for (.+)$/.exec(text)?.[1]).toBe(unknown === 0 ? undefined : gaps);
        const spells = [...hours.matchAll(/w+/g)];
        const [first] = spells;
        if (!first) return;
        expect(text).toContain(`, ${first[0].length * 2} mm`);
        const begins = new Date(start + first.index * hour).toISOString().slice(11, 16);
        const weekday = ['', 'Sunday ', 'Monday '][Math.floor(first.index / 24)];
        const beginning = first.index > 0 ? `Dry until ${weekday}${begins}, then rain` : 'Rain ';
        expect(text.replace(/, with data gaps,?/, '').startsWith(beginning)).toBe(true);
      }),
    );
  });
});

describe('the sentences about the days', () => {
  const days = (hours: readonly { status: string; measured: Measured }[], now = start) => {
    const points = pointsOf(
      start,
      hours.map(({ status }) => status),
      (point, index) => ({ ...point, measured: hours[index]?.measured ?? null }),
    );
    const made = timelineModel(forecastOf(points), zonedTimes('UTC'));
    return made ? daysSentences(made, { times: made.times, units: metric, now }) : '';
  };
  const three = Array.from({ length: 72 }, (_, index) => ({
    status: index === 26 || index === 27 ? 'rainy' : 'cloudy',
    measured: {
      temperature: 273.15 + (index < 24 ? 5 : index === 36 ? 10 : index < 48 ? 1 : 0),
      wind_speed: index === 36 ? 12 : 3,
      rainfall: index === 26 || index === 27 ? 2 : 0,
    },
  }));

  it('name the lowest and highest, strong wind, and what falls when', () => {
    const rest = 'Sunday 1 to 10°, wind up to 12.0 m/s at 12:00, rain 02:00 to 04:00, 4 mm. Monday 0°, dry.';
    expect(days(three)).toBe(`Today 5°, dry. ${rest}`);
    expect(days(three, start + 20 * hour)).toBe(`Tonight 1 to 5°, rain 02:00 to 04:00, 4 mm. ${rest}`);
  });

  it('say throughout of a day that is wet from midnight to midnight', () => {
    const wet = three.map(({ measured }) => ({ status: 'rainy', measured: { ...measured, rainfall: 1 } }));
    expect(days(wet)).toMatch(/Today 5°, rain throughout, 24 mm. Sunday .* rain throughout, 24 mm/);
  });

  it('leave out what is unknown', () => {
    expect(days(three.map(({ status }) => ({ status, measured: {} })))).toBe(
      'Today dry. Sunday rain 02:00 to 04:00. Monday dry.',
    );
    expect(days(three.map(() => ({ status: 'unknown', measured: {} })))).toBe('');
  });

  it('say dry only of days without a wet hour, and only amounts that the points have', () => {
    const hours = fc.array(fc.tuple(fc.constantFrom('cloudy', 'rainy'), fc.constantFrom(0, 1, 3)), {
      minLength: 48,
      maxLength: 48,
    });
    fc.assert(
      fc.property(hours, (all) => {
        const text = days(all.map(([status, rainfall]) => ({ status, measured: { rainfall } })));
        const expected = [all.slice(0, 24), all.slice(24)].map((day) => {
          const wet = day.filter(([status, rain]) => status === 'rainy' || rain > 0);
          const sum = wet.reduce((total, [, rain]) => total + rain, 0);
          const denial = wet.some(([status]) => status === 'cloudy') ? ', though the status is cloudy' : '';
          return wet.length === 0 ? 'dry' : sum === 0 ? 'though the amount is 0 mm' : `, ${sum} mm${denial}`;
        });
        const said = text.slice(0, -1).split('. ');
        expect(said.map((sentence, index) => sentence.endsWith(expected[index] ?? '?'))).toEqual([true, true]);
      }),
    );
  });
});
