// The forms of a body, the typed request and the differences, without a browser.
import { describe, expect, it } from 'vitest';
import { formatOf } from '#renderer/features/callbacks/list/files-slice.ts';
import { headersOfText, headersText, sendProblems } from '#renderer/features/callbacks/send/send-form.ts';
import { formsOf, partsOf } from '#renderer/viewers/body-forms.ts';
import { differenceKinds, differencesOf } from '#renderer/viewers/differences.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('the forms of a body', () => {
  it.each([
    ['{"a":1}', 'application/json', ['text', 'tree', 'hex']],
    ['{"a":', 'application/json', ['text', 'hex']],
    ['7', 'application/json', ['text', 'hex']],
    ['a=1&b=2', 'application/x-www-form-urlencoded;charset=utf-8', ['form', 'text', 'hex']],
    ['--x\r\n\r\nhello\r\n--x--', 'multipart/mixed; boundary=x', ['parts', 'text', 'hex']],
    ['--x\r\n\r\nhello', 'multipart/mixed; boundary=x', ['text', 'hex']],
    ['hello', 'multipart/mixed', ['text', 'hex']],
  ])('of %j as %s are %j', (text, type, forms) => {
    expect(formsOf(bytes(text), type)).toEqual(forms);
  });

  it('of bytes that are no UTF-8 are bytes alone', () => {
    expect(formsOf(new Uint8Array([0xff, 0xfe]), 'application/json')).toEqual(['hex']);
  });

  it('keep each part to the byte, with its name and its headers', () => {
    const head = '--b\r\nContent-Disposition: form-data; name="photo"; filename="ü.bin"\r\nX: y\r\n\r\n';
    const body = new Uint8Array([...bytes(head), 0, 255, 13, 10, 7, ...bytes('\r\n--b--\r\n')]);
    const [part] = partsOf(body, 'multipart/form-data; boundary="b"')?.parts ?? [];
    expect(part).toMatchObject({ name: 'photo', fileName: 'ü.bin', bytes: new Uint8Array([0, 255, 13, 10, 7]) });
    expect(part?.headers).toContainEqual(['X', 'y']);
  });
});

describe('a typed request', () => {
  it('keeps headers in their order and with duplicates', () => {
    const headers: [string, string][] = [
      ['X-A', '1'],
      ['x-a', '2'],
      ['Empty', ''],
    ];
    expect(headersOfText(headersText(headers))).toEqual(headers);
  });

  it.each([
    [{ url: 'ftp://x', headers: '' }, ['url']],
    [{ url: 'http://x', headers: 'a: b\nbad line' }, ['headers']],
    [{ url: 'https://x/y', headers: '\n a b: c' }, ['headers']],
    [{ url: 'http://127.0.0.1:1/', headers: 'a: b' }, []],
  ])('%j is stopped at %j', (typed, fields) => {
    expect(Object.keys(sendProblems({ method: 'POST', ...typed }))).toEqual(fields);
  });
});

describe('the differences of two callbacks', () => {
  const callback = { method: 'POST', target: '/a', headers: [['X', '1']] as [string, string][], answeredStatus: 200 };
  const body = (text: string) => Buffer.from(text).toString('base64');

  it('are lines, and white space in JSON is none of them', () => {
    const older = { ...callback, bodyBase64: body('{"a":1,"b":2}') };
    const newer = { ...callback, headers: [['X', '2']] as [string, string][], bodyBase64: body('{ "a": 1, "b": 3 }') };
    const { kinds, textOf } = differencesOf(older, newer);
    const lines = Array.from(kinds, (kind, line) => ({ kind: differenceKinds[kind], text: textOf(line) }));
    expect(lines.filter(({ kind }) => kind !== 'same')).toEqual([
      { kind: 'gone', text: 'X: 1' },
      { kind: 'new', text: 'X: 2' },
      { kind: 'gone', text: '  "b": 2' },
      { kind: 'new', text: '  "b": 3' },
    ]);
    const spaced = differencesOf(older, { ...older, bodyBase64: body('{"a" : 1, "b":2}') });
    expect(spaced).toMatchObject({ differing: 0, isOnlyWhiteSpace: true });
  });
});

it.each([
  ['callbacks.json', 'json'],
  ['a.b.JSONL', 'ndjson'],
  ['x.har', 'har'],
  ['x.csv', undefined],
  ['noname', undefined],
])('the format of %s is %s', (name, format) => {
  expect(formatOf(name)).toBe(format);
});
