// Each form of an entry as a whole. HAR: http://www.softwareishard.com/blog/har-12-spec/, CSV: RFC 4180.
import fc from 'fast-check';
import { anyCharacter } from '#test/property-seed.ts';
import { describe, expect, test } from 'vitest';
import { type CallbackResponse, refusalReasons } from '#contract/app-rpc/callback-outcome.ts';
import { csvHead, fromHarEntry, fromRecord, toCsvRow, toHarEntry, toRecord } from '#core/callbacks/callback-records.ts';
import type { StoredCallback } from '#core/receiver/records/stored-callback.ts';
import { storedCallback } from './stored-callback.ts';

const base = 'http://127.0.0.1:4545';
const response: CallbackResponse = {
  action: 'answer',
  status: 204,
  headers: [['Content-Type', 'text/plain']],
  body: 'ü',
  delayMs: 0,
  rule: 'a rule',
  step: 1,
};
const bytes = Buffer.from([0xff, 0xfe, 0x00]);
/** What is read of an entry that has nothing more. */
const imported = {
  receivedAt: Date.UTC(2026, 10, 21, 6),
  httpVersion: '1.1',
  remoteAddress: '',
  answeredStatus: 0,
  truncated: false,
  rawHeaders: [],
  body: Buffer.alloc(0),
  isImported: true,
};

describe('a JSON entry', () => {
  const facts = {
    id: 7,
    monitorId: 'precipitation_7',
    receivedAt: '2026-11-21T06:00:00.000Z',
    method: 'POST',
    target: '/hooks/a?x=1',
    httpVersion: '1.1',
    remoteAddress: '192.0.2.7',
    answeredStatus: 204,
    outcome: { kind: 'answered', at: '2026-11-21T06:00:00.012Z', afterMs: 12, bytesSent: 99 },
    answer: null,
    truncated: false,
    headers: [['Host', 'rain.example:4545']],
  };
  const refusal = { reason: 'timeout' as const, count: 2, lastAt: '2026-11-21T06:00:01.000Z' };

  test.each([
    ['text', {}, { ...facts, body: '{"id":"precipitation_7"}' }],
    ['bytes', { body: bytes }, { ...facts, bodyBase64: '//4A' }],
    [
      'all that can be missing',
      {
        body: Buffer.alloc(0),
        note: 'rain',
        trailers: [['X-End', 'a']] as [string, string][],
        refusal,
        answer: () => response,
        truncated: true,
      },
      { ...facts, answer: response, truncated: true, refusal, note: 'rain', trailers: [['X-End', 'a']], body: '' },
    ],
  ])('has %s', (_, changes, expected) => {
    expect(toRecord(storedCallback(changes))).toStrictEqual(expected);
  });

  const minimal = { receivedAt: '2026-11-21T06:00:00Z', method: 'POST', target: '/x' };
  const read = { ...imported, method: 'POST', target: '/x' };

  test.each([
    ['without optional fields', minimal, read],
    ['with bytes, which count before text', { ...minimal, bodyBase64: '//4A', body: 'x' }, { ...read, body: bytes }],
    ['of a body in base64 without text', { ...minimal, bodyBase64: '' }, read],
    [
      'of a refused request without method and target',
      { ...minimal, method: '', target: '', refusal: { reason: 'timeout', count: 3 } },
      { ...read, method: '', target: '', refusal: 'timeout' },
    ],
  ])('is read %s', (_, entry, expected) => {
    expect(fromRecord(entry)).toStrictEqual(expected);
  });

  test.each([
    [{ target: '/'.repeat(65_536) }, { target: '/'.repeat(65_537) }],
    [{ method: 'A'.repeat(40) }, { method: 'A'.repeat(41) }],
    [{ httpVersion: '1'.repeat(10) }, { httpVersion: '1'.repeat(11) }],
    [{ remoteAddress: '1'.repeat(100) }, { remoteAddress: '1'.repeat(101) }],
    [{ answeredStatus: 599 }, { answeredStatus: 600 }],
    [{ answeredStatus: 0 }, { answeredStatus: -1 }],
    [{ refusal: { reason: 'timeout' } }, { refusal: { reason: 'boredom' } }],
    [{ bodyBase64: 'aaaa' }, { bodyBase64: 'a' }],
    [{ receivedAt: '2026-11-21T06:00:00Z' }, { receivedAt: 'yesterday' }],
    [{ truncated: true }, { truncated: 1 }],
    [{ method: 'A' }, { method: '' }],
    [{ target: '/' }, { target: '' }],
  ])('is read up to its limits (%#)', (allowed, refused) => {
    expect(fromRecord({ ...minimal, ...allowed })).toMatchObject({ isImported: true });
    expect(() => fromRecord({ ...minimal, ...refused })).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', details: { field: 'piece' } }),
    );
  });
});

describe('a HAR entry', () => {
  const answered = {
    status: 204,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: [{ name: 'Content-Type', value: 'text/plain' }],
    content: { size: 2, mimeType: 'text/plain', text: 'ü' },
    redirectURL: '',
    headersSize: -1,
    bodySize: 2,
  };

  test('has the request, the response, and the time between', () => {
    const callback = storedCallback({
      headers: [
        ['Host', 'rain.example:4545'],
        ['Content-Type', 'application/json'],
      ],
      target: '/hooks/a?x=1&y=%20b',
      answer: () => response,
    });
    expect(toHarEntry(callback, base)).toStrictEqual({
      startedDateTime: '2026-11-21T06:00:00.000Z',
      time: 12,
      request: {
        method: 'POST',
        url: 'http://rain.example:4545/hooks/a?x=1&y=%20b',
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: [
          { name: 'Host', value: 'rain.example:4545' },
          { name: 'Content-Type', value: 'application/json' },
        ],
        queryString: [
          { name: 'x', value: '1' },
          { name: 'y', value: ' b' },
        ],
        postData: { mimeType: 'application/json', text: '{"id":"precipitation_7"}' },
        headersSize: -1,
        bodySize: 24,
      },
      response: answered,
      cache: {},
      timings: { send: 0, wait: 12, receive: 0 },
      _outcome: { kind: 'answered', at: '2026-11-21T06:00:00.012Z', afterMs: 12, bytesSent: 99 },
      _target: '/hooks/a?x=1&y=%20b',
      _remoteAddress: '192.0.2.7',
      _truncated: false,
    });
  });

  test('of bytes has them in base64, and says so', () => {
    expect(toHarEntry(storedCallback({ headers: [], body: bytes }), base)).toMatchObject({
      request: { postData: { mimeType: 'application/octet-stream', text: '//4A', encoding: 'base64' }, bodySize: 3 },
    });
  });

  test.each([
    ['/a', [], `${base}/a`],
    ['/a', [['HOST', 'rain.example']], 'http://rain.example/a'],
    ['*', [['Host', 'rain.example']], '*'],
    ['http://other.example/', [['Host', 'rain.example']], 'http://other.example/'],
  ] as [string, [string, string][], string][])('has for %s with the headers %j the URL %s', (target, headers, url) => {
    expect(toHarEntry(storedCallback({ target, headers }), base)).toMatchObject({ request: { url }, _target: target });
  });

  const minimal = { startedDateTime: '2026-11-21T06:00:00Z', request: { method: 'GET', url: 'https://e.example/a?b' } };
  const read = { ...imported, method: 'GET', target: '/a?b' };

  test.each([
    ['of another tool', minimal, read],
    [
      'with text as UTF-8',
      { ...minimal, request: { ...minimal.request, postData: { text: 'ü' } } },
      { ...read, body: Buffer.from('ü', 'utf8') },
    ],
    ['with neither body nor status', { ...minimal, request: { ...minimal.request, postData: {} }, response: {} }, read],
  ])('is read %s', (_, entry, expected) => {
    expect(fromHarEntry(entry)).toStrictEqual(expected);
  });

  test.each([
    ['http://example.org/..%2f/../x?<', '/..%2f/../x?<'],
    ['https://example.org?a=1#part', '/?a=1'],
    ['https://example.org', '/'],
    ['/as/it/is', '/as/it/is'],
  ])('of another tool with the URL %s has the target %s', (url, target) => {
    expect(fromHarEntry({ ...minimal, request: { method: 'GET', url } }).target).toBe(target);
  });

  test.each([
    { _remoteAddress: 'a'.repeat(101) },
    { _target: '' },
    { startedDateTime: 'today' },
    { response: { status: 600 } },
    { request: { ...minimal.request, url: '' } },
    { request: { ...minimal.request, postData: { encoding: 'base32' } } },
  ])('with an invalid value is refused (%#)', (changes) => {
    expect(fromHarEntry({ ...minimal, _remoteAddress: 'a'.repeat(100) })).toMatchObject({ method: 'GET' });
    expect(() => fromHarEntry({ ...minimal, ...changes })).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', details: { field: 'piece' } }),
    );
  });
});

describe('a CSV row', () => {
  test('has as many cells as the head', () => {
    expect(csvHead).toBe(
      'id,receivedAt,method,target,remoteAddress,answeredStatus,monitorId,sizeBytes,truncated,note,headers,bodyEncoding,body,outcome,refusal\r\n',
    );
    expect(toCsvRow(storedCallback({ headers: [], body: bytes, note: 'a, "b"' }))).toBe(
      '7,2026-11-21T06:00:00.000Z,POST,/hooks/a?x=1,192.0.2.7,204,precipitation_7,3,false,"a, ""b""",[],base64,//4A,answered,\r\n',
    );
    const refusal = { reason: 'timeout' as const, count: 2, lastAt: '2026-11-21T06:00:01.000Z' };
    expect(toCsvRow(storedCallback({ headers: [], body: Buffer.from('a\nb'), monitorId: null, refusal }))).toBe(
      '7,2026-11-21T06:00:00.000Z,POST,/hooks/a?x=1,192.0.2.7,204,,3,false,,[],utf-8,"a\nb",answered,timeout\r\n',
    );
  });

  test.each(['=1', '+a', '-1+1', '@a', '\ta', '\ra'])(
    'has an apostrophe before what starts like the formula %j',
    (note) => {
      expect(toCsvRow(storedCallback({ note }))).toContain(note.includes('\r') ? `,"'${note}",` : `,'${note},`);
    },
  );
});

describe('what was exported', () => {
  const byte = fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code));
  const utf8 = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => Buffer.from(text).toString('latin1'));
  const value = fc.oneof(fc.string({ maxLength: 12 }), fc.string({ unit: byte, maxLength: 12 }), utf8);
  const headers = fc.array(fc.tuple(fc.constantFrom('Host', 'X-A', 'x-a', 'X-Place'), value), { maxLength: 4 });
  const callback = fc.record({
    receivedAt: fc
      .date({ min: new Date(0), max: new Date('2100-01-01T00:00:00Z'), noInvalidDate: true })
      .map((date) => date.getTime()),
    method: fc.constantFrom('POST', 'GET', 'PROPFIND', 'm-search'),
    // Most of them are changed by a URL parser.
    target: fc.constantFrom(
      '/',
      '/..%2f/../x',
      '/a/./b//c?q=<>"`{}|^',
      '/%zz?a=%',
      '//x/../y',
      '/a?b#c',
      '*',
      'http://o.example/../y',
    ),
    httpVersion: fc.constantFrom('1.0', '1.1'),
    remoteAddress: fc.constantFrom('', '192.0.2.7', '2001:db8::1'),
    answeredStatus: fc.integer({ min: 0, max: 599 }),
    truncated: fc.boolean(),
    headers,
    trailers: headers,
    note: fc.string({ unit: anyCharacter, maxLength: 20 }),
    body: fc.oneof(
      fc.uint8Array({ maxLength: 20 }).map((bytes_) => Buffer.from(bytes_)),
      fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => Buffer.from(text)),
    ),
    refusal: fc.constantFrom(
      null,
      ...refusalReasons.map((reason) => ({ reason, count: 1, lastAt: '2026-11-21T06:00:01.000Z' })),
    ),
  });

  test.each([
    ['JSON', (one: StoredCallback) => fromRecord(JSON.parse(JSON.stringify(toRecord(one))))],
    ['HAR', (one: StoredCallback) => fromHarEntry(JSON.parse(JSON.stringify(toHarEntry(one, base))))],
  ])('as %s is read back with every field', (_name, convert) => {
    fc.assert(
      fc.property(callback, (fields) => {
        const stored = storedCallback(fields);
        const { rawTrailers = [], note = '', refusal = null, ...read } = convert(stored);
        const { headers: sent, trailers, refusal: refused, ...same } = fields;
        expect({ ...read, rawTrailers, note, refusal }).toEqual({
          ...same,
          rawHeaders: sent.flat(),
          rawTrailers: trailers.flat(),
          refusal: refused?.reason ?? null,
          isImported: true,
        });
      }),
    );
  });
});

describe('a HAR entry of another program', () => {
  const bodyOf = (postData: object, more: object = {}) =>
    fromHarEntry({
      startedDateTime: '2026-11-21T06:00:00Z',
      request: { method: 'POST', url: 'https://e.example/', postData, ...more },
    }).body.toString();
  const form = 'application/x-www-form-urlencoded';
  const length = (value: string) => ({ headers: [{ name: 'Content-Length', value }] });

  test.each([
    ['text beside fields', { mimeType: form, params: [{ name: 'b', value: '2' }], text: 'a=1' }, {}, 'a=1'],
    ['nothing', { mimeType: '' }, length('0'), ''],
  ])('has the body of %s', (_name, postData, more, expected) => {
    expect(bodyOf(postData, more)).toBe(expected);
  });

  test.each([
    ['fields alone', { mimeType: form, params: [{ name: 'a', value: '1' }] }, length('3'), 'does not have the body'],
    ['a missing body', { mimeType: form }, length('24'), 'does not have the body'],
    ['a missing body of a known size', { mimeType: form }, { bodySize: 24 }, 'does not have the body'],
  ])('with %s is named as a problem', (_name, postData, more, words) => {
    expect(() => bodyOf(postData, more)).toThrow(words);
  });
});
