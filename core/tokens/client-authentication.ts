// How the application says who it is (docs/interface.md §5.3): `Authorization: Basic`, or nothing but its id for a
// public client. RFC 6749 §2.3.1 wants id and secret form-encoded first, and many services read them raw; characters
// that need no encoding therefore go out as they are, and a service that refuses the encoded form is tried once with
// the raw one.
import type { ClientAuth } from 'oauth4webapi';
import { None } from 'oauth4webapi';

export type BasicForm = 'encoded' | 'raw';
type Credentials = { clientId: string; clientSecret: string | undefined };

export function clientAuthentication({ clientId, clientSecret }: Credentials, form: BasicForm): ClientAuth {
  if (clientSecret === undefined) return None();
  const pair = form === 'raw' ? `${clientId}:${clientSecret}` : `${encoded(clientId)}:${encoded(clientSecret)}`;
  const header = `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`;
  return (_server, _client, _body, headers) => headers.set('authorization', header);
}

/** Whether the two forms differ; a colon in the id has no raw form. */
export function hasRawForm({ clientId, clientSecret }: Credentials): boolean {
  if (clientSecret === undefined || clientId.includes(':')) return false;
  return encoded(clientId) !== clientId || encoded(clientSecret) !== clientSecret;
}

/** application/x-www-form-urlencoded, as URLs write it: `*-._` stay, a space becomes a plus. */
function encoded(text: string): string {
  return new URLSearchParams({ v: text }).toString().slice(2);
}
