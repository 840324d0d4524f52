// What a body of the monitors API means, by table: fields, callback URLs with a password, and what each error says.
import { describe, expect, test } from 'vitest';
import { optionsAfter, parseMonitorBody, parseMonitorChanges, readCallback } from '#service/monitors/monitor-body.ts';

const errorOf = (work: () => unknown) => {
  try {
    return work();
  } catch (error) {
    const { code, status, message } = error as { code: string; status: number; message: string };
    return `${status} ${code}: ${message}`;
  }
};

const callback_uri = 'http://127.0.0.1:9/rain';
const longest = callback_uri.padEnd(2_048, 'x');
const geo = { lat: 45.07, lng: 7.69 };
const body = { monitor_type: 'precipitation', callback_uri, geo };
const read = { monitor_type: 'precipitation', callback_uri, credentials: undefined, geo };
const bodyRule = 'The body must be a JSON object with monitor_type, callback_uri, and geo.';
const geoRule = 'must be an object like {lat: 45.07, lng: 7.69}, or a GeoJSON Point';

describe('a full body', () => {
  test.each([
    ['as documented', body, read],
    ['with GeoJSON, longitude first', { ...body, geo: { type: 'Point', coordinates: [7.69, 45.07] } }, read],
    [
      'with a password',
      { ...body, callback_uri: 'http://ann:pass@127.0.0.1:9/rain' },
      { ...read, credentials: 'ann:pass' },
    ],
    ['with the longest URL', { ...body, callback_uri: longest }, { ...read, callback_uri: longest }],
    ['at the corners', { ...body, geo: { lat: -90, lng: 180 } }, { ...read, geo: { lat: -90, lng: 180 } }],
  ])('%s', (_name, given, expected) => {
    const options = { payload: null, events: null, conditions: null };
    expect(parseMonitorBody(given)).toEqual({ ...expected, options });
    expect(parseMonitorChanges(given)).toEqual(expected);
  });

  const missing = '; it must be';
  test.each([
    [[], bodyRule],
    [null, bodyRule],
    ['x', bodyRule],
    [{ callback_uri, geo }, `monitor_type is missing${missing} precipitation.`],
    [{ ...body, monitor_type: 'wind' }, 'monitor_type must be precipitation.'],
    [{ ...body, callback_uri: 'ftp://a.example/' }, 'callback_uri must start with http:// or https://.'],
    [{ ...body, callback_uri: 7 }, 'callback_uri must be a string, the http or https URL for callbacks.'],
    [
      { monitor_type: 'precipitation', geo },
      `callback_uri is missing${missing} a string, the http or https URL for callbacks.`,
    ],
    [{ ...body, callback_uri: `${longest}x` }, 'callback_uri must be at most 2048 characters long.'],
    [{ monitor_type: 'precipitation', callback_uri }, `geo is missing; it ${geoRule}.`],
    [{ ...body, geo: null }, `geo ${geoRule}.`],
    [{ ...body, geo: '45,7' }, `geo ${geoRule}.`],
    [{ ...body, geo: {} }, 'geo.lat is missing; it must be a number between -90 and 90.'],
    [{ ...body, geo: { lat: 90.0000001, lng: 7 } }, 'geo.lat must be a number between -90 and 90.'],
    [{ ...body, geo: { lat: 1, lng: -180.5 } }, 'geo.lng must be a number between -180 and 180.'],
    [{ ...body, geo: { lat: 1, lng: 'x' } }, 'geo.lng must be a number between -180 and 180.'],
    [{ ...body, geo: { type: 'Point' } }, 'geo.coordinates is missing; it must be two numbers, longitude first.'],
    // Latitude first.
    [
      { ...body, geo: { type: 'Point', coordinates: [45, 170] } },
      'geo.coordinates.1 must be a number between -90 and 90.',
    ],
    [{ ...body, geo: { type: 'LineString', coordinates: [1, 2] } }, 'geo.type must be Point.'],
    [{ ...body, geo: { coordinates: [1, 2] } }, 'geo.type is missing; it must be Point.'],
    [
      { ...body, geo: { ...geo, x: 1, y: 2 } },
      'Unknown fields: geo.x, geo.y. A monitor has monitor_type, callback_uri, and geo (lat, lng).',
    ],
    [{ ...body, 'a"b': 1 }, 'Unknown field: a?b. A monitor has monitor_type, callback_uri, and geo (lat, lng).'],
  ])('%j is refused', (given, words) => {
    expect(errorOf(() => parseMonitorBody(given))).toBe(`400 invalid_request: ${words}`);
  });
});

test.each([
  [{}, {}],
  [{ monitor_type: 'precipitation' }, { monitor_type: 'precipitation' }],
  [{ callback_uri }, { callback_uri, credentials: undefined }],
  [{ geo }, { geo }],
])('changes of %j are only these', (given, expected) => {
  expect(parseMonitorChanges(given)).toStrictEqual(expected);
});

test('changes are refused like a full body', () => {
  expect(errorOf(() => parseMonitorChanges({ geo: 1 }))).toBe(`400 invalid_request: geo ${geoRule}.`);
  expect(errorOf(() => parseMonitorChanges([]))).toBe(`400 invalid_request: ${bodyRule}`);
});

// Members of monitors with other events than the interface's (docs/events.md).
test.each<[Record<string, unknown>, string]>([
  [{ events: ['precipitation.started'] }, 'events needs payload "event", "slack", "discord", or "teams".'],
  [{ payload: 'monitor', conditions: {} }, 'conditions needs payload "event", "slack", "discord", or "teams".'],
  [
    { payload: 'event', conditions: { min_precipitation_rate: 0.05 } },
    'conditions.min_precipitation_rate must be a number from 0.1 to 50 (mm/h).',
  ],
  ...[14, 15.5, 361].map((dry_minutes): [Record<string, unknown>, string] => [
    { payload: 'event', conditions: { dry_minutes } },
    'conditions.dry_minutes must be a whole number from 15 to 360.',
  ]),
  [
    { payload: 'event', conditions: { lead_minutes: 30 } },
    'conditions.lead_minutes has no effect without "precipitation.expected" in events.',
  ],
  [
    { payload: 'event', events: ['precipitation.started', 'precipitation.started'] },
    'events must not name "precipitation.started" more than once.',
  ],
  [
    { payload: 'event', conditions: { min_mm: 1 } },
    'Unknown field: conditions.min_mm. conditions has min_precipitation_rate, precipitation_types, lead_minutes, dry_minutes.',
  ],
  [{ payload: 'sms' }, 'payload must be "monitor", "event", "slack", "discord", or "teams".'],
  [
    { payload: 'event', events: [] },
    'events must be a list of "precipitation.expected", "precipitation.started", and "precipitation.ended".',
  ],
])('members like %j are refused', (members, words) => {
  const accept = () => optionsAfter(null, parseMonitorBody({ ...body, ...members }).options);
  expect(errorOf(accept)).toBe(`400 invalid_request: ${words}`);
});

describe('a callback URL', () => {
  const noCredentials = { credentials: undefined };
  // RFC 3986 section 3.2.1 for the user, RFC 7617 section 2 for what Basic cannot carry.
  test.each([
    ['https://example.com/a?b', { callback_uri: 'https://example.com/a?b', ...noCredentials }],
    ['https://example.com/a@b', { callback_uri: 'https://example.com/a@b', ...noCredentials }],
    ['https://example.com?a@b', { callback_uri: 'https://example.com?a@b', ...noCredentials }],
    ['https://@example.com/', { callback_uri: 'https://example.com/', credentials: '' }],
    ['https://:@example.com/', { callback_uri: 'https://example.com/', credentials: '' }],
    ['https://ann@example.com/', { callback_uri: 'https://example.com/', credentials: 'ann:' }],
    ['https://:secret@example.com/', { callback_uri: 'https://example.com/', credentials: ':secret' }],
    [
      'HTTPS://ann:a%20b%40%3A%C3%A9@Example.com:8443/x',
      { callback_uri: 'HTTPS://Example.com:8443/x', credentials: 'ann:a b@:é' },
    ],
    ['https://ann:a:b@example.com/', { callback_uri: 'https://example.com/', credentials: 'ann:a:b' }],
    ['https://ann:a@b@example.com/', { callback_uri: 'https://example.com/', credentials: 'ann:a@b' }],
  ])('%s is split', (given, expected) => {
    expect(readCallback(given)).toEqual(expected);
  });

  test.each([
    ['https://ann:pass@', 'must be a full URL like https://example.com/rain'],
    ['https://ann:pass@/path', 'must be a full URL like https://example.com/rain'],
    ['ftp://ann:pass@example.com/', 'must start with http:// or https://'],
    ['https://an%3An:pass@example.com/', 'must not have a colon in its username'],
    ['https://ann:%00@example.com/', 'must not have control characters in its username or password'],
    ['https://ann:%1F@example.com/', 'must not have control characters in its username or password'],
    ['https://%7F:x@example.com/', 'must not have control characters in its username or password'],
    ['https://ann:%FF@example.com/', 'must not have an invalid percent-encoding in its username or password'],
    ['https://%E0%A4%A:x@example.com/', 'must not have an invalid percent-encoding in its username or password'],
    [
      'https://ann:pass@example.com/#x',
      'must not have a fragment (the part starting with #), because it is never sent',
    ],
  ])('%s is refused', (given, words) => {
    expect(readCallback(given)).toBe(words);
  });
});
