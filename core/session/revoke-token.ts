// Tells the service to end a token (RFC 7009), where it announces how (RFC 8414). The interface shows no revocation (§5.8).
import { allowInsecureRequests, customFetch, revocationRequest } from 'oauth4webapi';
import { clientAuthentication } from '#core/tokens/client-authentication.ts';
import type { Connection } from '../connection/connection.ts';
import { fetchMetadata } from '../connection/server-metadata.ts';
import type { HttpExchange } from '#core/http/http-exchange.ts';
import { responseLimits } from '#core/http/response-limits.ts';
import { isLoopbackHttp, toResponse } from '#core/tokens/token-endpoint.ts';
import { AppFailure } from '#core/errors/app-failure.ts';
import { answerFailure } from '#core/http/answer-failure.ts';

/** False where the service does not offer it. Throws what the service answered. */
export async function revokeToken(
  connection: Connection,
  token: { value: string; kind: 'access_token' | 'refresh_token' },
  watch: (exchange: HttpExchange) => void,
): Promise<boolean> {
  const endpoint = await findEndpoint(connection);
  if (endpoint === undefined) return false;
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
        const exchange = await connection.http.send({
          method: 'POST',
          url,
          headers: Object.entries(init.headers),
          body: init.body.toString(),
          kind: 'token',
          limit: responseLimits.token,
        });
        watch(exchange);
        failure = answerFailure(exchange);
        return toResponse(exchange);
      },
    },
  );
  if (failure) throw failure;
  return true;
}

/** An endpoint of another origin is not used: the token and the secret would go there. */
async function findEndpoint(connection: Connection): Promise<string | undefined> {
  const { origin } = new URL(connection.baseUrl);
  const endpoint = (await fetchMetadata(connection, origin))?.revocation_endpoint;
  return endpoint !== undefined && URL.parse(endpoint)?.origin === origin ? endpoint : undefined;
}
