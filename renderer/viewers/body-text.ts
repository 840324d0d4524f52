// A body's bytes as text, or as a hex dump. Bytes that are not UTF-8 are reported, never replaced in silence.
import { budget } from './budget.ts';

export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.fromBase64(base64);
}

export function base64Of(text: string): string {
  return new TextEncoder().encode(text).toBase64();
}

/** Of a text with one character for each byte. */
export function bytesOfLatin1(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
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

export function hexDump(bytes: Uint8Array): string {
  return hexLines(bytes).join('\n');
}

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

/** Names and values of a form body in their order, with duplicates; at most `budget.fields` of them, and how many there are. */
export function formFields(text: string): { fields: [string, string][]; count: number } {
  const fields: [string, string][] = [];
  let count = 0;
  let at = 0;
  while (at <= text.length) {
    const mark = text.indexOf('&', at);
    const end = mark < 0 ? text.length : mark;
    if (end > at) {
      // The leading & keeps a ? at the start of a name.
      if (count < budget.fields) fields.push(...new URLSearchParams(`&${text.slice(at, end)}`));
      count += 1;
    }
    at = end + 1;
  }
  return { fields, count };
}
