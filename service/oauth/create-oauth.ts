// Access to the service (§5): puts the token check and the OAuth routes together. One per service; it holds no state but
// what it remembers of tokens.
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '#contract/clock.ts';
import { createAccountStore } from '../accounts/account-store.ts';
import { createApplicationStore } from '../accounts/application-store.ts';
import { createPasswords, type Passwords } from '../accounts/passwords.ts';
import type { Tables } from '../database/tables.ts';
import type { RequireBearer } from '../http/access.ts';
import { createAccessCheck } from './access-check.ts';
import { createRequireBearer } from './require-bearer.ts';
import { clientCredentialsGrant, refreshGrant, type TokenGrants } from './token-grants.ts';
import { registerTokenRoutes } from './token-routes.ts';
import { createTokenStore, type KnownAccess, type Lifetimes } from './token-store.ts';
import { authorizationCodeGrant, passwordGrant } from './user-grants.ts';

export type OAuth = {
  /** preHandler of every route that needs a token; sets `request.access`. */
  requireBearer: RequireBearer;
  /** The access of a token that was checked before, without waiting; undefined: use `requireBearer`. */
  peek(token: string): KnownAccess | undefined;
  registerRoutes(server: FastifyInstance): Promise<void>;
  close(): Promise<void>;
};

type Needs = { config: Lifetimes; clock: Clock; log: Logger; db: Kysely<Tables>; passwords?: Passwords };

export function createOAuth({ config, clock, db, passwords = createPasswords() }: Needs): OAuth {
  const accounts = createAccountStore({ db, clock, passwords });
  const applications = createApplicationStore({ db });
  const tokens = createTokenStore({ db, clock, lifetimes: config, onRevoked: () => check.forget() });
  const check = createAccessCheck({ db, clock, tokens });
  const grants: TokenGrants = {
    authorization_code: authorizationCodeGrant(tokens),
    password: passwordGrant(tokens, accounts),
    client_credentials: clientCredentialsGrant(tokens),
    refresh_token: refreshGrant(tokens),
  };
  return {
    requireBearer: createRequireBearer(check),
    peek: (token) => check.peek(token),
    registerRoutes: (server) => registerTokenRoutes(server, { applications, grants }),
    close: async () => {},
  };
}
