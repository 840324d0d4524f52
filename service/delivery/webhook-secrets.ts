// The secret with which an application's callbacks are signed (S7). One per application, made when it is first needed;
// after a rotation the old one signs beside it for 24 hours.
import { randomBytes } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import type { Clock } from '#contract/clock.ts';
import type { Tables } from '../database/tables.ts';
import { openSeal, type SecretSeal } from './secret-seal.ts';
import { newWebhookSecret } from './standard-webhooks.ts';
import type { DeliveryTables } from './tables.ts';

/** The secret before the last rotation signs for so long. */
export const overlapMs = 24 * 3_600_000;
const rememberedMs = 1_000;
const rememberedLimit = 10_000;

type Row = Selectable<DeliveryTables['webhook_secrets']>;

export type WebhookSecrets = {
  /** Every secret that signs now, the newest first. Makes the first one. */
  activeFor(applicationId: string): Promise<string[]>;
  /** Makes a new secret and returns it, to be shown once; the old one signs for 24 hours more. */
  rotate(applicationId: string): Promise<string>;
};

type Needs = { db: Kysely<Tables>; clock: Clock; /** How secrets lie in the database. */ seal?: SecretSeal };

export function createWebhookSecrets({ db, clock, seal = openSeal }: Needs): WebhookSecrets {
  async function ensure(applicationId: string): Promise<Row> {
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
    await replace(applicationId, stored?.secret);
    return ensure(applicationId);
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

  /** The first secret; or a new one where the stored one cannot be opened, because its key is lost. */
  async function replace(applicationId: string, lost: string | undefined): Promise<void> {
    const secret = seal.seal(newWebhookSecret(randomBytes));
    const values = { secret, created_at: clock.now(), previous_secret: null, previous_until: null };
    if (lost === undefined) {
      await db
        .insertInto('webhook_secrets')
        .values({ application_id: applicationId, ...values })
        .onConflict((conflict) => conflict.column('application_id').doNothing())
        .execute();
      return;
    }
    await db
      .updateTable('webhook_secrets')
      .set(values)
      .where('application_id', '=', applicationId)
      .where('secret', '=', lost)
      .execute();
  }

  // Asked for with every callback, so it is remembered for a moment; another process may rotate meanwhile.
  const remembered = new Map<string, { row: Promise<Row>; until: number }>();
  function remember(applicationId: string): Promise<Row> {
    const known = remembered.get(applicationId);
    if (known && performance.now() < known.until) return known.row;
    if (remembered.size >= rememberedLimit) remembered.clear();
    const row = ensure(applicationId);
    remembered.set(applicationId, { row, until: performance.now() + rememberedMs });
    row.catch(() => remembered.delete(applicationId));
    return row;
  }

  return {
    async activeFor(applicationId) {
      const row = await remember(applicationId);
      const overlaps = row.previous_secret !== null && clock.now() < (row.previous_until ?? 0);
      return overlaps && row.previous_secret !== null ? [row.secret, row.previous_secret] : [row.secret];
    },
    async rotate(applicationId) {
      await ensure(applicationId);
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
  };
}
