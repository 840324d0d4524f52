// Access to the service (docs/interface.md §5): combines the token check and the OAuth routes. One per service; its only state is
// the token cache.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Clock } from '@rainbell/shared';
import { type Account, createAccountStore } from '../accounts/account-store.ts';
import { createApplicationStore } from '../accounts/application-store.ts';
import { createContractStore } from '../accounts/contract-store.ts';
import { deleteAccount } from '../accounts/delete-account.ts';
import { createPasswords, type Passwords } from '../accounts/passwords.ts';
import { inHousePlanId, type MonitorLimit, planOf, readPlans } from '../accounts/plans.ts';
import { type Revoked, waitUntilNoticed } from '../accounts/revocation.ts';
import { createSessions } from '../accounts/sessions.ts';
import { createSignIn } from '../accounts/sign-in.ts';
import type { Fleet } from '../limits/limiter.ts';
import { createAttemptGuard, createClientFailureCount } from '../limits/throttle.ts';
import { createUsageMeter, type RateLimitFields } from '../accounts/usage-meter.ts';
import type { Config } from '../config/config.ts';
import type { Db } from '../database/tables.ts';
import { withoutSlot } from '../http/request-slot.ts';
import { ServiceError } from '../errors/service-error.ts';
import { createAccessCheck } from './access-check.ts';
import { bearerToken, createRequireBearer } from './require-bearer.ts';
import { createTokenGrants } from './token-grants.ts';
import { registerTokenRoutes } from './token-routes.ts';
import { TokenStore } from './token-store.ts';

export type OAuth = ReturnType<typeof createOAuth>;

type Dependencies = {
  config: Config;
  clock: Clock;
  /** The machine's clock, for what must not follow a moved one. */
  machineClock: Clock;
  log: Logger;
  db: Db;
  passwords?: Passwords;
  fleet?: Fleet;
};

export function createOAuth(dependencies: Dependencies) {
  const { config, clock, machineClock, log, db, passwords = createPasswords(), fleet } = dependencies;
  const confirmsEmail = config.smtpUrl !== undefined;
  const accounts = createAccountStore({ db, clock, passwords, confirmsEmail, onRevoked });
  const tokens = new TokenStore({ db, clock, lifetimes: config, onRevoked });
  const revokeAll = (applicationId: string) => tokens.revoke({ applicationId });
  /** Resolves when no process on this database sends anything more for the deleted object. */
  const afterRemoval = () => withoutSlot(() => waitUntilNoticed(machineClock));
  const applications = createApplicationStore({ db, clock, revokeAll, onRemoved: afterRemoval });
  const check = createAccessCheck({ db, clock, machineClock, tokens });
  function onRevoked(revoked: Revoked): void {
    check.drop([revoked]);
  }
  const signIn = createSignIn({ accounts, passwords, guard: createAttemptGuard(fleet, clock, 'sign-ins') });
  const countClientFailure = createClientFailureCount(fleet);
  const grants = createTokenGrants(tokens, signIn);
  const plans = readPlans(config);
  const usage = createUsageMeter({ db, clock, log });
  const sessions = createSessions({ db, clock });
  return {
    plans,
    usage,
    accounts,
    applications,
    contracts: createContractStore({ db, clock }),
    tokens,
    sessions,
    signIn,
    /** preHandler of every route that needs a token; sets `request.access`. */
    requireBearer: createRequireBearer({ check, usage, plans }),
    /** Counts a request with a cached token, without waiting; undefined: nothing was counted, use `requireBearer`. */
    countKnown(token: string): RateLimitFields | undefined {
      const access = check.peek(token);
      if (!access) return undefined;
      const plan = planOf(plans, access.plan);
      if (!usage.isLoaded(access.applicationId)) return undefined;
      return usage.count(access.applicationId, plan) ? undefined : usage.fields(access.applicationId, plan);
    },
    /** Returns the account of a token that was valid earlier, not necessarily now; counts nothing. */
    accountOf: check.accountOf,
    /** Returns whether the token of a request accepted by `requireBearer` is still valid; counts nothing. */
    isStillValid: async ({ headers }: Pick<FastifyRequest, 'headers'>) =>
      (await check.find(bearerToken(headers.authorization))) !== undefined,
    /** By its plan (docs/interface.md §8), and its account's by the settings. Throws `access_denied` if it was deleted. */
    async monitorLimitOf(applicationId: string): Promise<MonitorLimit> {
      const row = await db
        .selectFrom('applications')
        .select(['plan', 'account_id as accountId'])
        .where('id', '=', applicationId)
        .executeTakeFirst();
      if (!row) throw new ServiceError('access_denied', 'This application was deleted.');
      const plan = planOf(plans, row.plan);
      const accountLimit = plan.id === inHousePlanId ? undefined : config.accountMonitors;
      return { limit: plan.monitors, plan: plan.name, account: { id: row.accountId, limit: accountLimit } };
    },
    /** Resolves once every process has noticed. Throws a StoreRefusal `unknown` or `sandbox`. */
    async removeAccount(accountId: string): Promise<Account> {
      const account = await deleteAccount(db, clock, accountId);
      await afterRemoval();
      return account;
    },
    applicationLimit: config.accountApplications,
    /** The token endpoint and the metadata. `baseUrl`: as clients reach the service. The dialog is among the website's pages. */
    registerRoutes: (server: FastifyInstance, baseUrl: string) =>
      registerTokenRoutes(server, { baseUrl, tokens, applications, grants, countClientFailure }),
    close: usage.close,
  };
}
