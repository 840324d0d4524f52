// The device authorization grant (RFC 8628): a device without a browser shows a code, which its user enters in a browser elsewhere.
// Both codes are stored as hashes. A grant is created when the user allows the request, so that revoking grants ends this one too,
// even before the device has fetched its token.
import { randomInt } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Account } from '#service/accounts/account-store.ts';
import { ServiceError } from '#service/errors/service-error.ts';
import type { Clock } from '#shared/time/clock.ts';
import type { Fleet } from '#service/limits/limiter.ts';
import { createCountGuard } from '#service/limits/throttle.ts';
import { hashOf, newSecret } from '#service/secrets/random-text.ts';
import type { Tables } from '../database/tables.ts';
import { required } from './form-body.ts';
import { liveGrants } from './live-grants.ts';
import { storedScope } from './scope.ts';
import { issueTokens, type TokenGrant } from './token-grants.ts';
import type { Grant, TokenStore } from './token-store.ts';

export const deviceAuthorizationPath = '/token/device/';
export const verificationPath = '/device/';
export const deviceRequestLifetimeMs = 15 * 60_000;

const firstIntervalSeconds = 5;
const maxIntervalSeconds = 60;
/** How much too early a poll may be: networks vary. */
const toleranceMs = 1_000;
/** No vowels, which could form words, and no letters that look alike (RFC 8628 section 6.1). */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';
const userCodeLength = 8;
const requestsPerApplication = 1_000;
const requestsPerAddress = { name: 'device', max: 60, windowSeconds: 600 };

/** RFC 8628 section 3.2, without the addresses of the page. */
type Codes = { device_code: string; user_code: string; expires_in: number; interval: number };
export type DeviceAuthorization = Codes & { verification_uri: string; verification_uri_complete: string };

/** A request that waits for its user. `userCode` as it is shown. */
export type WaitingDevice = {
  hash: string;
  userCode: string;
  applicationId: string;
  clientId: string;
  scope: readonly string[];
};

export type DeviceRequests = {
  /** Throws `rate_limited` if the address or the application has started too many. */
  begin(applicationId: string, scope: readonly string[], address: string): Promise<Codes>;
  /** Ignores case, spaces, and dashes. Returns undefined if it is unknown, answered, or expired. */
  find(typed: string): Promise<WaitingDevice | undefined>;
  /** `account` null denies it. Returns false if it was already answered or has expired. */
  answer(device: WaitingDevice, account: Account | null): Promise<boolean>;
  /** Returns the grant once, after the user allowed the request. Otherwise throws the errors of RFC 8628 section 3.5. */
  redeem<T>(deviceCode: string, applicationId: string, use: (own: TokenStore, grant: Grant) => Promise<T>): Promise<T>;
};

type Dependencies = { clock: Clock; fleet?: Fleet; db: Kysely<Tables>; tokens: TokenStore };

export function createDeviceRequests({ db, clock, fleet, tokens }: Dependencies): DeviceRequests {
  const countBegun = createCountGuard(fleet, requestsPerAddress, 'device sign-ins');

  async function refuseTooMany(applicationId: string): Promise<void> {
    const { count } = await db
      .selectFrom('device_requests')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('application_id', '=', applicationId)
      .where('expires_at', '>', clock.now())
      .executeTakeFirstOrThrow();
    if (Number(count) < requestsPerApplication) return;
    throw new ServiceError(
      'rate_limited',
      'Too many device sign-ins for this application are pending; try again later.',
      {
        headers: { 'retry-after': '60' },
      },
    );
  }

  return {
    async begin(applicationId, scope, address) {
      await countBegun(address);
      await refuseTooMany(applicationId);
      const [deviceCode, userCode] = [newSecret(), newUserCode()];
      await db
        .insertInto('device_requests')
        .values({
          hash: hashOf(deviceCode),
          user_code_hash: hashOf(userCode),
          application_id: applicationId,
          scope: scope.join(' '),
          expires_at: clock.now() + deviceRequestLifetimeMs,
          interval_seconds: firstIntervalSeconds,
          polled_at: null,
          grant_id: null,
          is_denied: 0,
        })
        .execute();
      return {
        device_code: deviceCode,
        user_code: shownCode(userCode),
        expires_in: deviceRequestLifetimeMs / 1000,
        interval: firstIntervalSeconds,
      };
    },

    async find(typed) {
      const userCode = typed.toUpperCase().replaceAll(/[^A-Z]/g, '');
      if (userCode.length !== userCodeLength) return undefined;
      const row = await db
        .selectFrom('device_requests')
        .innerJoin('applications', 'applications.id', 'device_requests.application_id')
        .select(['hash', 'application_id', 'client_id', 'scope'])
        .where('user_code_hash', '=', hashOf(userCode))
        .where('expires_at', '>', clock.now())
        .where('grant_id', 'is', null)
        .where('is_denied', '=', 0)
        .executeTakeFirst();
      if (!row) return undefined;
      const { hash, application_id: applicationId, client_id: clientId } = row;
      return { hash, userCode: shownCode(userCode), applicationId, clientId, scope: storedScope(row.scope) };
    },

    answer: ({ hash, applicationId, scope }, account) =>
      tokens.atOnce(async (own, trx) => {
        const waiting = () =>
          trx
            .updateTable('device_requests')
            .where('hash', '=', hash)
            .where('expires_at', '>', clock.now())
            .where('grant_id', 'is', null)
            .where('is_denied', '=', 0);
        // Also locks the row: of two concurrent responses, one counts.
        const { numUpdatedRows } = await waiting()
          .set({ is_denied: account === null ? 1 : 0 })
          .executeTakeFirst();
        if (numUpdatedRows !== 1n) return false;
        if (account === null) return true;
        const grant = await own.createGrant({ applicationId, accountId: account.id, kind: 'device_code', scope });
        await waiting().set({ grant_id: grant.id }).execute();
        return true;
      }),

    async redeem(deviceCode, applicationId, use) {
      const hash = hashOf(deviceCode);
      const row = await db.selectFrom('device_requests').selectAll().where('hash', '=', hash).executeTakeFirst();
      if (row?.application_id !== applicationId) throw badCode();
      const now = clock.now();
      if (row.expires_at <= now) {
        throw new ServiceError('expired_token', 'The device_code has expired; start the sign-in again.');
      }
      if (row.is_denied === 1) {
        throw new ServiceError('access_denied', 'The user denied access.', { status: 400 });
      }
      if (row.grant_id === null) throw await stillPending(row, now);
      const answer = await tokens.atOnce(async (own, trx) => {
        const used = await trx.deleteFrom('device_requests').where('hash', '=', hash).executeTakeFirst();
        if (used.numDeletedRows !== 1n) return undefined;
        const grant = await liveGrants(trx)
          .selectAll('grants')
          .where('grants.id', '=', row.grant_id)
          .executeTakeFirst();
        return grant && use(own, grant);
      });
      if (answer === undefined) throw badCode();
      return answer;
    },
  };

  async function stillPending(
    { hash, polled_at, interval_seconds }: { hash: string; polled_at: number | null; interval_seconds: number },
    now: number,
  ): Promise<ServiceError> {
    const sinceMs = polled_at === null ? Infinity : now - polled_at;
    // A poll in the future was made before the clock was set back.
    const isEarly = sinceMs >= 0 && sinceMs < interval_seconds * 1000 - toleranceMs;
    const next = isEarly ? Math.min(interval_seconds + 5, maxIntervalSeconds) : interval_seconds;
    await db
      .updateTable('device_requests')
      .set({ polled_at: now, interval_seconds: next })
      .where('hash', '=', hash)
      .execute();
    if (!isEarly) return new ServiceError('authorization_pending', 'The user has not decided yet; poll again later.');
    return new ServiceError('slow_down', `Wait at least ${next} s between requests.`);
  }
}

/** `grant_type=urn:ietf:params:oauth:grant-type:device_code`: once, after the user allowed it (RFC 8628 section 3.4). */
export function deviceGrant(requests: Pick<DeviceRequests, 'redeem'>): TokenGrant {
  return ({ application, form }) => requests.redeem(required(form, 'device_code'), application.id, issueTokens);
}

function badCode(): ServiceError {
  return new ServiceError(
    'invalid_grant',
    'The device_code is unknown, used, or revoked, or belongs to another application; start the sign-in again.',
  );
}

function newUserCode(): string {
  return Array.from({ length: userCodeLength }, () => letters[randomInt(letters.length)]).join('');
}

function shownCode(userCode: string): string {
  return `${userCode.slice(0, 4)}-${userCode.slice(4)}`;
}
