// Access to the service (docs/interface.md §5): combines the token check and the OAuth routes. One per service; its only state is
// the token cache.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { CancelTimer, Clock } from '@rainbell/shared';
import { type Account, type AccountStore, createAccountStore } from '../accounts/account-store.ts';
import { type ApplicationStore, createApplicationStore } from '../accounts/application-store.ts';
import { deleteAccount } from '../accounts/delete-account.ts';
import { createPasswords, type Passwords } from '../accounts/passwords.ts';
import { inHousePlanId, planOf, readPlans, type Plan, type PlanConfig } from '../accounts/plans.ts';
import { forgetDeleted, type Revoked, waitUntilNoticed } from '../accounts/revocation.ts';
import { createSessions, type Sessions } from '../accounts/sessions.ts';
import { createSignIn, type SignIn } from '../accounts/sign-in.ts';
import type { Fleet } from '../limits/limiter.ts';
import { createAttemptGuard, createClientFailureCount } from '../limits/throttle.ts';
import type { RateLimitFields } from '../accounts/rate-limit-fields.ts';
import { createUsageMeter, type UsageMeter } from '../accounts/usage-meter.ts';
import type { Tables } from '../database/tables.ts';
import { doChore } from '../database/chores.ts';
import { createHousekeeping } from '../database/housekeeping.ts';
import type { RequireBearer } from '../http/access.ts';
import { withoutSlot } from '../http/request-slot.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { MonitorLimit } from '../accounts/plans.ts';
import { createAccessCheck } from './access-check.ts';
import { createExpiryCleanup } from './forget-expired.ts';
import { authorizationServerMetadata } from './metadata.ts';
import { pullExpiriesIn } from './pull-expiries-in.ts';
import { bearerToken, createRequireBearer } from './require-bearer.ts';
import { clientCredentialsGrant, refreshGrant, type TokenGrants } from './token-grants.ts';
import { registerTokenRoutes } from './token-routes.ts';
import { createTokenStore, type Lifetimes, type TokenStore } from './token-store.ts';
import { authorizationCodeGrant, passwordGrant } from './user-grants.ts';
import { getMetadata } from './token-operations.ts';

export type OAuth = {
  /** preHandler of every route that needs a token; sets `request.access`. */
  requireBearer: RequireBearer;
  /**
   * Counts a request with a cached token against its plan, without waiting, and returns the remaining limits as response fields;
   * undefined: nothing was counted, use `requireBearer`.
   */
  countKnown(token: string): RateLimitFields | undefined;
  /** The account of a token that was valid earlier, not necessarily now; counts nothing. */
  accountOf(token: string): string | undefined;
  /** Whether the token of a request accepted by `requireBearer` is still valid; counts nothing. */
  isStillValid(request: Pick<FastifyRequest, 'headers'>): Promise<boolean>;
  /** The token endpoint and the metadata. `baseUrl`: as clients reach the service. The dialog is among the website's pages. */
  registerRoutes(server: FastifyInstance, baseUrl: string): Promise<void>;
  /** For the website, which shares accounts, sessions, and sign-in with the authorization pages. */
  plans: readonly Plan[];
  usage: UsageMeter;
  /**
   * Returns an application's monitor limit by its plan (docs/interface.md §8), and its account's by the settings or the operator.
   * Throws `access_denied` if the application was deleted.
   */
  monitorLimitOf(applicationId: string): Promise<MonitorLimit>;
  /**
   * Deletes an account with all its data; resolves once every process has noticed. Throws a StoreRefusal `unknown` or `sandbox`.
   */
  removeAccount(accountId: string): Promise<Account>;
  /** Calls back whenever this process has deleted an application or an account. */
  onRemoval(listener: () => void): void;
  /** Returns how many applications an account may have. */
  applicationLimit: number;
  accounts: AccountStore;
  applications: ApplicationStore;
  tokens: TokenStore;
  sessions: Sessions;
  signIn: SignIn;
  close(): Promise<void>;
};

const pullAgainMs = 1_000;

/** With `smtpUrl`, email addresses are confirmed by mailed links. */
type OAuthConfig = Lifetimes &
  PlanConfig & { accountApplications: number; accountMonitors: number } & {
    smtpUrl?: string | undefined;
  };
type Dependencies = {
  config: OAuthConfig;
  clock: Clock;
  /** The machine's clock, for what must not follow a moved one. */
  machineClock: Clock;
  log: Logger;
  db: Kysely<Tables>;
  passwords?: Passwords;
  fleet?: Fleet;
};

export function createOAuth(dependencies: Dependencies): OAuth {
  const { config, clock, machineClock, log, db, passwords = createPasswords() } = dependencies;
  const { fleet } = dependencies;
  const accounts = createAccountStore({
    db,
    clock,
    passwords,
    confirmsEmail: config.smtpUrl !== undefined,
    onRevoked,
  });
  const tokens = createTokenStore({ db, clock, lifetimes: config, onRevoked });
  const revokeAll = (applicationId: string) => tokens.revoke({ applicationId });
  const applications = createApplicationStore({ db, clock, revokeAll, onRemoved: afterRemoval });
  const check = createAccessCheck({ db, clock, machineClock, tokens });
  function onRevoked(revoked: Revoked): void {
    check.drop([revoked]);
  }
  const removalListeners = new Set<() => void>();
  /** Resolves when no process on this database sends anything more for the deleted object. */
  async function afterRemoval(): Promise<void> {
    for (const listener of removalListeners) listener();
    await withoutSlot(() => waitUntilNoticed(machineClock));
    await forgetDeleted(db);
  }
  const signIn = createSignIn({ accounts, passwords, guard: createAttemptGuard(fleet, clock, 'sign-ins') });
  const countClientFailure = createClientFailureCount(fleet);
  const grants: TokenGrants = {
    authorization_code: authorizationCodeGrant(tokens),
    password: passwordGrant(tokens, signIn),
    client_credentials: clientCredentialsGrant(tokens),
    refresh_token: refreshGrant(tokens),
  };
  const plans = readPlans(config);
  const usage = createUsageMeter({ db, clock, log });
  const sessions = createSessions({ db, clock });
  const deleteExpired = createExpiryCleanup(db, clock);
  const forgetting = createHousekeeping({
    clock,
    work: () =>
      doChore({
        db,
        clock,
        name: 'delete expired tokens',
        work: async () => {
          await deleteExpired();
        },
      }),
    onError: (error) => log.error({ err: error }, 'expired tokens were not deleted'),
  });
  let cancelOnJump: CancelTimer = () => {};
  let cancelRetry: CancelTimer = () => {};
  let pulling = Promise.resolve();
  async function pullIn(isRetry = false): Promise<void> {
    cancelRetry();
    try {
      await pullExpiriesIn(db, clock, config);
      // Cached tokens have the old expiry. Not after a failure: while the database is unavailable, they are all there is.
      check.forget();
    } catch (error) {
      if (!isRetry) log.error({ err: error }, 'expiry times could not be checked; trying again until it succeeds');
      cancelRetry = machineClock.after(pullAgainMs, () => pullInLater(true));
    }
  }
  function pullInLater(isRetry = false): void {
    pulling = pulling.then(() => pullIn(isRetry));
  }
  return {
    plans,
    usage,
    accounts,
    applications,
    tokens,
    sessions,
    signIn,
    requireBearer: createRequireBearer({ check, usage, plans }),
    countKnown(token) {
      const access = check.peek(token);
      if (!access) return undefined;
      const plan = planOf(plans, access.plan);
      if (!usage.isLoaded(access.applicationId)) return undefined;
      return usage.count(access.applicationId, plan) ? undefined : usage.fields(access.applicationId, plan);
    },
    accountOf: check.accountOf,
    isStillValid: async ({ headers }) => (await check.find(bearerToken(headers.authorization))) !== undefined,
    async monitorLimitOf(applicationId) {
      const row = await db
        .selectFrom('applications')
        .innerJoin('contracts', 'contracts.id', 'applications.contract_id')
        .select(['contracts.plan', 'applications.account_id as accountId'])
        .where('applications.id', '=', applicationId)
        .executeTakeFirst();
      if (!row) throw new ServiceError('access_denied', 'This application was deleted.');
      const plan = planOf(plans, row.plan);
      const accountLimit = plan.id === inHousePlanId ? undefined : config.accountMonitors;
      return { limit: plan.monitors, plan: plan.name, account: { id: row.accountId, limit: accountLimit } };
    },
    async removeAccount(accountId) {
      const account = await deleteAccount(db, clock, accountId);
      await afterRemoval();
      return account;
    },
    onRemoval: (listener) => void removalListeners.add(listener),
    applicationLimit: config.accountApplications,
    async registerRoutes(server, baseUrl) {
      forgetting.start();
      cancelOnJump = clock.onJump(() => pullInLater());
      pullInLater();
      // Otherwise it could empty the cache after the first requests, when the database may already be unavailable.
      await pulling;
      const routes = { tokens, applications, grants, countClientFailure, clock };
      await registerTokenRoutes(server, routes);
      const metadata = authorizationServerMetadata(baseUrl);
      server.get('/.well-known/oauth-authorization-server', { config: { operation: getMetadata } }, (_request, reply) =>
        reply.header('access-control-allow-origin', '*').send(metadata),
      );
    },
    async close() {
      cancelOnJump();
      await Promise.all([forgetting.close(), pulling]);
      cancelRetry();
      await usage.close();
    },
  };
}
