// The checks of a point's fields against the API spec: kept, absent, missing, or broken.
import { expect, it } from 'vitest';
import type { ForecastPoint } from '#contract/app-rpc/forecast.ts';
import { contractChecks } from '#renderer/features/forecast/inspector/contract-check.ts';
import { createUnitFormat, unitPresets } from '#renderer/ui/text/units.ts';
import { sunny } from './forecast-points.ts';

const units = createUnitFormat(unitPresets.Metric, 'en-GB');

it('each field of a point is checked against the interface', () => {
  const states = (point: ForecastPoint) => contractChecks(point, units).map(({ field, state }) => [field, state]);
  const promises = [
    ['timestamp', 'guaranteed', '§2.3', 'kept'],
    ['weather.status', 'guaranteed', '§2.4', 'kept'],
    ['geo', 'guaranteed', '§2.6', 'kept'],
    ['location', 'optional', '§2.5', 'absent'],
    ['icon', 'guaranteed', '§2.3', 'kept'],
    ['sun_altitude', 'guaranteed', '§2.3', 'kept'],
    ['sources', 'optional', '§2.3', 'kept'],
    ['weather.measured', 'addition', null, 'absent'],
  ] as const;
  expect(contractChecks(sunny, units)).toMatchObject(
    promises.map(([field, promise, section, state]) => ({ field, promise, section, state, message: null })),
  );
  const none = {
    ...sunny,
    timestamp: null,
    status: null,
    geo: null,
    iconUrl: null,
    sunAltitude: null,
    sources: null,
    measured: {},
    location: {} as ForecastPoint['location'],
  };
  expect(states(none)).toEqual([
    ['timestamp', 'missing'],
    ['weather.status', 'missing'],
    ['geo', 'missing'],
    ['location', 'kept'],
    ['icon', 'missing'],
    ['sun_altitude', 'missing'],
    ['sources', 'absent'],
    ['weather.measured', 'kept'],
  ]);
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
