// A body's bytes as text, or as a hex dump. Bytes that are not UTF-8 are reported, never replaced in silence.
import { budget } from './budget.ts';

export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

export function base64Of(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** The text, or undefined if the bytes are not text of the charset, or no decoder knows it. */
export function textOf(bytes: Uint8Array, charset = 'utf-8'): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: charset === 'utf-8' }).decode(bytes);
  } catch {
    return undefined;
  }
}

const bytesPerLine = 16;

/** A hex dump of all bytes: offset, bytes, and the printable letters. */
export function hexDump(bytes: Uint8Array): string {
  return hexLines(bytes).join('\n');
}

/** The lines of a hex dump, at most `max` of them. */
export function hexLines(bytes: Uint8Array, max = Infinity): string[] {
  const lines: string[] = [];
  for (let offset = 0; offset < bytes.length && lines.length < max; offset += bytesPerLine) {
    const part = [...bytes.subarray(offset, offset + bytesPerLine)];
    const hex = part.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const letters = part.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.')).join('');
    lines.push(`${offset.toString(16).padStart(8, '0')}  ${hex.padEnd(bytesPerLine * 3 - 1)}  ${letters}`);
  }
  return lines;
}

/** Names and values of a form body in their order, with duplicates; at most `max` of them, and how many there are. */
export function formFields(
  text: string,
  max: number = budget.portionFields,
): { fields: [string, string][]; count: number } {
  const fields: [string, string][] = [];
  let count = 0;
  let at = 0;
  while (at <= text.length) {
    const mark = text.indexOf('&', at);
    const end = mark < 0 ? text.length : mark;
    if (end > at) {
      // The leading & keeps a ? at the start of a name.
      if (count < max) fields.push(...new URLSearchParams(`&${text.slice(at, end)}`));
      count += 1;
    }
    at = end + 1;
  }
  return { fields, count };
}
