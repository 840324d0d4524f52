// The keys that webhook secrets are encrypted with: a wrong one is refused at the start, and a new one takes over step by
// step (docs/delivery.md S7). A secret that no key opens is never replaced, unless the operator says so.
import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { StartError } from '#service/errors/start-error.ts';
import type { SecretSeal } from '#service/secrets/secret-seal.ts';
import { newWebhookSecret } from './standard-webhooks.ts';

/** A known text, encrypted like the secrets, by which a start learns whether it has the right key. */
const canaryName = 'secret-canary';
const canaryText = 'rainbell';
const pageSize = 500;

/** How many webhook secrets (the previous ones included) are stored, and how many of them no key opens. */
export type SecretsCount = { stored: number; changed: number; unreadable: number };

/** Throws a StartError if the keys are not those that the stored secrets were encrypted with. */
export async function requireRightKey(db: Kysely<Tables>, seal: SecretSeal): Promise<void> {
  if (!(await opensCanary(db, seal))) throw wrongKey(seal);
  if (seal.source === 'none') return;
  await db
    .insertInto('signing_keys')
    .values({ name: canaryName, value: seal.seal(canaryText) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  // Another process with another key may have been first.
  if (!(await opensCanary(db, seal))) throw wrongKey(seal);
}

/** A database from before there was a canary is judged by its secrets: one that opens is enough. */
async function opensCanary(db: Kysely<Tables>, seal: SecretSeal): Promise<boolean> {
  const canary = await db.selectFrom('signing_keys').select('value').where('name', '=', canaryName).executeTakeFirst();
  if (canary) return seal.open(canary.value) === canaryText;
  const rows = await db.selectFrom('webhook_secrets').select('secret').limit(pageSize).execute();
  return rows.length === 0 || rows.some(({ secret }) => seal.open(secret) !== undefined);
}

function wrongKey({ source }: SecretSeal): StartError {
  const lost =
    'If it is lost, "npm run operator -- keys replace-unreadable --yes" makes new webhook secrets, which receivers must then be given.';
  if (source === 'file') {
    return new StartError(
      'start',
      `The key file webhook.key is not the one that the webhook secrets in the database were encrypted with. Restore it from a backup. ${lost}`,
    );
  }
  const problem =
    source === 'none'
      ? 'The webhook secrets in the database are encrypted, but RAINBELL_SECRET_KEY is not set. Set it'
      : 'RAINBELL_SECRET_KEY is not the key that the webhook secrets in the database were encrypted with. Set that key, or both with a comma between them, the new one first';
  return new StartError('settings', `${problem}. ${lost}`);
}

/** Encrypts everything with the first key. Secrets that no key opens stay as they are. */
export async function reencryptSecrets(db: Kysely<Tables>, seal: SecretSeal): Promise<SecretsCount> {
  const count = await eachSecret(db, seal, (opened) => (opened === undefined ? undefined : seal.seal(opened)));
  await writeCanary(db, seal);
  return count;
}

/** Gives new secrets to the applications whose secret no key opens; their receivers must be told. */
export async function replaceUnreadableSecrets(db: Kysely<Tables>, seal: SecretSeal): Promise<SecretsCount> {
  const count = await eachSecret(db, seal, (opened, column) => {
    if (opened !== undefined) return undefined;
    return column === 'secret' ? seal.seal(newWebhookSecret(randomBytes)) : null;
  });
  await writeCanary(db, seal);
  return count;
}

/** Counts without a change. */
export function countSecrets(db: Kysely<Tables>, seal: SecretSeal): Promise<SecretsCount> {
  return eachSecret(db, seal, () => undefined);
}

async function writeCanary(db: Kysely<Tables>, seal: SecretSeal): Promise<void> {
  if (seal.source === 'none') {
    await db.deleteFrom('signing_keys').where('name', '=', canaryName).execute();
    return;
  }
  const value = seal.seal(canaryText);
  await db
    .insertInto('signing_keys')
    .values({ name: canaryName, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** `change`: what to store instead, from the opened secret; undefined leaves it. It is not asked about a current one. */
async function eachSecret(
  db: Kysely<Tables>,
  seal: SecretSeal,
  change: (opened: string | undefined, column: 'secret' | 'previous_secret') => string | null | undefined,
): Promise<SecretsCount> {
  const count: SecretsCount = { stored: 0, changed: 0, unreadable: 0 };
  for (let after = ''; ;) {
    const rows = await db
      .selectFrom('webhook_secrets')
      .select(['application_id', 'secret', 'previous_secret'])
      .where('application_id', '>', after)
      .orderBy('application_id')
      .limit(pageSize)
      .execute();
    for (const row of rows) {
      for (const column of ['secret', 'previous_secret'] as const) {
        const stored = row[column];
        if (stored === null) continue;
        count.stored += 1;
        if (seal.isCurrent(stored)) continue;
        const opened = seal.open(stored);
        if (opened === undefined) count.unreadable += 1;
        const next = change(opened, column);
        if (next === undefined) continue;
        // A secret that was renewed meanwhile is current already.
        const { numUpdatedRows } = await db
          .updateTable('webhook_secrets')
          .set({ [column]: next })
          .where('application_id', '=', row.application_id)
          .where(column, '=', stored)
          .executeTakeFirst();
        count.changed += Number(numUpdatedRows);
      }
    }
    const last = rows.at(-1);
    if (!last) return count;
    after = last.application_id;
  }
}
