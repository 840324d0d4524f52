// The charset of untrusted text: by its bytes, or its `Content-Type`.

/** Returns it in lower case, as for TextDecoder; utf-8 if none is declared. May be unsupported by every decoder. */
export function charsetOf(contentType: string): string {
  if (!/charset/i.test(contentType)) return 'utf-8';
  const [, quoted, plain] =
    /;\s*charset\s*=\s*(?:"([^"]{1,40})"|([^\s;,"]{1,40}))/i.exec(contentType.slice(0, 1000)) ?? [];
  return (quoted ?? plain ?? 'utf-8').trim().toLowerCase();
}

/** Returns that of a byte order mark, that of the zero bytes of JSON in UTF-16, or the declared one. Needs only the first bytes. */
export function charsetOfBytes(bytes: Uint8Array, contentType: string): string {
  const [first = 0, second = 0, third] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  // No other JSON has a zero byte there (RFC 4627 section 3).
  if (startsJson(first) && second === 0 && bytes.length > 1) return 'utf-16le';
  if (first === 0 && startsJson(second)) return 'utf-16be';
  return charsetOf(contentType);
}

/** Whether it is `{` or `[`. */
function startsJson(byte: number): boolean {
  return byte === 0x7b || byte === 0x5b;
}
