// The weather in a notification: requested for a point, and left out if it does not arrive in 3 s.
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createWeatherLookup } from '#core/callbacks/weather-lookup.ts';
import type { ActiveConnection } from '#core/connection/active-connection.ts';
import { createManualClock } from '../manual-clock.ts';

function start(respond: () => Promise<unknown>, isConnected = true) {
  const requests: unknown[] = [];
  const api = {
    async call(request: unknown) {
      requests.push(request);
      const value = await respond();
      return { json: async () => ({ value }) };
    },
  };
  const clock = createManualClock();
  const connection = { present: () => (isConnected ? { api } : undefined) } as unknown as ActiveConnection;
  const lookUp = createWeatherLookup(connection, clock);
  return { clock, requests, weather: lookUp({ lat: 45.123456789, lng: -7 }) };
}
const object = (status: unknown, location?: object) => ({ weather: { status }, location });

test.each([
  ['weather and place', { objects: [object('rain', { locality: 'Torino' })] }, { status: 'rain', place: 'Torino' }],
  ['weather without a place', { objects: [object('dry', {})] }, { status: 'dry', place: undefined }],
  ['weather without a location', { objects: [object('dry')] }, { status: 'dry', place: undefined }],
  ['the first of several', { objects: [object('dry'), object('rain')] }, { status: 'dry', place: undefined }],
  ['no point', { objects: [] }, undefined],
  ['another form', { objects: [object(7)] }, undefined],
])('reads %s', async (_, value, expected) => {
  const { requests, weather } = start(async () => value);
  expect(await weather).toEqual(expected);
  expect(requests).toEqual([{ method: 'GET', path: '/v2/weather/?location_lat=45.12346&location_lng=-7.00000' }]);
});

test('has no weather without a connection, or if the request fails', async () => {
  const { requests, weather } = start(async () => ({}), false);
  expect([await weather, requests]).toEqual([undefined, []]);
  expect(await start(() => Promise.reject(new Error('offline'))).weather).toBeUndefined();
});

test('waits 3 s', async () => {
  const never = start(() => new Promise(() => {}));
  let isDone = false;
  void never.weather.then(() => (isDone = true));
  never.clock.advance(2999);
  await setImmediate();
  expect(isDone).toBe(false);
  never.clock.advance(1);
  expect(await never.weather).toBeUndefined();
});
