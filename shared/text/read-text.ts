// Text from a file or standard input, by any program: PowerShell writes UTF-16, spreadsheets the Windows code page, Notepad a BOM.
import { charsetOfBytes } from './charset.ts';

// A global in both Node and browsers.
declare const TextDecoder: { new (charset: string, options?: object): { decode(bytes: Uint8Array): string } };

/** `isAnsi`: it is neither UTF-8 nor UTF-16, and was read as Windows-1252, which may be wrong. */
export type ReadText = { text: string; isAnsi: boolean };

/** Returns the text without a byte order mark. */
export function readText(bytes: Uint8Array): ReadText {
  const known = charsetOfBytes(bytes, '');
  const charset = known === 'utf-8' ? (utf16ByZeros(bytes) ?? known) : known;
  try {
    return { text: new TextDecoder(charset, { fatal: charset === 'utf-8' }).decode(bytes), isAnsi: false };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), isAnsi: true };
  }
}

/** Follows the name of what was read. */
export const notUnicode = 'is neither UTF-8 nor UTF-16 text. Save it as UTF-8 and try again.';

/** UTF-16 without a byte order mark: its ASCII characters have a zero byte each, on the same side. */
function utf16ByZeros(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const units = Math.min(bytes.length, 4096) >> 1;
  const zeros: [number, number] = [0, 0];
  for (let at = 0; at < units * 2; at += 1) if (bytes[at] === 0) zeros[at % 2 === 0 ? 0 : 1] += 1;
  const [before, after] = zeros;
  if (after * 4 > units && after > before * 4) return 'utf-16le';
  return before * 4 > units && before > after * 4 ? 'utf-16be' : undefined;
}
