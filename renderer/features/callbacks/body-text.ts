// A callback's body in forms that people can read. Bytes that are no UTF-8 are told apart, never replaced in silence.

export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

/** The text, or undefined where the bytes are not UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const bytesPerLine = 16;

/** A hex dump: offset, bytes, and the printable letters. */
export function hexDump(bytes: Uint8Array, limit = 16_384): string {
  const lines: string[] = [];
  for (let offset = 0; offset < Math.min(bytes.length, limit); offset += bytesPerLine) {
    const part = [...bytes.subarray(offset, offset + bytesPerLine)];
    const hex = part.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const letters = part.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.')).join('');
    lines.push(`${offset.toString(16).padStart(8, '0')}  ${hex.padEnd(bytesPerLine * 3 - 1)}  ${letters}`);
  }
  if (bytes.length > limit) lines.push(`… ${bytes.length - limit} bytes more`);
  return lines.join('\n');
}
