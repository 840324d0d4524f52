// Texts of users, as the programs on their computers write them.
import { Readable } from 'node:stream';
import fc from 'fast-check';
import '#test/property-seed.ts';
import { describe, expect, test } from 'vitest';
import { readText } from '#shared/text/read-text.ts';
import { readFirstLine } from '#shared/node/first-line.ts';

const text = 'name,lat,lng\r\nZürich Höngg,47.4,8.5\r\n';
const swapped = (bytes: Buffer) => Buffer.from(bytes).swap16();

describe('a text', () => {
  test.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a byte order mark, as Notepad writes it', Buffer.from(`\uFEFF${text}`)],
    ['UTF-16 with a byte order mark, as Windows PowerShell writes it', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16 with the other byte order', swapped(Buffer.from(`\uFEFF${text}`, 'utf16le'))],
    ['UTF-16 without a byte order mark', Buffer.from(text, 'utf16le')],
    ['UTF-16 without a byte order mark, with the other byte order', swapped(Buffer.from(text, 'utf16le'))],
  ])('in %s is read', (_name, bytes) => {
    expect(readText(bytes)).toEqual({ text, isAnsi: false });
  });

  test('in Windows-1252 is read, and marked', () => {
    // € is 0x80 there, and not in ISO 8859-1.
    expect(readText(Buffer.concat([Buffer.from('Z\u00fcrich ', 'latin1'), Buffer.from([0x80])]))).toEqual({
      text: 'Zürich €',
      isAnsi: true,
    });
  });

  test('with zero bytes between letters is not taken for UTF-16', () => {
    expect(readText(Buffer.from('a\0bcdefgh\0ijkl\0m'))).toEqual({ text: 'a\0bcdefgh\0ijkl\0m', isAnsi: false });
  });

  test('of any characters is read back from UTF-8 and from UTF-16 with a byte order mark', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (any) => {
        fc.pre(!any.startsWith('\uFEFF'));
        expect(readText(Buffer.from(`\uFEFF${any}`)).text).toBe(any);
        expect(readText(Buffer.from(`\uFEFF${any}`, 'utf16le')).text).toBe(any);
        expect(readText(swapped(Buffer.from(`\uFEFF${any}`, 'utf16le'))).text).toBe(any);
      }),
    );
  });
});

describe('the first line of standard input', () => {
  const lineOf = (...chunks: Buffer[]) => readFirstLine(Readable.from(chunks));

  test('is read in each encoding, without its end', async () => {
    expect(await lineOf(Buffer.from('hush h'), Buffer.from('üsh\r\nmore\r\n'))).toEqual({
      text: 'hush hüsh',
      isAnsi: false,
    });
    expect(await lineOf(Buffer.from('\uFEFFhush\r\n', 'utf16le'))).toEqual({ text: 'hush', isAnsi: false });
    expect(await lineOf(Buffer.from('h\u00fcsh', 'latin1'))).toEqual({ text: 'hüsh', isAnsi: true });
    expect(await lineOf()).toBeUndefined();
  });

  test('is not waited for after the signal', async () => {
    const ending = new AbortController();
    const line = readFirstLine(new Readable({ read() {} }), ending.signal);
    ending.abort();
    await expect(line).rejects.toThrow('aborted');
  });
});
