// Holding a callback against the interface.
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { HeaderList } from '#contract/app-rpc/base.ts';
import type { CallbackCheck } from '#contract/app-rpc/callbacks.ts';
import { checkCallback } from '#core/receiver/checks/callback-checks.ts';
import type { EventEvidence } from '#core/receiver/checks/event-evidence.ts';
import { eventHeadersOf, type EarlierCallback } from '#core/receiver/checks/earlier-callback.ts';
import type { StoredCallback } from '#core/receiver/records/stored-callback.ts';
import { storedCallback } from '#test/core/callbacks/stored-callback.ts';

const monitor = {
  uri: '/v2/monitors/precipitation_1/',
  geo: { type: 'Point', coordinates: [7.7, 45.1] },
  id: 'precipitation_1',
  callback_uri: 'http://127.0.0.1:4545/hooks/a?b=1',
  monitor_type: 'precipitation',
};
const receivedAt = Date.parse('2026-11-21T06:00:00Z');

function headers(more: HeaderList = []): HeaderList {
  return [['Host', '127.0.0.1:4545'], ['Content-Type', 'application/json; charset=utf-8'], ...more];
}

function check(
  changes: Partial<Omit<StoredCallback, 'body'>> & { body?: unknown } = {},
  earlier: EarlierCallback[] = [],
  ids?: string[],
  evidence: Partial<EventEvidence> = {},
) {
  const { body = monitor, ...rest } = changes;
  const callback = storedCallback({
    id: 9,
    receivedAt,
    method: 'POST',
    target: '/hooks/a?b=1',
    headers: headers(),
    body: Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    ...rest,
  });
  const checks = checkCallback(callback, {
    earlier,
    monitors: ids && new Map(ids.map((id) => [id, monitor.callback_uri])),
    evidence: { counts: true, reason: 'it arrived at the monitor’s callback URL', ...evidence },
    signing: { secrets: [], isClockMovable: false },
  });
  return Object.fromEntries(checks.map((one) => [one.check, one])) as Partial<
    Record<CallbackCheck['check'], CallbackCheck>
  >;
}

function earlier(secondsBefore: number, more: HeaderList = [], id = 8): EarlierCallback {
  return { id, receivedAt: receivedAt - secondsBefore * 1000, event: eventHeadersOf(headers(more)), counts: true };
}

test('a body in UTF-16 is a Monitor object', () => {
  const body = Buffer.from(`\uFEFF${JSON.stringify(monitor)}`, 'utf16le');
  expect(check({ body }).monitor).toEqual({
    check: 'monitor',
    verdict: 'ok',
    message: 'The body is a Monitor object.',
  });
});

test('a body with an altitude is a Monitor object', () => {
  const geo = { type: 'Point', coordinates: [7.7, 45.1, 408] };
  expect(check({ body: { ...monitor, geo } }).monitor).toMatchObject({ verdict: 'ok' });
});

test.each([
  ['a whole URL', 'http://127.0.0.1:4545/hooks/a?b=1', 'ignored.example'],
  ['an encoded letter', '/hooks/%61?b=1', '127.0.0.1:4545'],
])('a target that is %s is the monitor’s callback_uri', (_name, target, host) => {
  const sent = headers().map(([name, value]): [string, string] => [name, name === 'Host' ? host : value]);
  expect(check({ target, headers: sent }).address).toEqual({
    check: 'address',
    verdict: 'ok',
    message: 'The callback arrived at the monitor’s callback_uri.',
  });
});

test('a callback as the interface has it passes every check', () => {
  const checks = check({}, [earlier(3600)], ['precipitation_1']);
  expect(Object.values(checks).map((one) => [one.check, one.verdict])).toEqual([
    ['request', 'ok'],
    ['monitor', 'ok'],
    ['registered', 'ok'],
    ['address', 'ok'],
    ['hour', 'ok'],
    ['signature', 'unknown'],
  ]);
});

describe('the request', () => {
  test('must be a POST, and should be JSON', () => {
    expect(check({ method: 'GET' }).request).toMatchObject({
      verdict: 'error',
      message: expect.stringContaining('GET instead of POST'),
    });
    expect(check({ headers: [['content-type', 'text/plain']] }).request).toMatchObject({ verdict: 'warning' });
  });
});

describe('the body', () => {
  test.each([
    ['no JSON', 'hello', 'not a JSON object'],
    ['a list', [monitor], 'not a JSON object'],
    ['missing fields', { id: 'precipitation_1' }, 'missing: monitor_type, callback_uri, geo.'],
    ['an id of another form', { ...monitor, id: '17' }, 'id: must have the form <monitor_type>_<digits>'],
    ['a geo that is no point', { ...monitor, geo: { lat: 1, lng: 2 } }, 'missing: geo.type, geo.coordinates'],
    ['another type', { ...monitor, monitor_type: 'fog' }, 'monitor_type: should be “precipitation”'],
    [
      'a latitude and a longitude the wrong way round',
      { ...monitor, geo: { type: 'Point', coordinates: [45, 107] } },
      'geo, coordinates, item 2: must be a number',
    ],
    ['an address that is a number', { ...monitor, callback_uri: 7 }, 'callback_uri: should be text, but is a number'],
    ['an address that is none', { ...monitor, callback_uri: 'rain' }, 'callback_uri: must be a URL'],
    [
      'fields missing at two levels',
      { ...monitor, monitor_type: undefined, geo: { coordinates: [45, 7] } },
      'Differs from the Monitor object: missing: monitor_type, geo.type.',
    ],
    [
      'fields missing, wrong and unknown',
      { ...monitor, geo: undefined, id: 7, colour: 'red' },
      'missing: geo; id: should be text, but is a number; not in the API spec: colour.',
    ],
  ])('with %s is an error that says so', (_what, body, words) => {
    expect(check({ body }).monitor).toMatchObject({ verdict: 'error', message: expect.stringContaining(words) });
  });

  test('with unknown members is a warning that names them', () => {
    expect(check({ body: { ...monitor, weather: 1, x: 2 } }).monitor).toEqual({
      check: 'monitor',
      verdict: 'warning',
      message: 'Differs from the Monitor object: not in the API spec: weather, x.',
    });
  });

  test('that was cut says that it was cut', () => {
    expect(check({ body: '{"id": "prec', truncated: true }).monitor?.message).toContain('truncated');
  });

  test('may lack uri, which is in no field table', () => {
    const { uri: _, ...withoutUri } = monitor;
    expect(check({ body: withoutUri }).monitor?.verdict).toBe('ok');
  });
});

describe('the monitor', () => {
  test('that is not in the list is a warning; without a list nothing is claimed', () => {
    expect(check({}, [], ['precipitation_2']).registered?.verdict).toBe('warning');
    expect(check({}).registered?.verdict).toBe('unknown');
  });

  test.each([
    ['no ID', { ...monitor, id: undefined }],
    ['an ID that is a number', { ...monitor, id: 7 }],
    ['the ID of something else', { id: 'evt_1QfO', object: 'event' }],
    ['a very long ID', { ...monitor, id: `precipitation_${'1'.repeat(1000)}` }],
  ])('is not missed in a body with %s', (_what, body) => {
    expect(check({ body }, [], ['precipitation_1']).registered).toEqual({
      check: 'registered',
      verdict: 'unknown',
      message: 'The body does not name a monitor.',
    });
  });
});

describe('the address', () => {
  test('must be the path of its callback_uri; another host is a tunnel', () => {
    expect(check({ target: '/hooks/b' }).address).toMatchObject({
      verdict: 'error',
      message: expect.stringContaining('/hooks/b'),
    });
    expect(check({ target: `/${'a'.repeat(5000)}` }).address?.message.length).toBeLessThan(300);
    expect(check({ headers: [['host', 'tunnel.example']] }).address?.verdict).toBe('ok');
    expect(check({ body: { ...monitor, callback_uri: undefined } }).address?.verdict).toBe('unknown');
  });
});

describe('the hour rule', () => {
  const event = (id: string, timestamp?: number): HeaderList => [
    ['webhook-id', id],
    ...(timestamp === undefined ? [] : [['webhook-timestamp', String(timestamp)] as [string, string]]),
  ];

  test.each([
    [3600, 'ok', '1 h after'],
    [7261, 'ok', '2 h 1 min 1 s after'],
    [3599, 'warning', 'Only 59 min 59 s'],
    [3585, 'warning', 'Only 59 min 45 s'],
    [3584, 'error', 'Only 59 min 44 s'],
    [3000, 'error', 'Only 50 min after the event in callback 8'],
    [0, 'error', 'Only 0 s'],
    [-3599, 'error', 'out of order'],
    [-3600, 'warning', ''],
  ])('%i seconds after the previous event is %s', (seconds, verdict, words) => {
    expect(check({}, [earlier(seconds)]).hour).toMatchObject({ verdict, message: expect.stringContaining(words) });
  });

  test('does not count another attempt for the same event', () => {
    const callback = { headers: headers(event('evt_1')) };
    expect(check(callback, [earlier(60, event('evt_1'))]).hour).toMatchObject({
      verdict: 'ok',
      message: 'Another attempt to deliver the event in callback 8.',
    });
  });

  test('counts from the first attempt of the previous event', () => {
    const attempts = [earlier(600, event('evt_1'), 8), earlier(3700, event('evt_1'), 7)];
    expect(check({ headers: headers(event('evt_2')) }, attempts).hour?.verdict).toBe('ok');
  });

  test('does not count test events', () => {
    expect(check({ headers: headers(event('test_1')) }, [earlier(5)]).hour?.verdict).toBe('ok');
    const test = { ...earlier(5, event('test_1')), counts: false };
    expect(check({ headers: headers(event('evt_2')) }, [test]).hour?.verdict).toBe('ok');
  });

  test('uses the sender’s clock if it sends one, because a sandbox’s clock may be moved', () => {
    const before = [earlier(5, event('evt_1', 1000))];
    expect(check({ headers: headers(event('evt_2', 4600)) }, before).hour?.verdict).toBe('ok');
    expect(check({ headers: headers(event('evt_2', 1900)) }, before).hour?.verdict).toBe('error');
  });

  test('names events that were sent out of order, and never a negative time', () => {
    const before = [earlier(5, event('evt_1', 10_000))];
    const at = (timestamp: number) => check({ headers: headers(event('evt_2', timestamp)) }, before).hour;
    expect(at(9_400)).toEqual({
      check: 'hour',
      verdict: 'error',
      breach: 'out-of-order',
      message:
        'Sent out of order: its timestamp is 10 min before that of callback 8. Events are guaranteed to be at least 1 h apart.',
    });
    expect(at(5_000)).toMatchObject({ verdict: 'warning', message: expect.not.stringContaining('-') });
  });

  test('compares with the nearest event in time, not with the one that arrived last', () => {
    const before = [earlier(5, event('evt_2', 1000), 8), earlier(10, event('evt_1', 9000), 7)];
    expect(check({ headers: headers(event('evt_3', 10_000)) }, before).hour?.message).toBe(
      'Only 16 min 40 s after the event in callback 7. Events are guaranteed to be at least 1 h apart.',
    );
  });

  test('ignores callbacks that are not events, and does not check one that is not an event itself', () => {
    const imitation = { ...earlier(1), counts: false };
    expect(check({}, [imitation]).hour?.message).toBe('The first event received for this monitor.');
    const evidence = { counts: false, reason: 'it is not signed, although this service signs callbacks' };
    const { hour, registered } = check({}, [earlier(1)], ['precipitation_1'], evidence);
    expect(hour).toEqual({
      check: 'hour',
      verdict: 'unknown',
      message: 'Not counted as an event, because it is not signed, although this service signs callbacks.',
    });
    expect(registered?.verdict).toBe('warning');
  });
});

describe('an event that the monitor’s owner chose', () => {
  const bodyOf = async (name: string, kind = `precipitation.${name}`) => {
    const text = await readFile(new URL(`../../fixtures/rain-events/${name}.json`, import.meta.url), 'utf8');
    const event = JSON.parse(text) as { data: object };
    return { ...event, type: kind, data: { ...event.data, monitor } };
  };

  test('passes every check', async () => {
    const checks = check({ body: await bodyOf('started') }, [], ['precipitation_1']);
    expect(Object.values(checks).map((one) => [one.check, one.verdict])).toEqual([
      ['request', 'ok'],
      ['monitor', 'ok'],
      ['registered', 'ok'],
      ['address', 'ok'],
      ['hour', 'ok'],
      ['signature', 'unknown'],
    ]);
    expect(checks.monitor?.message).toBe('The body is a precipitation.started event.');
  });

  test('may follow within the hour, and a start may follow it, but not another start', async () => {
    const ended = check({ body: await bodyOf('ended') }, [earlier(600)], ['precipitation_1']);
    expect(ended.hour).toBeUndefined();
    const started = await bodyOf('started');
    expect(check({ body: started }, [{ ...earlier(600), isFollowUp: true }]).hour?.verdict).toBe('ok');
    expect(check({ body: started }, [earlier(600)]).hour?.verdict).toBe('error');
  });

  test('that lacks a member differs from its schema', async () => {
    const { data, ...rest } = await bodyOf('started');
    const { sequence: _, ...others } = data as { sequence?: number };
    expect(check({ body: { ...rest, data: others } }).monitor).toMatchObject({
      verdict: 'error',
      message: expect.stringContaining('data, sequence: is missing') as string,
    });
  });
});
