// Signatures of Standard Webhooks 1.0 (standardwebhooks.com): HMAC-SHA256 over `id.timestamp.body`, one `v1,` entry per secret, so
// that a receiver accepts both during a rotation, and `v1a,` entries if the service has its own key.
import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import type { WebhookKeySet } from '@rainbell/contract/service-api';
import type { Kysely, Selectable } from 'kysely';
import type { Clock } from '@rainbell/shared';
import { createCache } from '../../cache/create-cache.ts';
import { rememberedMs } from '../../accounts/revocation.ts';
import { StoreRefusal } from '../../accounts/store-refusal.ts';
import type { Tables } from '../../database/tables.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { openSeal, type SecretSeal } from '../../secrets/secret-seal.ts';
import type { WaitingEvent } from './tables.ts';

const prefix = 'whsec_';
const secretBytes = 24;

/** `whsec_` and 24 random bytes in base64 (docs/delivery.md S7). */
export function newWebhookSecret(): string {
  return prefix + randomBytes(secretBytes).toString('base64');
}

export type WebhookHeaders = {
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
};

/** `timestampSeconds`: of this attempt. `body`: exactly what is sent. */
export function signWebhook(
  id: string,
  timestampSeconds: number,
  body: string,
  secrets: readonly string[],
  asymmetric?: Pick<AsymmetricSigner, 'sign'>,
): WebhookHeaders {
  const signed = `${id}.${timestampSeconds}.${body}`;
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', keyBytes(secret)).update(signed).digest('base64')}`,
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': [...signatures, ...(asymmetric?.sign(signed) ?? [])].join(' '),
  };
}

function keyBytes(secret: string): Buffer {
  return Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret, 'base64');
}

// The second signature of callbacks: Ed25519 (`v1a` of Standard Webhooks) with a key of the service, so that anyone can verify a
// callback with the published public key, without any secret.

export type AsymmetricSigner = ReturnType<typeof createAsymmetricSigner>;

/** The prefix of an Ed25519 key's 32 bytes in PKCS #8 (RFC 8410). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** `signingKeys`: from the settings, each `whsk_` and 32 bytes in base64. */
export function createAsymmetricSigner(signingKeys: readonly string[]) {
  const keys = signingKeys.map((text) => {
    const seed = Buffer.from(text.slice('whsk_'.length), 'base64');
    return createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: 'der', type: 'pkcs8' });
  });
  return {
    sign: (signed: string): string[] =>
      keys.map((key) => `v1a,${sign(null, Buffer.from(signed), key).toString('base64')}`),
    keySet: { keys: keys.map(describeKey) } satisfies WebhookKeySet,
  };
}

function describeKey(key: KeyObject): WebhookKeySet['keys'][number] {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  const thumbprint = createHash('sha256').update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }));
  return { kty: 'OKP', crv: 'Ed25519', x, use: 'sig', alg: 'EdDSA', kid: thumbprint.digest('base64url') };
}

// The secret that signs an application's callbacks (docs/delivery.md S7). One per application, created on first use; after a
// rotation the old one also signs for 24 hours.

/** How long the previous secret still signs after a rotation. */
const overlapMs = 24 * 3_600_000;
const rememberedLimit = 10_000;

function unreadable(what: string): ServiceError {
  const advice = 'The operator of the service can find the cause with "operator keys check".';
  return new ServiceError('server_error', `${what} cannot be decrypted with this process's keys. ${advice}`);
}

type Row = Selectable<Tables['webhook_secrets']>;

export type WebhookSecrets = ReturnType<typeof createWebhookSecrets>;

type Dependencies = { db: Kysely<Tables>; clock: Clock; /** Encrypts secrets in the database. */ seal?: SecretSeal };

export function createWebhookSecrets({ db, clock, seal = openSeal }: Dependencies) {
  /** Returns the stored form. Creates the first one; undefined if the application was deleted. */
  async function ensureStored(applicationId: string): Promise<Row | undefined> {
    const stored = await db
      .selectFrom('webhook_secrets')
      .selectAll()
      .where('application_id', '=', applicationId)
      .executeTakeFirst();
    if (stored) return stored;
    return (await create(applicationId)) ? ensureStored(applicationId) : undefined;
  }

  async function ensure(applicationId: string): Promise<Row | undefined> {
    const stored = await ensureStored(applicationId);
    if (!stored) return undefined;
    const secret = seal.open(stored.secret);
    // Never replaced: another process may have its key, and receivers have no other secret.
    if (secret === undefined) throw unreadable("This application's webhook secret");
    const previous = stored.previous_secret;
    return { ...stored, secret, previous_secret: previous === null ? null : (seal.open(previous) ?? null) };
  }

  /** Writes the first secret. Returns false if the application was deleted. */
  async function create(applicationId: string): Promise<boolean> {
    return db.transaction().execute(async (trx) => {
      // Locks the application's row: a deletion either sees the secret or has removed the row before.
      const application = await trx
        .updateTable('applications')
        .set((row) => ({ created_at: row.ref('created_at') }))
        .where('id', '=', applicationId)
        .executeTakeFirst();
      if (application.numUpdatedRows !== 1n) return false;
      const secret = seal.seal(newWebhookSecret());
      await trx
        .insertInto('webhook_secrets')
        .values({ application_id: applicationId, secret, created_at: clock.now(), previous_secret: null })
        .onConflict((conflict) => conflict.column('application_id').doNothing())
        .execute();
      return true;
    });
  }

  // Cached briefly, because reading the database for each callback would cost a tenth of sending it. Another process may rotate
  // meanwhile; one that deletes an application waits until this cache has expired (create-oauth.ts).
  const remembered = createCache<string, { row: Promise<Row | undefined>; until: number }>(rememberedLimit);
  function remember(applicationId: string): Promise<Row | undefined> {
    const known = remembered.get(applicationId);
    if (known && clock.elapsed() < known.until) return known.row;
    const row = ensure(applicationId);
    remembered.set(applicationId, { row, until: clock.elapsed() + rememberedMs });
    row.catch(() => remembered.delete(applicationId));
    return row;
  }

  return {
    /**
     * Returns all secrets that sign now, newest first. Creates the first one. Empty if the application was deleted. Throws a
     * ServiceError if no key of this process decrypts it.
     */
    async activeFor(applicationId: string): Promise<string[]> {
      const row = await remember(applicationId);
      if (!row) return [];
      // Absolute, so that a clock that was ahead during the rotation does not prolong it.
      const isOverlap = Math.abs(clock.now() - Number(row.created_at)) < overlapMs;
      return row.previous_secret !== null && isOverlap ? [row.secret, row.previous_secret] : [row.secret];
    },
    /** Creates a new secret and returns it, to be shown once; the old one signs for 24 more hours. Throws `unknown`. */
    async rotate(applicationId: string): Promise<string> {
      if (!(await ensureStored(applicationId))) throw new StoreRefusal('unknown');
      const secret = newWebhookSecret();
      await db
        .updateTable('webhook_secrets')
        .set(({ ref }) => ({ secret: seal.seal(secret), created_at: clock.now(), previous_secret: ref('secret') }))
        .where('application_id', '=', applicationId)
        .execute();
      remembered.delete(applicationId);
      return secret;
    },
  };
}

// Basic credentials of callbacks (RFC 7617). They are stored once, encrypted, with the monitor, so that a change takes effect at
// once; an event only records that there are some.

export type CallbackCredentials = ReturnType<typeof createCallbackCredentials>;

export function createCallbackCredentials({ db, seal = openSeal }: { db: Kysely<Tables>; seal?: SecretSeal }) {
  /**
   * Returns the `Authorization` for an event's callback; undefined if its monitor has none, or now uses another server. Throws a
   * ServiceError if no key of this process decrypts it.
   */
  return async (event: Pick<WaitingEvent, 'monitor_id' | 'callback_uri'>): Promise<string | undefined> => {
    const monitor = await db
      .selectFrom('monitors')
      .select(['callback_uri', 'callback_credentials'])
      .where('id', '=', event.monitor_id)
      .executeTakeFirst();
    if (!monitor || monitor.callback_credentials === null) return undefined;
    if (new URL(monitor.callback_uri).origin !== new URL(event.callback_uri).origin) return undefined;
    const credentials = seal.open(monitor.callback_credentials);
    if (credentials === undefined) throw unreadable('The password for this callback URL');
    return `Basic ${Buffer.from(credentials, 'utf8').toString('base64')}`;
  };
}

/** Removes a password that a receiver returned, as echo servers do, even if it is cut off. */
export function withoutCredentials(text: string, authorization: string): string {
  const encoded = authorization.slice('Basic '.length);
  const password = Buffer.from(encoded, 'base64')
    .toString('utf8')
    .replace(/^[^:]*:/, '');
  return [encoded, password, encodeURIComponent(password)].reduce(mask, text);
}

function mask(text: string, secret: string): string {
  if (secret === '') return text;
  const masked = text.replaceAll(secret, '••••');
  for (let length = Math.min(secret.length - 1, masked.length); length >= 4; length -= 1) {
    if (masked.endsWith(secret.slice(0, length))) return `${masked.slice(0, -length)}••••`;
  }
  return masked;
}
