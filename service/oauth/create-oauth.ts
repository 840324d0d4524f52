// Access to the service (docs/interface.md §5): puts the token check and the OAuth routes together. One per service; it
// holds no state but what it remembers of tokens.
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { CancelTimer, Clock } from '#shared/time/clock.ts';
import { type Account, type AccountStore, createAccountStore } from '../accounts/account-store.ts';
import { type ApplicationStore, createApplicationStore } from '../accounts/application-store.ts';
import { deleteAccount } from '../accounts/delete-account.ts';
import { createPasswords, type Passwords } from '../accounts/passwords.ts';
import { inHousePlanId, planOf, readPlans, type Plan, type PlanConfig } from '../accounts/plans.ts';
import { waitUntilNoticed } from '../accounts/revocation.ts';
import { createSessions, type Sessions } from '../accounts/sessions.ts';
import { createSignIn, type SignIn } from '../accounts/sign-in.ts';
import { createAttemptGuard, createClientFailureCount } from '#service/limits/throttle.ts';
import { createUsageMeter, type UsageMeter } from '../accounts/usage-meter.ts';
import type { Tables } from '../database/tables.ts';
import { createHousekeeping } from '#service/database/housekeeping.ts';
import type { RequireBearer } from '../http/access.ts';
import { withoutSlot } from '../http/request-slot.ts';
import { ServiceError } from '#service/errors/service-error.ts';
import type { MonitorLimit } from '#service/accounts/plans.ts';
import { createAccessCheck } from './access-check.ts';
import { createExpiryCleanup } from './forget-expired.ts';
import { authorizationServerMetadata } from './metadata.ts';
import { pullExpiriesIn } from './pull-expiries-in.ts';
import { createRequireBearer } from './require-bearer.ts';
import { clientCredentialsGrant, refreshGrant, type TokenGrants } from './token-grants.ts';
import { registerTokenRoutes } from './token-routes.ts';
import { createTokenStore, type KnownAccess, type Lifetimes, type TokenStore } from './token-store.ts';
import { authorizationCodeGrant, passwordGrant } from './user-grants.ts';
import { getMetadata } from './token-operations.ts';

export type OAuth = {
  /** preHandler of every route that needs a token; sets `request.access`. */
  requireBearer: RequireBearer;
  /**
   * The access of a token that was checked before, without waiting, with the request counted against the plan; undefined:
   * nothing was counted, use `requireBearer`.
   */
  peek(token: string): KnownAccess | undefined;
  /** Whether the token was found valid before; says nothing about now, and counts nothing. */
  remembers(token: string): boolean;
  /** The token endpoint and the metadata. `baseUrl`: as clients reach the service. The dialog is among the website's pages. */
  registerRoutes(server: FastifyInstance, baseUrl: string): Promise<void>;
  /** Whether authorization responses name the issuer (`iss`, RFC 9207) and the metadata say so. */
  sendsIssuer: boolean;
  /** For the website, which shares accounts, sessions and sign-in with the dialog. */
  plans: readonly Plan[];
  usage: UsageMeter;
  /**
   * How many monitors an application may have by its plan (docs/interface.md §8), and its account by the settings or
   * the operator. Throws `access_denied` if the application was deleted.
   */
  monitorLimitOf(applicationId: string): Promise<MonitorLimit>;
  /** Ends an account with all that belongs to it; resolves once every process has noticed. Throws a StoreRefusal `unknown` or `sandbox`. */
  removeAccount(accountId: string): Promise<Account>;
  /** Calls back whenever this process has deleted an application or an account. */
  onRemoval(listener: () => void): void;
  /** How many applications an account may have. */
  applicationLimitOf(account: Account): number;
  accounts: AccountStore;
  applications: ApplicationStore;
  tokens: TokenStore;
  sessions: Sessions;
  signIn: SignIn;
  close(): Promise<void>;
};

/** With `smtpUrl`, email addresses are confirmed by links that are sent there. */
type OAuthConfig = Lifetimes &
  PlanConfig & { accountApplications: number; accountMonitors: number } & {
    issuerParameter: 'on' | 'off';
    smtpUrl?: string | undefined;
  };
type Dependencies = {
  config: OAuthConfig;
  clock: Clock;
  /** The machine's own clock, for what must not follow a moved one. */
  machineClock: Clock;
  log: Logger;
  db: Kysely<Tables>;
  passwords?: Passwords;
};

export function createOAuth(dependencies: Dependencies): OAuth {
  const { config, clock, machineClock, log, db, passwords = createPasswords() } = dependencies;
  const accounts = createAccountStore({
    db,
    clock,
    passwords,
    confirmsEmail: config.smtpUrl !== undefined,
    onRevoked: () => check.forget(),
  });
  const tokens = createTokenStore({ db, clock, lifetimes: config, onRevoked: () => check.forget() });
  const revokeAll = (applicationId: string) => tokens.revoke({ applicationId });
  const applications = createApplicationStore({ db, clock, revokeAll, onRemoved: afterRemoval });
  const check = createAccessCheck({ db, clock, machineClock, tokens });
  const removalListeners = new Set<() => void>();
  /** Whoever deletes learns of it when no process on this database sends anything more for what was deleted. */
  async function afterRemoval(): Promise<void> {
    check.forget();
    for (const listener of removalListeners) listener();
    await withoutSlot(() => waitUntilNoticed(machineClock));
  }
  const signIn = createSignIn({ accounts, passwords, guard: createAttemptGuard(clock, 'sign-ins') });
  const countClientFailure = createClientFailureCount(clock);
  const grants: TokenGrants = {
    authorization_code: authorizationCodeGrant(tokens),
    password: passwordGrant(tokens, signIn),
    client_credentials: clientCredentialsGrant(tokens),
    refresh_token: refreshGrant(tokens),
  };
  const sendsIssuer = config.issuerParameter === 'on';
  const plans = readPlans(config);
  const usage = createUsageMeter({ db, clock, log });
  const sessions = createSessions({ db, clock });
  const forgetting = createHousekeeping({
    clock,
    work: createExpiryCleanup(db, clock),
    onError: (error) => log.error({ err: error }, 'expired tokens were not deleted'),
  });
  let cancelOnJump: CancelTimer = () => {};
  let pulling = Promise.resolve();
  function pullIn(): void {
    pulling = pullExpiriesIn(db, clock, config)
      .catch((error: unknown) => log.error({ err: error }, 'expiry times could not be checked'))
      .finally(() => check.forget());
  }
  return {
    sendsIssuer,
    plans,
    usage,
    accounts,
    applications,
    tokens,
    sessions,
    signIn,
    requireBearer: createRequireBearer({ check, usage, plans }),
    peek(token) {
      const access = check.peek(token);
      const isCounted = access && usage.isLoaded(access.applicationId);
      return isCounted && !usage.count(access.applicationId, planOf(plans, access.plan)) ? access : undefined;
    },
    remembers: check.remembers,
    async monitorLimitOf(applicationId) {
      const row = await db
        .selectFrom('applications')
        .innerJoin('contracts', 'contracts.id', 'applications.contract_id')
        .innerJoin('accounts', 'accounts.id', 'applications.account_id')
        .select(['contracts.plan', 'accounts.id as accountId', 'accounts.monitor_limit as accountLimit'])
        .where('applications.id', '=', applicationId)
        .executeTakeFirst();
      if (!row) throw new ServiceError('access_denied', 'This application was deleted.');
      const plan = planOf(plans, row.plan);
      const accountLimit = plan.id === inHousePlanId ? undefined : (row.accountLimit ?? config.accountMonitors);
      return { limit: plan.monitors, plan: plan.name, account: { id: row.accountId, limit: accountLimit } };
    },
    async removeAccount(accountId) {
      const account = await deleteAccount(db, accountId);
      await afterRemoval();
      return account;
    },
    onRemoval: (listener) => void removalListeners.add(listener),
    applicationLimitOf: (account) => account.application_limit ?? config.accountApplications,
    async registerRoutes(server, baseUrl) {
      forgetting.start();
      cancelOnJump = clock.onJump(pullIn);
      pullIn();
      await registerTokenRoutes(server, { tokens, applications, grants, countClientFailure });
      const metadata = authorizationServerMetadata(baseUrl, sendsIssuer);
      server.get('/.well-known/oauth-authorization-server', { config: { operation: getMetadata } }, (_request, reply) =>
        reply.header('access-control-allow-origin', '*').send(metadata),
      );
    },
    async close() {
      cancelOnJump();
      await Promise.all([forgetting.close(), pulling]);
      await usage.close();
    },
  };
}
