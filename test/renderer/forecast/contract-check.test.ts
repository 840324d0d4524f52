// The checks of a point's fields against the API spec: kept, absent, missing, or broken.
import { expect, it } from 'vitest';
import type { ForecastPoint } from '#contract/app-rpc/forecast.ts';
import { contractChecks } from '#renderer/features/forecast/inspector/contract-check.ts';
import { createUnitFormat, unitPresets } from '#renderer/ui/text/units.ts';
import { sunny } from './forecast-points.ts';

const units = createUnitFormat(unitPresets.Metric, 'en-GB');

it('each field of a point is checked against the interface', () => {
  const promises = [
    ['timestamp', 'guaranteed', '§2.3', 'kept', 'missing'],
    ['weather.status', 'guaranteed', '§2.4', 'kept', 'missing'],
    ['geo', 'guaranteed', '§2.6', 'kept', 'missing'],
    ['location', 'optional', '§2.5', 'absent', 'kept'],
    ['icon', 'guaranteed', '§2.3', 'kept', 'missing'],
    ['sun_altitude', 'guaranteed', '§2.3', 'kept', 'missing'],
    ['sources', 'optional', '§2.3', 'kept', 'absent'],
    ['weather.measured', 'addition', null, 'absent', 'kept'],
  ] as const;
  const missing = { timestamp: null, status: null, geo: null, iconUrl: null, sunAltitude: null, sources: null };
  const odd = { ...sunny, ...missing, measured: {}, location: {} as ForecastPoint['location'] };
  for (const [point, index] of [
    [sunny, 3],
    [odd, 4],
  ] as const)
    expect(contractChecks(point, units)).toMatchObject(
      promises.map((row) => ({ field: row[0], promise: row[1], section: row[2], state: row[index], message: null })),
    );
  const problems = ['geo.coordinates', 'location.country', 'icon', 'other', 'iconic'].map((field) => ({
    field,
    message: `${field}!`,
  }));
  const checks = contractChecks({ ...sunny, iconUrl: null, problems }, units);
  expect(checks.filter(({ message }) => message !== null)).toMatchObject([
    { field: 'geo', promise: 'guaranteed', section: '§2.6', state: 'broken', message: 'geo.coordinates!' },
    { field: 'location', promise: 'optional', section: '§2.5', state: 'missing', message: 'location.country!' },
    { field: 'icon', promise: 'guaranteed', section: '§2.3', state: 'missing', message: 'icon!' },
    { field: 'other', promise: 'guaranteed', section: '§2.3', state: 'broken', message: 'other!' },
    { field: 'iconic', promise: 'guaranteed', section: '§2.3', state: 'broken', message: 'iconic!' },
  ]);
});
