// Plans against services that store a URL or a location in their own form: nothing is created, changed, or deleted twice.
import fc from 'fast-check';
import '#test/property-seed.ts';
import { describe, expect, test } from 'vitest';
import { planOf } from '#command-line/commands/monitors-as-code.ts';
import { planImport } from '#contract/monitor-files/import-plan.ts';
import { MonitorIndex } from '#contract/monitor-files/monitor-index.ts';
import { monitorOf } from '#test/renderer/monitors/monitor-samples.ts';

type Wanted = { geo: { lat: number; lng: number }; callback_uri: string };

const monitorAt = (id: string, { geo, callback_uri: callbackUri }: Wanted) => monitorOf(id, { geo, callbackUri });
const five = (value: number) => Number(value.toFixed(5));
const services: [string, (wanted: Wanted) => Wanted][] = [
  ['adds the empty path', (one) => ({ ...one, callback_uri: one.callback_uri.replace(/^([^/]+\/\/[^/]+)$/, '$1/') })],
  ['writes the host in lower case', (one) => ({ ...one, callback_uri: one.callback_uri.replace('Hooks', 'hooks') })],
  ['drops the default port', (one) => ({ ...one, callback_uri: one.callback_uri.replace(':443', '') })],
  ['percent-encodes', (one) => ({ ...one, callback_uri: encodeURI(one.callback_uri) })],
  ['rounds to 5 decimals', (one) => ({ ...one, geo: { lat: five(one.geo.lat), lng: five(one.geo.lng) } })],
  [
    'stores 32-bit numbers',
    (one) => ({ ...one, geo: { lat: Math.fround(one.geo.lat), lng: Math.fround(one.geo.lng) } }),
  ],
  ['writes 180 as -180', (one) => ({ ...one, geo: { ...one.geo, lng: one.geo.lng === 180 ? -180 : one.geo.lng } })],
  ['omits the callback URL', (one) => one],
];

const wanted: Wanted[] = [
  { geo: { lat: 45.0703123456, lng: 7.6868567891 }, callback_uri: 'https://hooks.example.com' },
  { geo: { lat: -33.8688197, lng: 179.1234567 }, callback_uri: 'https://Hooks.example.com:443/Zürich a' },
  { geo: { lat: 60.39299, lng: 180 }, callback_uri: 'https://hooks.example.com/b' },
];

describe('a service that', () => {
  test.each(services)('%s', (name, store) => {
    const existing = wanted.map((one, index) => ({
      ...monitorAt(`precipitation_${index}`, store(one)),
      ...(name === 'omits the callback URL' && { callbackUri: null }),
    }));
    expect(planOf(wanted, existing)).toEqual({ create: [], change: [], surplus: [], unchanged: 3 });
    const withIds = wanted.map((one, index) => ({ ...one, id: `precipitation_${index}` }));
    // A URL that is unknown is written again.
    expect(planOf(withIds, existing).change).toHaveLength(name === 'omits the callback URL' ? 3 : 0);
    const text = JSON.stringify({ monitors: wanted });
    const rows = planImport(text, { existing, monitorLimit: null });
    expect(rows.map(({ kind }) => kind)).toEqual(['skip', 'skip', 'skip']);
  });
});

test('a monitor two meters away is another one', () => {
  const [first] = wanted;
  if (!first) return;
  const existing = [monitorAt('a', first)];
  const near = { ...first, geo: { ...first.geo, lat: first.geo.lat + 2e-5 } };
  expect(planOf([near], existing)).toMatchObject({ create: [near], unchanged: 0 });
});

test('an index finds each location in every form that a service may store it in', () => {
  const degrees = (max: number) => fc.double({ min: -max, max, noNaN: true });
  const round = fc.constantFrom(five, Math.fround, (value: number) => value);
  fc.assert(
    fc.property(degrees(90), degrees(180), round, (lat, lng, stored) => {
      const index = new MonitorIndex([]);
      index.add({ lat: stored(lat), lng: stored(lng) }, 'https://a.example', 'a');
      expect([...index.find({ lat, lng }, 'https://a.example/')]).toEqual(['a']);
    }),
  );
});
