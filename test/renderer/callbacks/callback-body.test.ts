// The forms of a body, the typed request and the differences, without a browser.
import { describe, expect, it } from 'vitest';
import { formatOf } from '#renderer/features/callbacks/list/files-slice.ts';
import { headersOfText, headersText, sendProblems } from '#renderer/features/callbacks/send/send-form.ts';
import { partsOf } from '#renderer/viewers/body-parts.ts';
import { textOfSource, viewerTasks } from '#renderer/viewers/tasks.ts';
import { charsetOf, charsetOfBytes } from '#shared/text/charset.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const base64 = (body: string | Uint8Array) => Buffer.from(body).toString('base64');
const formsIn = (received: number[], charset: string) => {
  const source = { base64: base64(Uint8Array.from(received)), charset };
  const { forms, isText } = viewerTasks.body({ source, contentType: 'text/plain' });
  return { forms, isText };
};

describe('the forms of a body', () => {
  it.each([
    ['{"a":1}', 'application/json', ['json', 'text', 'hex']],
    ['{"a":', 'application/json', ['text', 'hex']],
    ['7', 'application/json', ['text', 'hex']],
    ['a=1&b=2', 'application/x-www-form-urlencoded;charset=utf-8', ['form', 'text', 'hex']],
    ['--x\r\n\r\nhello\r\n--x--', 'multipart/mixed; boundary=x', ['parts', 'text', 'hex']],
    ['--x\r\n\r\nhello', 'multipart/mixed; boundary=x', ['text', 'hex']],
    ['hello', 'multipart/mixed', ['text', 'hex']],
  ])('of %j as %s are %j', (text, type, forms) => {
    expect(viewerTasks.body({ source: { base64: base64(text) }, contentType: type }).forms).toEqual(forms);
  });

  it('of bytes that are not UTF-8 are only bytes', () => {
    expect(formsIn([0xff, 0xfe], 'utf-8')).toEqual({ forms: ['hex'], isText: false });
  });

  // From the charts of the charsets.
  it.each([
    ['iso-8859-1', 'café', [0x63, 0x61, 0x66, 0xe9]],
    ['windows-1252', '€ 5', [0x80, 0x20, 0x35]],
    ['utf-16le', 'é7', [0xe9, 0x00, 0x37, 0x00]],
    ['utf-16be', 'é7', [0x00, 0xe9, 0x00, 0x37]],
    ['shift_jis', '雨', [0x89, 0x4a]],
  ])('in the declared charset %s are text', (charset, text, received) => {
    const base64 = Buffer.from(received).toString('base64');
    expect(textOfSource({ base64, charset: charsetOf(`text/plain; charset="${charset.toUpperCase()}"`) })).toBe(text);
    expect(formsIn(received, charset)).toEqual({ forms: ['text', 'hex'], isText: true });
  });

  it.each([
    [[0xff, 0xfe, 0x37, 0x00], 'utf-16le'],
    [[0xfe, 0xff, 0x00, 0x37], 'utf-16be'],
    [[0xef, 0xbb, 0xbf, 0x37], 'utf-8'],
    [[0x7b, 0x00, 0x7d, 0x00], 'utf-16le'],
    [[0x00, 0x5b, 0x00, 0x5d], 'utf-16be'],
    [[0x7b, 0x7d], 'iso-8859-1'],
    [[0x7b], 'iso-8859-1'],
    [[], 'iso-8859-1'],
  ])('%j are text in %s, whatever is declared', (received, charset) => {
    expect(charsetOfBytes(Uint8Array.from(received), 'text/plain; charset=iso-8859-1')).toBe(charset);
  });

  it('in an unsupported charset are only bytes', () => {
    expect(formsIn([0x41], 'klingon')).toEqual({ forms: ['hex'], isText: false });
    expect(charsetOf('application/json')).toBe('utf-8');
  });

  it.each([
    [String.raw`filename="ü \"q\".bin"`, 'ü "q".bin'],
    [String.raw`filename="C:\up\a.txt"`, String.raw`C:\up\a.txt`],
    ['filename=plain.txt', 'plain.txt'],
    ['filename="a;b=c.txt"', 'a;b=c.txt'],
    // The example of RFC 8187 3.2.3, with a fallback for older readers.
    [`filename="EURO.txt"; filename*=UTF-8''%c2%a3%20and%20%e2%82%ac%20rates`, '£ and € rates'],
    ["filename*=iso-8859-1'en'%A3%20rates", '£ rates'],
    [`filename="safe.txt"; filename*=UTF-8''%zz`, 'safe.txt'],
  ])('have a part with %s', (parameter, fileName) => {
    const body = `--b\r\nContent-Disposition: form-data; name="a"; ${parameter}\r\n\r\nx\r\n--b--`;
    expect(partsOf(base64(body), 'multipart/form-data; boundary=b')?.parts[0]?.fileName).toBe(fileName);
  });

  it('keep each part to the byte, with its name and its headers', () => {
    const head = '--b\r\nContent-Disposition: form-data; name="photo"; filename="ü.bin"\r\nX: y\r\n\r\n';
    const body = new Uint8Array([...bytes(head), 0, 255, 13, 10, 7, ...bytes('\r\n--b--\r\n')]);
    const [part] = partsOf(base64(body), 'multipart/form-data; boundary="b"')?.parts ?? [];
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

  it('leaves out white space around the name and the value of a header', () => {
    expect(headersOfText('  Retry-After : 30\u00a0\n\n X-A:1\t')).toEqual([
      ['Retry-After', '30'],
      ['X-A', '1'],
    ]);
  });

  it.each([
    [{ url: 'ftp://x', headers: '' }, ['url']],
    [{ url: 'http://x', headers: 'a: b\nbad line' }, ['headers']],
    [{ url: 'https://x/y', headers: '\n a b: c' }, ['headers']],
    [{ url: 'http://127.0.0.1:1/', headers: 'a: b' }, []],
  ])('%j is stopped at %j', (typed, fields) => {
    expect(Object.keys(sendProblems(typed))).toEqual(fields);
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
