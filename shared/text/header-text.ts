// Values of headers as text. Node reads their bytes as Latin-1; most senders write UTF-8 (RFC 9110 section 5.5 leaves it open).

// A global in both Node and browsers.
declare const TextDecoder: { new (charset: string, options: object): { decode(bytes: Uint8Array): string } };

/** Returns a value whose bytes are UTF-8 as that text, and any other as it is. */
export function headerText(value: string): string {
  if (!/[\u0080-\u00ff]/.test(value) || /[\u0100-\uffff]/.test(value)) return value;
  try {
    const bytes = Uint8Array.from(value, (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return value;
  }
}

export function readableHeaders(headers: readonly (readonly [string, string])[]): [string, string][] {
  return headers.map(([name, value]) => [name, headerText(value)]);
}

/** Whether a header belongs to one connection (RFC 9110 §7.6.1), or follows from the URL and the body: each sender writes its own. */
export function isConnectionHeader(name: string): boolean {
  return /^(host|content-length|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|proxy-connection)$/i.test(
    name,
  );
}
