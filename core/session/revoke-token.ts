// Revokes a token with the service (RFC 7009), if it announces an endpoint (RFC 8414) or the user enters one. The interface has no
// revocation (docs/interface.md §5.8).
import { standardFormType } from '@rainbell/contract/service-api';
import type { Connection } from '../connection/connection.ts';
import { fetchMetadata } from '../connection/server-metadata.ts';
import { AppFailure } from '../errors/app-failure.ts';
import type { HttpResponse } from '../http/http-sender.ts';
import { statusFailure } from '../http/status-failure.ts';
import { sendForm } from '../tokens/send-form.ts';

type Revocation = {
  connection: Connection;
  endpoint: string;
  token: { value: string; kind: 'access_token' | 'refresh_token' };
  watch: (response: HttpResponse) => void;
};

/** Throws the AppFailure of the service's response. */
export async function revokeToken({ connection, endpoint, token, watch }: Revocation): Promise<void> {
  const { clientId, clientSecret, isPublic } = connection.profile;
  const response = await sendForm(
    connection.http,
    endpoint,
    { token: token.value, token_type_hint: token.kind },
    { clientId, clientSecret: isPublic ? undefined : clientSecret },
    { contentType: standardFormType, basic: 'encoded' },
  );
  watch(response);
  const failure = statusFailure(response);
  if (failure) throw failure;
}

/**
 * Returns the revocation endpoint: `typed`, or what the service announces. The token and the client secret go there, so it must be on
 * the origin of one of the connection's URLs. Throws AppFailure INVALID_INPUT or UNAVAILABLE otherwise.
 */
export async function findRevocationEndpoint(connection: Connection, typed?: string): Promise<string> {
  const { baseUrl, authUrl } = connection.profile;
  const origins = [baseUrl, authUrl].flatMap((url) => URL.parse(url)?.origin ?? []);
  const found = typed ?? (await fetchMetadata(connection, new URL(baseUrl).origin))?.revocation_endpoint;
  if (found !== undefined && origins.includes(URL.parse(found)?.origin ?? '')) return found;
  if (typed !== undefined)
    throw new AppFailure('INVALID_INPUT', `The revocation URL must start with ${[...new Set(origins)].join(' or ')}.`);
  throw new AppFailure(
    'UNAVAILABLE',
    'This service advertises no revocation URL on its own hosts, so the token was not revoked. Choose Revoke… again and enter the URL, or delete the token here only.',
  );
}
