// Revokes a token with the service (RFC 7009), if it announces an endpoint (RFC 8414) or the user enters one. The interface has no
// revocation (docs/interface.md §5.8).
import { allowInsecureRequests, customFetch, revocationRequest } from 'oauth4webapi';
import { clientAuthentication } from '../tokens/client-authentication.ts';
import type { Connection } from '../connection/connection.ts';
import { fetchMetadata } from '../connection/server-metadata.ts';
import type { HttpResponse } from '../http/http-sender.ts';
import { responseLimits } from '../http/response-limits.ts';
import { isLoopbackHttp, toResponse } from '../tokens/token-endpoint.ts';
import { AppFailure } from '../errors/app-failure.ts';
import { statusFailure } from '../http/status-failure.ts';

type Revocation = {
  connection: Connection;
  endpoint: string;
  token: { value: string; kind: 'access_token' | 'refresh_token' };
  watch: (response: HttpResponse) => void;
};

/** Throws the AppFailure of the service's response. */
export async function revokeToken({ connection, endpoint, token, watch }: Revocation): Promise<void> {
  const { clientId, clientSecret, isPublic } = connection.profile;
  let failure: AppFailure | undefined;
  await revocationRequest(
    { issuer: connection.baseUrl, revocation_endpoint: endpoint },
    { client_id: clientId },
    clientAuthentication({ clientId, clientSecret: isPublic ? undefined : clientSecret }, 'encoded'),
    token.value,
    {
      additionalParameters: { token_type_hint: token.kind },
      [allowInsecureRequests]: isLoopbackHttp(endpoint),
      [customFetch]: async (url: string, init: { body: URLSearchParams; headers: Record<string, string> }) => {
        const response = await connection.http.send({
          method: 'POST',
          url,
          headers: Object.entries(init.headers),
          body: init.body.toString(),
          kind: 'token',
          limit: responseLimits.token,
        });
        watch(response);
        failure = statusFailure(response);
        return toResponse(response);
      },
    },
  );
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
