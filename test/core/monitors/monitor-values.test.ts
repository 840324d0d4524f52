// What the manager works out without a request: bodies, addresses, limits, and which monitors are known.
import { describe, expect, test } from 'vitest';
import type { Connection } from '#core/connection/connection.ts';
import { AppFailure } from '#core/errors/app-failure.ts';
import { getBacktest } from '#core/backtest/feature.ts';
import { callsThisApp, explainMonitorLimit, receiverBaseFor } from '#core/monitors/monitors.ts';
import { createKnownMonitors } from '#core/monitors/known-monitors.ts';
import { bodyOf, pathOf, type WireMonitor } from '#core/monitors/monitor-wire.ts';
import { connectionDouble, responseDouble } from '../connection-double.ts';

const wire = (changes: Partial<WireMonitor> = {}): WireMonitor => ({
  id: 'precipitation_1',
  monitor_type: 'precipitation',
  callback_uri: 'https://a.example/hook',
  geo: { type: 'Point', coordinates: [7.5, 45] },
  uri: '/v2/monitors/precipitation_1/',
  ...changes,
});
const geo = { lat: 45, lng: 7.5 };
const ownBase = () => 'http://127.0.0.1:4545';
const address = (uri: string) => ({ callback: { kind: 'address' as const, uri } });
const codeOf = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error instanceof AppFailure ? { code: error.code, ...error.details } : error;
  }
};

describe('a body (docs/interface.md §4.5)', () => {
  test('has what the input names', () => {
    expect(bodyOf({}, ownBase)).toStrictEqual({});
    expect(bodyOf({ geo }, ownBase)).toStrictEqual({ geo });
    expect(bodyOf({ geo, ...address('https://a.example/') }, ownBase)).toStrictEqual({
      callback_uri: 'https://a.example/',
      geo,
    });
    expect(pathOf('a/b c')).toBe('/v2/monitors/a%2Fb%20c/');
  });

  test('has a path of its own for this app', () => {
    const uris = Array.from(
      { length: 50 },
      () => bodyOf({ callback: { kind: 'this-app' } }, ownBase).callback_uri ?? '',
    );
    for (const uri of uris) expect(uri).toMatch(/^http:\/\/127\.0\.0\.1:4545\/hooks\/[a-km-np-z2-9]{6}$/);
    expect(new Set(uris).size).toBeGreaterThan(45);
  });

  test.each([
    ['http://a.example/', true],
    ['https://a.example:8443/a?b', true],
    [`https://a.example/${'a'.repeat(2048 - 18)}`, true],
    [`https://a.example/${'a'.repeat(2048 - 17)}`, false],
    ['ftp://a.example/', false],
    ['a.example', false],
    ['https://user@a.example/', false],
    ['https://:secret@a.example/', false],
  ])('takes the callback %s: %s', (uri, isTaken) => {
    expect(codeOf(() => bodyOf(address(uri), ownBase))).toEqual(
      isTaken ? { callback_uri: uri } : { code: 'INVALID_INPUT', field: 'callback.uri' },
    );
  });
});

describe('the receiver’s address', () => {
  const addresses = (baseUrl: string | null, publicBase: string | null = null, notice: string | null = null) => ({
    receiver: { state: () => ({ state: 'listening' as const, baseUrl, notice }) },
    publicBase: () => publicBase,
  });
  const own = 'http://127.0.0.1:4545';
  const tunnel = 'https://tunnel.example';

  test.each([
    ['http://127.0.0.1:8420', own, tunnel, own],
    ['http://localhost:8420', own, tunnel, own],
    ['https://api.example', own, tunnel, tunnel],
    ['https://api.example', own, null, own],
    ['https://api.example', null, tunnel, tunnel],
    ['nonsense', own, tunnel, tunnel],
  ])('for the service %s is, with %s and %s, %s', (service, baseUrl, publicBase, expected) => {
    expect(receiverBaseFor(service, addresses(baseUrl, publicBase))).toBe(expected);
  });

  test('may be missing, and the reason is reported', () => {
    expect(() => receiverBaseFor('http://127.0.0.1', addresses(null, tunnel, 'Port 4545 is taken.'))).toThrow(
      expect.objectContaining({ code: 'UNAVAILABLE', message: 'Port 4545 is taken.' }),
    );
    expect(codeOf(() => receiverBaseFor('http://127.0.0.1', addresses(null)))).toEqual({ code: 'UNAVAILABLE' });
  });

  test.each<[string | undefined, string | null, string | null, boolean]>([
    [`${own}/hooks/a`, own, null, true],
    ['http://localhost:4545/x', own, null, true],
    ['https://127.0.0.1:4545/', own, null, false],
    ['http://127.0.0.1:4546/', own, null, false],
    ['http://192.0.2.1:4545/', own, null, false],
    [`${tunnel}/hooks/a`, own, tunnel, true],
    [`${tunnel}.evil.test/hooks/a`, own, tunnel, false],
    [`${tunnel}/hooks/a`, null, tunnel, true],
    [`${own}/hooks/a`, null, tunnel, false],
    ['nonsense', null, null, false],
    [undefined, own, tunnel, false],
  ])('is that of %s with %s and %s: %s', (uri, baseUrl, publicBase, expected) => {
    expect(callsThisApp(uri, addresses(baseUrl, publicBase))).toBe(expected);
  });
});

describe('a refused monitor (docs/interface.md §8)', () => {
  const refused = (details: object = {}, code: 'ACCESS_REFUSED' | 'REFUSED' = 'ACCESS_REFUSED') =>
    new AppFailure(code, 'Refused.', { httpStatus: 403, ...details });

  test('is explained by the plan', () => {
    const messageFor = (listed: number | undefined) => {
      const explained = explainMonitorLimit(refused(), listed);
      expect(explained).toMatchObject({ code: 'ACCESS_REFUSED', details: { httpStatus: 403 } });
      return explained instanceof AppFailure ? explained.message : '';
    };
    expect(messageFor(undefined)).toMatch(/^Refused\. .*plan/);
    expect(messageFor(undefined)).not.toMatch(/\d/);
    expect(messageFor(1)).toMatch(/^Refused\. .*\b1 monitor\b.*plan/);
    expect(messageFor(7)).toMatch(/^Refused\. .*\b7 monitors\b.*plan/);
  });

  test.each([
    refused({ httpStatus: 401 }),
    refused({ error: 'insufficient_scope' }),
    refused({ needs: 'client_credentials' }),
    refused({}, 'REFUSED'),
    new TypeError('bug'),
  ])('is left as it is if it has another reason (%#)', (error) => {
    expect(explainMonitorLimit(error, 7)).toBe(error);
  });
});

describe('the monitors that are known', () => {
  const connection = (id: string, baseUrl = 'https://a.example') => ({ profile: { id }, baseUrl }) as Connection;
  const [one, other, moved] = [connection('one'), connection('other'), connection('one', 'https://b.example')];
  const start = () => {
    const state = { active: one as Connection | undefined };
    return { state, known: createKnownMonitors({ present: () => state.active }) };
  };
  const second = wire({ id: 'precipitation_2', callback_uri: undefined });

  test('are those of the last list of the active connection', () => {
    const { known, state } = start();
    expect([known.get(one, 'precipitation_1'), known.count(one), known.urls()]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(known.replaceAll(one, [wire(), second], 0)).toBe(true);
    expect(known.get(one, 'precipitation_1')).toEqual(wire());
    for (const stranger of [undefined, other, moved]) expect(known.get(stranger, 'precipitation_1')).toBeUndefined();
    expect([known.count(one), known.count(other), known.count(moved)]).toEqual([2, undefined, undefined]);
    expect([...(known.urls() ?? [])]).toEqual([
      ['precipitation_1', 'https://a.example/hook'],
      ['precipitation_2', null],
    ]);
    // Those of a list that arrives late are not.
    expect(known.replaceAll(other, [second], 0)).toBe(false);
    expect(known.count(one)).toBe(2);
    state.active = moved;
    expect(known.urls()).toBeUndefined();
    state.active = undefined;
    expect([known.urls(), known.replaceAll(one, [second], 0), known.count(one)]).toEqual([undefined, false, 2]);
  });

  test('have the same map of URLs until an ID, a URL, or a location changes', () => {
    const { known } = start();
    known.replaceAll(one, [wire(), second], 0);
    const first = known.urls();
    expect(known.replaceAll(one, [second, wire()], 1)).toBe(false);
    known.set(one, { ...second });
    expect(known.urls()).toBe(first);
    known.set(one, { ...second, geo: { ...second.geo, coordinates: [1, 2] } });
    expect(known.urls()).not.toBe(first);
    expect(known.replaceAll(one, [wire({ callback_uri: 'https://c.example/' })], 2)).toBe(true);
  });

  test('follow writes and deletes', () => {
    const { known, state } = start();
    known.set(one, wire());
    expect(known.count(one)).toBeUndefined();
    known.replaceAll(one, [wire()], 0);
    known.urls();
    known.set(one, second);
    expect([...(known.urls()?.keys() ?? [])]).toEqual(['precipitation_1', 'precipitation_2']);
    known.set(other, wire({ id: 'precipitation_3' }));
    known.delete('other', 'precipitation_1');
    expect(known.count(one)).toBe(2);
    known.delete('one', 'precipitation_1');
    expect([...(known.urls()?.keys() ?? [])]).toEqual(['precipitation_2']);
    expect(known.get(one, 'precipitation_1')).toBeUndefined();
    state.active = undefined;
    known.delete('one', 'precipitation_2');
    expect(known.count(one)).toBe(1);
  });
});

test('a backtest is requested with plain numbers, and read', async () => {
  const asked: unknown[] = [];
  const signal = new AbortController().signal;
  const answer = { sentence: 'Twice.' };
  const connection = connectionDouble('one', {
    async respond(call) {
      asked.push(call);
      return responseDouble({ value: answer });
    },
  });
  const result = await getBacktest(connection, { lat: 0.000_000_1, lng: -7.123_456_78 }, signal);
  expect(result).toBe('Twice.');
  expect(asked).toEqual([
    { method: 'GET', path: '/v2/backtest/?location_lat=0.0000001&location_lng=-7.12345678', signal },
  ]);
  const types = { precipitation_types: ['rain' as const, 'snow' as const] };
  const conditions = { min_precipitation_rate: 0.5, dry_minutes: 60, ...types };
  await getBacktest(connection, { lat: 0, lng: 1, conditions }, signal);
  expect(asked[1]).toMatchObject({
    path: '/v2/backtest/?location_lat=0&location_lng=1&min_precipitation_rate=0.5&dry_minutes=60&precipitation_types=rain&precipitation_types=snow',
  });
  for (const sentence of ['', 's'.repeat(1001)]) {
    answer.sentence = sentence;
    await expect(getBacktest(connection, { lat: 1, lng: 2 }, undefined)).rejects.toMatchObject({ code: 'PROTOCOL' });
  }
});
