// Sends a form with the application's credentials (docs/interface.md §5.3): `Authorization: Basic`, or nothing but its ID for a public
// client. RFC 6749 §2.3.1 wants ID and secret form-encoded first, and many services read them raw; characters that need no encoding
// therefore go out as they are, and a service that refuses the encoded form is tried once with the raw one.
import type { HeaderList } from '@rainbell/contract/app-rpc';
import { isLoopback } from '@rainbell/shared';
import { AppFailure } from '../errors/app-failure.ts';
import type { HttpResponse, HttpSender } from '../http/http-sender.ts';
import { responseLimits } from '../http/response-limits.ts';

export type RequestForm = { contentType: string; basic: 'encoded' | 'raw' };

/** `clientSecret` undefined: a public client, which sends no Basic authentication. */
export type ClientCredentials = { clientId: string; clientSecret: string | undefined };

/** Throws AppFailure INVALID_INPUT for a URL to which no secret may be sent. */
export async function sendForm(
  http: Pick<HttpSender, 'send'>,
  url: string,
  fields: Readonly<Record<string, string>>,
  { clientId, clientSecret }: ClientCredentials,
  { contentType, basic }: RequestForm,
): Promise<HttpResponse> {
  requireHttpsOrLoopback(url);
  const headers: HeaderList = [
    ['accept', 'application/json'],
    ['content-type', contentType],
  ];
  const body = new URLSearchParams(fields);
  if (clientSecret === undefined) {
    body.set('client_id', clientId);
  } else {
    const pair = basic === 'raw' ? [clientId, clientSecret] : [encoded(clientId), encoded(clientSecret)];
    headers.push(['authorization', `Basic ${Buffer.from(pair.join(':')).toString('base64')}`]);
  }
  return http.send({
    method: 'POST',
    url,
    headers,
    body: body.toString(),
    kind: 'token',
    limit: responseLimits.token,
  });
}

/** Whether the two forms differ; a colon in the ID has no raw form. */
export function hasRawForm({ clientId, clientSecret }: ClientCredentials): boolean {
  if (clientSecret === undefined || clientId.includes(':')) return false;
  return encoded(clientId) !== clientId || encoded(clientSecret) !== clientSecret;
}

/** application/x-www-form-urlencoded, as URLs write it: `*-._` stay, a space becomes a plus. */
function encoded(text: string): string {
  return new URLSearchParams({ v: text }).toString().slice(2);
}

/** The client secret is in this request, so it is sent only encrypted or within this machine. */
function requireHttpsOrLoopback(url: string): void {
  const { protocol, hostname } = URL.parse(url) ?? {};
  if (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname ?? ''))) return;
  throw new AppFailure(
    'INVALID_INPUT',
    'The base URL must start with https:// (or http:// on this computer), because the client secret is sent to it.',
    { field: 'baseUrl' },
  );
}
