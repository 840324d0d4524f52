// What a policy changes in the decision, and the errors for a wrong one.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { formatPolicy, readPolicy, standardPolicy, type SweepPolicy, withRadius } from '#service/watch/policy.ts';
import type { NearObservation } from '#service/weather/metar/choose-observation.ts';
import type { CellWeather } from '#service/weather/reading/reading.ts';
import { combineSources } from '#service/weather/sources/combine-sources.ts';
import { isPrecipitatingNear, nextLookAt } from '#service/weather/sources/precipitation.ts';

const now = Date.parse('2026-11-21T06:00:00Z');
const minute = 60_000;
const place = { lat: 45.1, lng: 7.7 };

const rates = (mmPerHour: number, from = now) => [{ from, until: from + 60 * minute, mmPerHour }];
const forecast = (mmPerHour: number, from?: number): CellWeather => ({
  source: 'open-meteo',
  grid: place,
  fetchedAt: now,
  current: { at: now, status: 'cloudy' },
  steps: [],
  rainfall: rates(mmPerHour, from),
});
const radar = (mmPerHour: number) => ({ rainfall: rates(mmPerHour), updatedAt: now, current: undefined });
const airport = (isPrecipitating: boolean, distanceKm = 4): NearObservation => ({
  station: 'LIMF',
  place,
  at: now - 10 * minute,
  status: isPrecipitating ? 'rainy' : 'cloudy',
  isPrecipitating,
  distanceKm,
});

type Sources = { rain: number; radar?: number; airport?: boolean; km?: number };

function decides(policy: SweepPolicy, { rain, ...others }: Sources): boolean {
  const weather = combineSources(
    {
      forecast: forecast(rain),
      nowcast: others.radar === undefined ? undefined : radar(others.radar),
      observation: others.airport === undefined ? undefined : airport(others.airport, others.km),
    },
    policy,
    now,
  );
  return isPrecipitatingNear({ weather, neighbours: [], here: [], near: [] }, now, policy);
}

describe('a policy', () => {
  it('names the sources that decide, and which of them is believed first', () => {
    expect(decides(standardPolicy, { rain: 0, airport: true })).toBe(true);
    expect(decides(standardPolicy, { rain: 2, airport: false })).toBe(true);
    expect(decides(standardPolicy, { rain: 2, radar: 0 })).toBe(false);

    const forecastFirst = { ...standardPolicy, sources: ['forecast', 'radar'] } as const satisfies SweepPolicy;
    expect(decides(forecastFirst, { rain: 2, radar: 0 })).toBe(true);
    expect(decides(forecastFirst, { rain: 0, radar: 2, airport: true })).toBe(false);

    const radarFirst = { ...standardPolicy, sources: ['radar', 'observation'] } as const satisfies SweepPolicy;
    expect(decides(radarFirst, { rain: 2, radar: 0, airport: true })).toBe(false);
    expect(decides(radarFirst, { rain: 0, airport: true })).toBe(true);
    expect(decides(radarFirst, { rain: 2 })).toBe(false);
  });

  it('sets the radius, the rate, and the time ahead', () => {
    expect(decides(standardPolicy, { rain: 0, airport: true, km: 12 })).toBe(false);
    expect(decides(withRadius(standardPolicy, 15), { rain: 0, airport: true, km: 12 })).toBe(true);
    expect(decides({ ...standardPolicy, leastMmPerHour: 1 }, { rain: 0.9 })).toBe(false);

    const coming = { weather: forecast(2, now + 20 * minute), neighbours: [], here: [], near: [] };
    expect(isPrecipitatingNear(coming, now, standardPolicy)).toBe(false);
    expect(nextLookAt(coming, now, standardPolicy)).toBe(now + 5 * minute);
    expect(isPrecipitatingNear(coming, now, readPolicy('early'))).toBe(true);
    const atOnce = { ...standardPolicy, aheadMinutes: 0 };
    expect(isPrecipitatingNear({ ...coming, weather: forecast(2) }, now, atOnce)).toBe(true);
  });

  it('shows the same weather whatever it believes', () => {
    const all = { forecast: forecast(2), nowcast: radar(0), observation: airport(true) };
    const shown = (policy: SweepPolicy) => combineSources(all, policy, now).current;
    expect(shown(readPolicy('forecast-only'))).toEqual(shown(standardPolicy));
    expect(shown(standardPolicy)?.sources).toEqual(['metar:LIMF', 'open-meteo']);
  });

  it('has a name and version, also from a file and with another radius', async () => {
    const file = join(temporaryFolder(), 'mine.json');
    await writeFile(file, JSON.stringify({ ...standardPolicy, name: 'mine', version: 7 }));
    expect(formatPolicy(readPolicy(file))).toBe('mine/7');
    expect(formatPolicy(withRadius(readPolicy(file), 25))).toBe('mine-25km/7');
    expect(formatPolicy(withRadius(standardPolicy, 10))).toBe('standard/1');
  });

  it('is refused with what is wrong', async () => {
    const file = join(temporaryFolder(), 'wrong.json');
    const refuses = async (text: string, reason: RegExp) => {
      await writeFile(file, text);
      expect(() => readPolicy(file)).toThrow(reason);
    };
    expect(() => readPolicy('nothing')).toThrow(
      /"nothing" can't be used: it is neither a file nor a built-in policy\./,
    );
    await refuses('{', /JSON/);
    await refuses('x'.repeat(20_000), /larger than 16384 bytes/);
    await refuses(JSON.stringify({ ...standardPolicy, radiusKm: 101 }), /its field "radiusKm" is not valid .*100/);
    await refuses(JSON.stringify({ ...standardPolicy, sources: ['radar', 'radar'] }), /once/);
    await refuses(JSON.stringify({ ...standardPolicy, oops: 1 }), /oops/);
  });
});
