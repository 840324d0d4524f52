// Calls the API as one of the visitor's applications, with a token that ends right after: forms of the website obey the same rules, and
// show the same sentences, as the API's clients.
import type { FastifyInstance } from 'fastify';
import type { Application } from '../../accounts/application-store.ts';
import { withoutSlot } from '../../http/request-slot.ts';
import type { TokenStore } from '../../oauth/token-store.ts';
import type { TrialRequest } from '../openapi/trial-request.ts';

export type ApiNeeds = { api: Pick<FastifyInstance, 'inject'>; tokens: TokenStore; baseUrl: string };

export type ApiAnswer = { statusCode: number; statusMessage: string; body: string };

/** `asUser`: with a token of the account's owner instead of the application's own. */
export async function callApi(
  { api, tokens, baseUrl }: ApiNeeds,
  application: Application,
  { method, path, body }: TrialRequest,
  { asUser = false } = {},
): Promise<ApiAnswer> {
  const scope = asUser ? ['post_metag'] : [];
  const grant = await tokens.createGrant({
    applicationId: application.id,
    accountId: asUser ? application.account_id : null,
    kind: asUser ? 'authorization_code' : 'client_credentials',
    scope,
  });
  try {
    const token = await tokens.issueAccessToken(grant, scope);
    // The request takes another slot.
    return await withoutSlot(() =>
      api.inject({
        method,
        url: path,
        headers: {
          host: new URL(baseUrl).host,
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { payload: body }),
      }),
    );
  } finally {
    await tokens.revoke({ grantId: grant.id });
  }
}
