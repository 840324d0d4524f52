// The secret with which an application's callbacks are signed (docs/delivery.md S7). One per application, made when it
// is first needed; after a rotation the old one signs beside it for 24 hours.
import { randomBytes } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import type { Clock } from '#shared/time/clock.ts';
import { rememberedMs } from '../accounts/revocation.ts';
import { StoreRefusal } from '../accounts/store-refusal.ts';
import type { Tables } from '../database/tables.ts';
import { openSeal, type SecretSeal } from '#service/secrets/secret-seal.ts';
import { newWebhookSecret } from './standard-webhooks.ts';
import type { DeliveryTables } from './tables.ts';

/** The secret before the last rotation signs for so long. */
export const overlapMs = 24 * 3_600_000;
const rememberedLimit = 10_000;

type Row = Selectable<DeliveryTables['webhook_secrets']>;

export type WebhookSecrets = {
  /** Every secret that signs now, the newest first. Makes the first one. Empty if the application was deleted. */
  activeFor(applicationId: string): Promise<string[]>;
  /** Makes a new secret and returns it, to be shown once; the old one signs for 24 hours more. Throws `unknown` like a store. */
  rotate(applicationId: string): Promise<string>;
  /** Reads all secrets again, because an application or account was deleted: nothing more is signed for it. */
  forget(): void;
};

type Dependencies = { db: Kysely<Tables>; clock: Clock; /** How secrets lie in the database. */ seal?: SecretSeal };

export function createWebhookSecrets({ db, clock, seal = openSeal }: Dependencies): WebhookSecrets {
  async function ensure(applicationId: string): Promise<Row | undefined> {
    const stored = await db
      .selectFrom('webhook_secrets')
      .selectAll()
      .where('application_id', '=', applicationId)
      .executeTakeFirst();
    const secret = stored && seal.open(stored.secret);
    if (secret !== undefined) {
      if (!seal.isSealed(stored?.secret ?? '')) await sealStored(applicationId, stored?.secret ?? '', secret);
      const previous = stored?.previous_secret ?? null;
      return { ...stored, secret, previous_secret: previous === null ? null : (seal.open(previous) ?? null) } as Row;
    }
    return (await replace(applicationId, stored?.secret)) ? ensure(applicationId) : undefined;
  }

  /** It was written before there was a key. */
  async function sealStored(applicationId: string, stored: string, secret: string): Promise<void> {
    await db
      .updateTable('webhook_secrets')
      .set({ secret: seal.seal(secret) })
      .where('application_id', '=', applicationId)
      .where('secret', '=', stored)
      .execute();
  }

  /**
   * Writes the first secret, or a new one if the stored one cannot be opened because its key is lost. False if the
   * application was deleted.
   */
  async function replace(applicationId: string, lost: string | undefined): Promise<boolean> {
    const secret = seal.seal(newWebhookSecret(randomBytes));
    const values = { secret, created_at: clock.now(), previous_secret: null, previous_until: null };
    if (lost === undefined) {
      return db.transaction().execute(async (trx) => {
        // Locks the application's row: a deletion either sees the secret or has removed the row before.
        const application = await trx
          .updateTable('applications')
          .set((row) => ({ created_at: row.ref('created_at') }))
          .where('id', '=', applicationId)
          .executeTakeFirst();
        if (application.numUpdatedRows !== 1n) return false;
        await trx
          .insertInto('webhook_secrets')
          .values({ application_id: applicationId, ...values })
          .onConflict((conflict) => conflict.column('application_id').doNothing())
          .execute();
        return true;
      });
    }
    await db
      .updateTable('webhook_secrets')
      .set(values)
      .where('application_id', '=', applicationId)
      .where('secret', '=', lost)
      .execute();
    return true;
  }

  // Remembered for a moment, since reading the database with each callback would cost a tenth of sending it. Another process
  // may rotate meanwhile; one that deletes an application waits until it is forgotten here (create-oauth.ts).
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
      const overlaps = row.previous_secret !== null && clock.now() < (row.previous_until ?? 0);
      return overlaps && row.previous_secret !== null ? [row.secret, row.previous_secret] : [row.secret];
    },
    async rotate(applicationId) {
      if (!(await ensure(applicationId))) throw new StoreRefusal('unknown');
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
