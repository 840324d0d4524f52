// `POST /token/` (docs/interface.md §4.2) and revocation (RFC 7009): both form content types; responses and errors as in RFC 6749
// §5, never cacheable. And the metadata of the authorization server (RFC 8414).
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  documentedFormType,
  type GrantType,
  grantTypes,
  knownScopes,
  standardFormType,
} from '@rainbell/contract/service-api';
import { z } from 'zod';
import type { Application, ApplicationStore } from '../accounts/application-store.ts';
import type { CountGuard } from '../limits/throttle.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Operation } from '../http/operation.ts';
import { authenticateClient } from './client-authentication.ts';
import { type Form, readForm, required } from './form-body.ts';
import type { TokenGrants } from './token-grants.ts';
import type { TokenStore } from './token-store.ts';

const bodyLimitBytes = 64 * 1024;

type Dependencies = {
  baseUrl: string;
  tokens: TokenStore;
  applications: ApplicationStore;
  grants: TokenGrants;
  countClientFailure: CountGuard;
};

export const tokenAnswerSchema = z.object({
  access_token: z.string(),
  token_type: z.literal('bearer'),
  expires_in: z.int().describe('seconds'),
  refresh_token: z.string().optional(),
  scope: z.string().optional(),
});
export const tokenFormSchema = z.object({
  grant_type: z.enum(grantTypes),
  code: z.string().optional(),
  redirect_uri: z.string().optional(),
  client_id: z.string().optional(),
  username: z.string().optional(),
  password: z.string().optional(),
  refresh_token: z.string().optional(),
  scope: z.string().optional(),
  code_verifier: z.string().optional(),
});
const oneTokenSchema = z.object({ token: z.string(), token_type_hint: z.string().optional() });

export const getToken: Operation = {
  id: 'get-token',
  group: 'Access',
  title: 'Get an access token',
  description:
    'Exchanges credentials, a code, a password, or a refresh token for an access token. Confidential clients send ' +
    'Authorization: Basic with client_id:client_secret; public ones send client_id. The body is a form, as ' +
    'application/www-form-urlencoded or application/x-www-form-urlencoded.',
  body: {
    type: standardFormType,
    otherTypes: [documentedFormType],
    schema: tokenFormSchema,
    example: 'grant_type=client_credentials',
  },
  responses: [
    {
      status: 200,
      meaning: 'An access token, its lifetime in seconds, and a refresh token.',
      schema: tokenAnswerSchema,
    },
  ],
  access: 'client',
};

const revokeTokenOperation: Operation = {
  id: 'revoke-token',
  group: 'Access',
  title: 'Revoke a token',
  description:
    'Revokes an access token, or a refresh token and all access tokens from the same authorization (RFC 7009). Unknown tokens are ' +
    'not an error.',
  body: {
    type: standardFormType,
    otherTypes: [documentedFormType],
    schema: oneTokenSchema,
    example: 'token=ACCESS_TOKEN',
  },
  responses: [{ status: 200, meaning: 'The token is no longer valid.', schema: z.object({}) }],
  access: 'client',
};

const getMetadata: Operation = {
  id: 'get-metadata',
  group: 'Access',
  title: 'Get the server metadata',
  description: 'The URLs and capabilities of the OAuth endpoints (RFC 8414).',
  responses: [{ status: 200, meaning: 'The metadata.', schema: z.looseObject({ issuer: z.string() }) }],
  access: 'none',
};

export async function registerTokenRoutes(server: FastifyInstance, needs: Dependencies): Promise<void> {
  await server.register(async (scope) => {
    acceptForms(scope);
    scope.addHook('onSend', async (_request, reply) => {
      reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' });
    });
    scope.post<{ Body: Form | undefined }>(
      '/token/',
      { bodyLimit: bodyLimitBytes, config: { operation: getToken } },
      async (request, reply) => {
        const form = request.body ?? readForm('');
        const grantType = required(form, 'grant_type');
        const application = await guardedClient(needs, request, form);
        const response = await needs.grants[knownGrantType(grantType)]({ application, form, address: request.ip });
        // A string, so that the content type is exactly the interface's.
        return reply.header('content-type', 'application/json;charset=UTF-8').send(JSON.stringify(response));
      },
    );
    scope.post<{ Body: Form | undefined }>(
      '/token/revoke/',
      { config: { operation: revokeTokenOperation } },
      async (request, reply) => {
        const form = request.body ?? readForm('');
        await revokeToken(needs, await guardedClient(needs, request, form), required(form, 'token'));
        // Clients must ignore the body (RFC 7009 §2.2), but some insist on JSON.
        return reply.send({});
      },
    );
  });
  const metadata = authorizationServerMetadata(needs.baseUrl);
  server.get('/.well-known/oauth-authorization-server', { config: { operation: getMetadata } }, (_request, reply) =>
    reply.header('access-control-allow-origin', '*').send(metadata),
  );
}

/** RFC 7009: a refresh token with its whole family, an access token only itself. Ignores unknown and foreign ones. */
async function revokeToken({ tokens }: Dependencies, application: Application, token: string): Promise<void> {
  const access = await tokens.findAccessToken(token);
  if (access?.applicationId === application.id) return tokens.revokeAccessToken(token);
  const found = await tokens.findRefreshToken(token);
  if (found?.grant.application_id !== application.id || found.replaced_at !== null) return;
  const { grant_id: grantId, family, expires_at: expiresAt } = found;
  await tokens.revoke(family === undefined ? { grantId } : { grantId, family, expiresAt });
}

async function guardedClient(
  { applications, countClientFailure }: Dependencies,
  request: Pick<FastifyRequest, 'ip' | 'headers'>,
  form: Form,
): Promise<Application> {
  return authenticateClient(applications, request.headers.authorization, form, (clientId) =>
    countClientFailure(request.ip, clientId),
  );
}

/** Parses both form types, because form parsers don't support the documented one; rejects all others with an RFC 6749 error. */
function acceptForms(scope: FastifyInstance): void {
  // A type that is none at all does not even reach the parsers.
  scope.setErrorHandler((error) => {
    const isMediaType = error instanceof Error && 'code' in error && error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE';
    throw isMediaType ? notAForm() : error;
  });
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser([documentedFormType, standardFormType], { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, readForm(body as string));
    } catch (error) {
      done(error as ServiceError);
    }
  });
  scope.addContentTypeParser('*', (_request, _payload, done) => {
    done(notAForm());
  });
}

function notAForm(): ServiceError {
  return new ServiceError('invalid_request', `The body must be a form, sent with Content-Type: ${standardFormType}.`);
}

function knownGrantType(name: string): GrantType {
  const known = grantTypes.find((grantType) => grantType === name);
  if (known) return known;
  throw new ServiceError('unsupported_grant_type', `The grant_type must be one of ${grantTypes.join(', ')}.`);
}

function authorizationServerMetadata(baseUrl: string) {
  const methods = ['client_secret_basic', 'client_secret_post', 'none'];
  return {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/oauth/authorize/`,
    token_endpoint: `${baseUrl}/token/`,
    revocation_endpoint: `${baseUrl}/token/revoke/`,
    scopes_supported: [...knownScopes],
    response_types_supported: ['code', 'token'],
    response_modes_supported: ['query', 'fragment'],
    grant_types_supported: [...grantTypes, 'implicit'],
    token_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_methods_supported: methods,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${baseUrl}/documentation/`,
  };
}
