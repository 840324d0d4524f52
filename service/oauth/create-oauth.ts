// Access to the service (§5): puts the token check and the OAuth routes together. One per service; it holds no state but
// what it remembers of tokens.
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { CancelTimer, Clock } from '#contract/clock.ts';
import { type AccountStore, createAccountStore } from '../accounts/account-store.ts';
import { type ApplicationStore, createApplicationStore } from '../accounts/application-store.ts';
import { createPasswords, type Passwords } from '../accounts/passwords.ts';
import { planOf, readPlans, type Plan, type PlanConfig } from '../accounts/plans.ts';
import { createSessions, type Sessions } from '../accounts/sessions.ts';
import { type AttemptGuard, createAttemptGuard } from '../accounts/throttle.ts';
import { createUsageMeter, type UsageMeter } from '../accounts/usage-meter.ts';
import type { Tables } from '../database/tables.ts';
import type { RequireBearer } from '../http/access.ts';
import { createAccessCheck } from './access-check.ts';
import { forgetExpired } from './forget-expired.ts';
import { authorizationServerMetadata } from './metadata.ts';
import { createRequireBearer } from './require-bearer.ts';
import { clientCredentialsGrant, refreshGrant, type TokenGrants } from './token-grants.ts';
import { registerTokenRoutes } from './token-routes.ts';
import { createTokenStore, type KnownAccess, type Lifetimes, type TokenStore } from './token-store.ts';
import { authorizationCodeGrant, passwordGrant } from './user-grants.ts';

export type OAuth = {
  /** preHandler of every route that needs a token; sets `request.access`. */
  requireBearer: RequireBearer;
  /**
   * The access of a token that was checked before, without waiting, with the request counted against the plan; undefined:
   * nothing was counted, use `requireBearer`.
   */
  peek(token: string): KnownAccess | undefined;
  /** The token endpoint and the metadata. `baseUrl`: as clients reach the service. The dialog is among the website's pages. */
  registerRoutes(server: FastifyInstance, baseUrl: string): Promise<void>;
  /** For the website, which shares accounts, sessions and the counting of failed sign-ins with the dialog. */
  plans: readonly Plan[];
  usage: UsageMeter;
  /** The plan on which an application stands; monitors ask it for their limit (§8). */
  planFor(applicationId: string): Promise<Plan>;
  accounts: AccountStore;
  applications: ApplicationStore;
  tokens: TokenStore;
  sessions: Sessions;
  signInGuard: AttemptGuard;
  close(): Promise<void>;
};

const forgetEveryMs = 3_600_000;

type Needs = { config: Lifetimes & PlanConfig; clock: Clock; log: Logger; db: Kysely<Tables>; passwords?: Passwords };

export function createOAuth({ config, clock, log, db, passwords = createPasswords() }: Needs): OAuth {
  const accounts = createAccountStore({ db, clock, passwords });
  const tokens = createTokenStore({ db, clock, lifetimes: config, onRevoked: () => check.forget() });
  const revokeAll = (applicationId: string) => tokens.revoke({ applicationId });
  const applications = createApplicationStore({ db, clock, revokeAll });
  const check = createAccessCheck({ db, clock, tokens });
  const signInGuard = createAttemptGuard(clock, 'sign-ins');
  const clientGuard = createAttemptGuard(clock, 'client authentications');
  const grants: TokenGrants = {
    authorization_code: authorizationCodeGrant(tokens),
    password: passwordGrant(tokens, accounts, signInGuard),
    client_credentials: clientCredentialsGrant(tokens),
    refresh_token: refreshGrant(tokens),
  };
  const plans = readPlans(config);
  const usage = createUsageMeter({ db, clock, log });
  const sessions = createSessions({ db, clock });
  let cancelForgetting: CancelTimer = () => {};
  function forgetSometimes(): void {
    cancelForgetting = clock.after(forgetEveryMs, forgetSometimes);
    forgetExpired(db, clock).catch((error: unknown) => log.error({ err: error }, 'expired tokens were not deleted'));
  }
  return {
    plans,
    usage,
    accounts,
    applications,
    tokens,
    sessions,
    signInGuard,
    requireBearer: createRequireBearer({ check, usage, plans }),
    peek(token) {
      const access = check.peek(token);
      const isCounted = access && usage.isLoaded(access.applicationId);
      return isCounted && !usage.count(access.applicationId, planOf(plans, access.plan)) ? access : undefined;
    },
    async planFor(applicationId) {
      const row = await db
        .selectFrom('applications')
        .innerJoin('contracts', 'contracts.id', 'applications.contract_id')
        .select('contracts.plan')
        .where('applications.id', '=', applicationId)
        .executeTakeFirst();
      return planOf(plans, row?.plan ?? '');
    },
    async registerRoutes(server, baseUrl) {
      cancelForgetting = clock.after(forgetEveryMs, forgetSometimes);
      await registerTokenRoutes(server, { tokens, applications, grants, clientGuard });
      const metadata = authorizationServerMetadata(baseUrl);
      server.get('/.well-known/oauth-authorization-server', (_request, reply) =>
        reply.header('access-control-allow-origin', '*').send(metadata),
      );
    },
    async close() {
      cancelForgetting();
      await usage.close();
    },
  };
}
