// Requests for airports: the boxes around a place, how often they are sent, and what happens to the reports.
import { pino } from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { LatLng } from '#contract/service-api/geo.ts';
import { createProviderHealth } from '#service/weather/fetch/provider-health.ts';
import { createMetar, metarAddresses } from '#service/weather/metar/metar.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

const minute = 60_000;
const now = Date.parse('2026-11-21T06:00:00Z');
const turin = { lat: 45.1, lng: 7.7 };

describe('the boxes around a place', () => {
  const boxes = (lat: number, lng: number) =>
    metarAddresses('http://metar.test', { lat, lng }).map((address) => address.searchParams.get('bbox'));

  it.each([
    ['1° to the north and south, 1.5° to the east and west', 45, 7, ['44.00,5.50,46.00,8.50']],
    // 0.46° / cos 80°.
    ['wider in the north', 80, 0, ['79.00,-2.65,81.00,2.65']],
    ['all around the north pole', 90, 7, ['89.00,-180.00,90.00,180.00']],
    ['all around the south pole', -89.9, 7, ['-90.00,-180.00,-88.90,180.00']],
    ['up to the antimeridian from the west', 0, 178.5, ['-1.00,177.00,1.00,180.00']],
    ['two across it from the west', 0, 179, ['-1.00,177.50,1.00,180.00', '-1.00,-180.00,1.00,-179.50']],
  ])('are %s', (_name, lat, lng, expected) => {
    expect(boxes(lat, lng)).toEqual(expected);
  });

  it.each(['http://metar.test/base', 'http://metar.test/base//'])('are added to %s', (baseUrl) => {
    expect(metarAddresses(baseUrl, { lat: 0, lng: 0 }).map(({ href }) => href)).toEqual([
      'http://metar.test/base/api/data/metar?bbox=-1.00%2C-1.50%2C1.00%2C1.50&format=json',
    ]);
  });
});

describe('airports near a place', () => {
  const report = (icaoId: string, { lat, lng }: LatLng) => ({ icaoId, lat, lon: lng, obsTime: now / 1_000 });

  function start(respond: (address: URL) => unknown = () => [report('LIMF', turin)]) {
    const clock = createManualClock(now);
    const health = createProviderHealth({ clock, log: pino({ level: 'silent' }) });
    const requests: [provider: string, address: URL][] = [];
    const metar = createMetar({
      baseUrl: 'https://aviationweather.gov',
      clock,
      side: { clock, machineClock: clock, health },
      async fetchJson(provider, address) {
        requests.push([provider, address]);
        return respond(address);
      },
    });
    return { clock, health, metar, requests };
  }

  it('are requested once in five minutes', async () => {
    const { metar, requests, clock } = start();
    expect(await metar.stationsNear(turin)).toMatchObject([{ station: 'LIMF', distanceKm: 0 }]);
    clock.advance(5 * minute - 1);
    await metar.stationsNear(turin);
    expect(requests.map(([provider]) => provider)).toEqual(['metar']);
    clock.advance(1);
    await metar.stationsNear(turin);
    expect(requests).toHaveLength(2);
  });

  it('are those of both boxes at the antimeridian', async () => {
    const fiji = { lat: -17, lng: 179.9 };
    const { metar } = start((address) =>
      address.searchParams.get('bbox')?.includes('-180') === true
        ? [report('EAST', { lat: -17, lng: -179.9 })]
        : [report('WEST', fiji)],
    );
    expect(await metar.stationsNear(fiji)).toMatchObject([{ station: 'WEST' }, { station: 'EAST' }]);
  });

  it('are none without a station, which is not a failure', async () => {
    const { metar, health } = start(() => undefined);
    expect(await metar.stationsNear(turin)).toEqual([]);
    expect(health.failing('metar')).toBeUndefined();
  });

  it('are a failure of this place if the answer is not a list', async () => {
    const { metar, health } = start(() => ({ error: 'no' }));
    expect(await metar.stationsNear(turin)).toEqual([]);
    expect(health.lastErrors()[0]?.message).toContain('not a list');
    expect(health.failing('metar')).toBeUndefined();
  });

  it('are shown while new ones are missing, until they are 90 minutes old', async () => {
    let isDown = false;
    const { metar, clock } = start(() => {
      if (isDown) throw new Error('down');
      return [report('LIMF', turin)];
    });
    await metar.stationsNear(turin);
    isDown = true;
    clock.advance(90 * minute);
    expect(await metar.stationsNear(turin)).toMatchObject([{ station: 'LIMF', at: now }]);
    clock.advance(1);
    expect(await metar.stationsNear(turin)).toEqual([]);
  });

  it('are requested at most 60 times a minute', async () => {
    // The host's minute is of the machine's time.
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { metar, requests, clock } = start(() => []);
    expect(await metar.budget.left()).toEqual([{ name: 'metar', seconds: 60, left: 60 }]);
    for (let lat = 0; lat < 70; lat += 1) await metar.stationsNear({ lat, lng: 0 });
    expect(requests).toHaveLength(60);
    vi.advanceTimersByTime(minute);
    clock.advance(minute);
    await metar.stationsNear({ lat: 69, lng: 0 });
    expect(requests).toHaveLength(61);
  });
});
