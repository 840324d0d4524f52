// `POST /token/` (docs/interface.md §4.2) and revocation (RFC 7009): both form content types; responses and errors as in RFC 6749
// §5, never cacheable.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { documentedFormType, type GrantType, grantTypes, standardFormType } from '@rainbell/contract/service-api';
import type { ApplicationStore, Client } from '../accounts/application-store.ts';
import type { CountGuard } from '../limits/throttle.ts';
import { ServiceError } from '../errors/service-error.ts';
import { authenticateClient } from './client-authentication.ts';
import { type Form, readForm, required } from './form-body.ts';
import type { TokenGrants } from './token-grants.ts';
import type { TokenStore } from './token-store.ts';
import { getToken, revokeToken as revokeTokenOperation } from './token-operations.ts';

const bodyLimitBytes = 64 * 1024;

type Dependencies = {
  tokens: TokenStore;
  applications: ApplicationStore;
  grants: TokenGrants;
  countClientFailure: CountGuard;
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
}

/** RFC 7009: a refresh token with its whole family, an access token only itself. Ignores unknown and foreign ones. */
async function revokeToken({ tokens }: Dependencies, application: Client, token: string): Promise<void> {
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
): Promise<Client> {
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
