// Each form of an entry as a whole. HAR: http://www.softwareishard.com/blog/har-12-spec/, CSV: RFC 4180.
import { describe, expect, test } from 'vitest';
import type { CallbackResponse } from '#contract/app-rpc/callback-outcome.ts';
import { refusalReasons } from '#contract/app-rpc/callback-outcome.ts';
import { csvHead, fromHarEntry, fromRecord, toCsvRow, toHarEntry, toRecord } from '#core/callbacks/callback-records.ts';
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
  const read = {
    receivedAt: Date.UTC(2026, 10, 21, 6),
    method: 'POST',
    target: '/x',
    httpVersion: '1.1',
    remoteAddress: '',
    answeredStatus: 0,
    truncated: false,
    rawHeaders: [],
    body: Buffer.alloc(0),
    isImported: true,
  };

  test.each([
    ['without optional fields', minimal, read],
    [
      'with all fields',
      {
        ...minimal,
        httpVersion: '1.0',
        remoteAddress: '192.0.2.7',
        answeredStatus: 599,
        truncated: true,
        headers: [
          ['A', '1'],
          ['a', '2'],
        ],
        trailers: [['X-End', 'a']],
        body: 'ü',
      },
      {
        ...read,
        httpVersion: '1.0',
        remoteAddress: '192.0.2.7',
        answeredStatus: 599,
        truncated: true,
        rawHeaders: ['A', '1', 'a', '2'],
        rawTrailers: ['X-End', 'a'],
        body: Buffer.from('ü', 'utf8'),
      },
    ],
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

  test.each(refusalReasons)('is read with the refusal %s', (reason) => {
    expect(fromRecord({ ...minimal, refusal: { reason } })).toMatchObject({ refusal: reason });
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
  ])('is read up to its limits (%#)', (allowed, refused) => {
    expect(fromRecord({ ...minimal, ...allowed })).toMatchObject({ isImported: true });
    expect(() => fromRecord({ ...minimal, ...refused })).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', details: { field: 'piece' } }),
    );
  });

  test.each([{ method: '' }, { target: '' }, { method: '', target: '' }])(
    'of a callback needs method and target: %o',
    (changes) => {
      expect(() => fromRecord({ ...minimal, ...changes })).toThrow(
        expect.objectContaining({ code: 'INVALID_INPUT', details: { field: 'piece' } }),
      );
    },
  );
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

  test('of a refused request has neither target nor response', () => {
    const outcome = { kind: 'refused' as const, at: null, afterMs: null, bytesSent: null };
    const callback = storedCallback({
      method: '',
      target: '',
      headers: [],
      body: Buffer.alloc(0),
      outcome,
      answeredStatus: 0,
      truncated: true,
    });
    expect(toHarEntry(callback, base)).toStrictEqual({
      startedDateTime: '2026-11-21T06:00:00.000Z',
      time: 0,
      request: {
        method: '',
        url: '',
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: [],
        queryString: [],
        headersSize: -1,
        bodySize: 0,
      },
      response: {
        ...answered,
        status: 0,
        headers: [],
        content: { size: 0, mimeType: 'x-unknown', text: '' },
        bodySize: 0,
      },
      cache: {},
      timings: { send: 0, wait: 0, receive: 0 },
      _outcome: outcome,
      _remoteAddress: '192.0.2.7',
      _truncated: true,
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
  const read = {
    receivedAt: Date.UTC(2026, 10, 21, 6),
    method: 'GET',
    target: '/a?b',
    httpVersion: '1.1',
    remoteAddress: '',
    answeredStatus: 0,
    truncated: false,
    rawHeaders: [],
    body: Buffer.alloc(0),
    isImported: true,
  };

  test.each([
    ['of another tool', minimal, read],
    [
      'with text as UTF-8',
      { ...minimal, request: { ...minimal.request, postData: { text: 'ü' } } },
      { ...read, body: Buffer.from('ü', 'utf8') },
    ],
    ['with an empty body', { ...minimal, request: { ...minimal.request, postData: {} } }, read],
    [
      'with all fields',
      {
        ...minimal,
        request: {
          ...minimal.request,
          httpVersion: 'http/1.0',
          headers: [
            { name: 'A', value: '1' },
            { name: 'b', value: '2' },
          ],
          postData: { text: '//4A', encoding: 'base64', comment: 'bytes' },
        },
        response: { status: 503 },
        _target: '/..%2f',
        _remoteAddress: '192.0.2.7',
        _truncated: true,
      },
      {
        ...read,
        target: '/..%2f',
        httpVersion: '1.0',
        remoteAddress: '192.0.2.7',
        answeredStatus: 503,
        truncated: true,
        rawHeaders: ['A', '1', 'b', '2'],
        body: bytes,
      },
    ],
    ['without a status', { ...minimal, response: {} }, read],
    [
      'with a long version',
      { ...minimal, request: { ...minimal.request, httpVersion: 'HTTP/12345678901' } },
      { ...read, httpVersion: '1234567890' },
    ],
  ])('is read %s', (_, entry, expected) => {
    expect(fromHarEntry(entry)).toStrictEqual(expected);
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
});
