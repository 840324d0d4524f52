// The secret that signs an application's callbacks (docs/delivery.md S7). One per application, created on first use; after a
// rotation the old one also signs for 24 hours.
import { randomBytes } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import type { Clock } from '@rainbell/shared';
import { rememberedMs } from '../../accounts/revocation.ts';
import { StoreRefusal } from '../../accounts/store-refusal.ts';
import type { Tables } from '../../database/tables.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { openSeal, type SecretSeal } from '../../secrets/secret-seal.ts';
import { newWebhookSecret } from './standard-webhooks.ts';
import type { DeliveryTables } from '../schema/tables.ts';

/** How long the previous secret still signs after a rotation. */
export const overlapMs = 24 * 3_600_000;
const rememberedLimit = 10_000;

const unreadable =
  "This application's webhook secret cannot be decrypted with this process's keys. " +
  'The operator of the service can find the cause with "operator keys check".';

type Row = Selectable<DeliveryTables['webhook_secrets']>;

export type WebhookSecrets = {
  /**
   * Returns all secrets that sign now, newest first. Creates the first one. Empty if the application was deleted. Throws a
   * ServiceError if no key of this process decrypts it.
   */
  activeFor(applicationId: string): Promise<string[]>;
  /** Creates a new secret and returns it, to be shown once; the old one signs for 24 more hours. Throws `unknown`. */
  rotate(applicationId: string): Promise<string>;
  /** Clears the cache, because an application or account was deleted: nothing more is signed for it. */
  forget(): void;
};

type Dependencies = { db: Kysely<Tables>; clock: Clock; /** Encrypts secrets in the database. */ seal?: SecretSeal };

export function createWebhookSecrets({ db, clock, seal = openSeal }: Dependencies): WebhookSecrets {
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
    if (secret === undefined) throw new ServiceError('server_error', unreadable);
    // Only unencrypted ones: processes with their keys in another order would re-encrypt in turn.
    const isPlain = secret === stored.secret;
    if (isPlain && seal.source !== 'none') await sealStored(applicationId, stored.secret, secret);
    const previous = stored.previous_secret;
    return { ...stored, secret, previous_secret: previous === null ? null : (seal.open(previous) ?? null) };
  }

  /** Encrypts a secret that is older than the key. */
  async function sealStored(applicationId: string, stored: string, secret: string): Promise<void> {
    await db
      .updateTable('webhook_secrets')
      .set({ secret: seal.seal(secret) })
      .where('application_id', '=', applicationId)
      .where('secret', '=', stored)
      .execute();
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
      const secret = seal.seal(newWebhookSecret(randomBytes));
      await trx
        .insertInto('webhook_secrets')
        .values({
          application_id: applicationId,
          secret,
          created_at: clock.now(),
          previous_secret: null,
          previous_until: null,
        })
        .onConflict((conflict) => conflict.column('application_id').doNothing())
        .execute();
      return true;
    });
  }

  // Cached briefly, because reading the database for each callback would cost a tenth of sending it. Another process may rotate
  // meanwhile; one that deletes an application waits until this cache has expired (create-oauth.ts).
  const remembered = new Map<string, { row: Promise<Row | undefined>; until: number }>();
  function remember(applicationId: string): Promise<Row | undefined> {
    const known = remembered.get(applicationId);
    if (known && clock.elapsed() < known.until) return known.row;
    if (remembered.size >= rememberedLimit) remembered.clear();
    const row = ensure(applicationId);
    remembered.set(applicationId, { row, until: clock.elapsed() + rememberedMs });
    row.catch(() => remembered.delete(applicationId));
    return row;
  }

  return {
    async activeFor(applicationId) {
      const row = await remember(applicationId);
      if (!row) return [];
      return row.previous_secret !== null && clock.now() < (row.previous_until ?? 0)
        ? [row.secret, row.previous_secret]
        : [row.secret];
    },
    async rotate(applicationId) {
      if (!(await ensureStored(applicationId))) throw new StoreRefusal('unknown');
      const secret = newWebhookSecret(randomBytes);
      await db
        .updateTable('webhook_secrets')
        .set((columns) => ({
          secret: seal.seal(secret),
          created_at: clock.now(),
          previous_secret: columns.ref('secret'),
          previous_until: clock.now() + overlapMs,
        }))
        .where('application_id', '=', applicationId)
        .execute();
      remembered.delete(applicationId);
      return secret;
    },
    forget: () => remembered.clear(),
  };
}
