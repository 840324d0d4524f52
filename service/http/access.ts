// The caller of a request, once a Bearer token has been checked (RFC 6750). `requireBearer` of service/oauth sets it.
import type { preHandlerAsyncHookHandler } from 'fastify';
import type { GrantKind } from '@rainbell/contract/service-api';

export type Access = {
  applicationId: string;
  /** Grant type of the token; it survives a refresh. Monitors need `client_credentials` (docs/interface.md §5.7). */
  kind: GrantKind;
  scope: readonly string[];
  accountId: string | null;
  ownerId: string;
};

export type RequireBearer = preHandlerAsyncHookHandler;

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended from outside
  interface FastifyRequest {
    /** Set only after `requireBearer`. */
    access: Access;
  }
}
