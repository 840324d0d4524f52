// A token that is a JWT (RFC 7519), as text for a user. It is read on this machine and its signature is not verified.
import { jsonBounds, readJsonText } from '../http/read-json.ts';

/** Undefined for an opaque token. */
export function readJwt(token: string): { header: string; claims: string } | undefined {
  const parts = token.split('.');
  const [header, claims] = parts.map(readPart);
  return parts.length === 3 && header && claims ? { header, claims } : undefined;
}

function readPart(part: string): string | undefined {
  try {
    const reading = readJsonText(Buffer.from(part, 'base64url').toString('utf8'), jsonBounds(1));
    if (!reading.ok) return undefined;
    const { value } = reading;
    return typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : undefined;
  } catch {
    return undefined;
  }
}
