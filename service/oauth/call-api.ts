// Calls the API as an application, with a token that ends right after: the website's forms and `operator setup` follow the same
// rules as the API's clients, and show the same sentences.
import type { Application } from '../accounts/application-store.ts';
import { ServiceError } from '../errors/service-error.ts';
import { withoutSlot } from '../http/request-slot.ts';
import type { TokenStore } from './token-store.ts';

export type ApiRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  body?: string | undefined;
};
export type ApiAnswer = { statusCode: number; statusMessage: string; body: string };
export type SendToApi = (request: ApiRequest, headers: Record<string, string>) => Promise<ApiAnswer>;
export type ApiNeeds = { tokens: TokenStore; send: SendToApi };

/** `asUser`: with a token of the account's owner instead of the application's own. */
export async function callApi(
  { tokens, send }: ApiNeeds,
  application: Pick<Application, 'id' | 'account_id'>,
  request: ApiRequest,
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
    const headers: Record<string, string> = { authorization: `Bearer ${await tokens.issueAccessToken(grant, scope)}` };
    if (request.body !== undefined) headers['content-type'] = 'application/json';
    // The request takes another slot.
    return await withoutSlot(() => send(request, headers));
  } finally {
    await tokens.revoke({ grantId: grant.id });
  }
}

export async function callJson<Json>(...call: Parameters<typeof callApi>): Promise<Json> {
  const { statusCode, body } = await callApi(...call);
  const json: unknown = body === '' ? undefined : JSON.parse(body);
  if (statusCode < 300) return json as Json;
  const { error, error_description } = json as { error: 'invalid_request'; error_description: string };
  throw new ServiceError(error, error_description, { status: statusCode });
}

export function monitorPath(id?: string): string {
  return id === undefined ? '/v2/monitors/' : `/v2/monitors/${encodeURIComponent(id)}/`;
}
