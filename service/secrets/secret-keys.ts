// Keys that encrypt webhook secrets and passwords of callbacks: a wrong one is rejected at the start, and a new one takes over
// gradually (docs/delivery.md S7). A secret that no key decrypts is replaced only on the operator's command.
import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { StartError } from '../errors/start-error.ts';
import type { SecretSeal } from './secret-seal.ts';
import { newWebhookSecret } from '../monitors/delivery/signing.ts';

/** A known text, encrypted like the secrets, to detect at the start whether the key is right. */
const canaryName = 'secret-canary';
const canaryText = 'rainbell';
/** Names in `signing_keys` with encrypted values, except the canary. */
const sealedKeys = ['sandbox'];
const pageSize = 500;

/** How many webhook secrets (including previous ones) and passwords of callbacks are stored, and how many no key decrypts. */
export type SecretsCount = { stored: number; changed: number; unreadable: number };

/** Throws a StartError if the keys did not encrypt the stored secrets. */
export async function requireRightKey(db: Kysely<Tables>, seal: SecretSeal): Promise<void> {
  const canary = await readCanary(db);
  if (!(await opens(db, seal, canary))) throw wrongKey(seal);
  if (canary !== undefined || seal.source === 'none') return;
  await db
    .insertInto('signing_keys')
    .values({ name: canaryName, value: seal.seal(canaryText) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  // Another process with another key may have been first.
  if (!(await opens(db, seal, await readCanary(db)))) throw wrongKey(seal);
}

/** Returns undefined if no process with a key has started on the database yet. */
async function readCanary(db: Kysely<Tables>): Promise<string | undefined> {
  const row = await db.selectFrom('signing_keys').select('value').where('name', '=', canaryName).executeTakeFirst();
  return row?.value;
}

/** A database older than the canary is checked by its secrets: decrypting one is enough. */
async function opens(db: Kysely<Tables>, seal: SecretSeal, canary: string | undefined): Promise<boolean> {
  if (canary !== undefined) return seal.open(canary) === canaryText;
  const rows = await db.selectFrom('webhook_secrets').select('secret').limit(pageSize).execute();
  return rows.length === 0 || rows.some(({ secret }) => seal.open(secret) !== undefined);
}

function wrongKey({ source }: SecretSeal): StartError {
  const lost =
    'If it is lost, "npm run operator -- keys replace-unreadable --yes" creates new webhook secrets. Then give them to the receivers.';
  if (source === 'file') {
    return new StartError(
      'start',
      `The key file webhook.key is not the one that the webhook secrets in the database were encrypted with. Restore it from a backup. ${lost}`,
    );
  }
  const problem =
    source === 'none'
      ? 'The webhook secrets in the database are encrypted, but RAINBELL_SECRET_KEY is not set. Set it'
      : 'RAINBELL_SECRET_KEY is not the key that the webhook secrets in the database were encrypted with. Set that key, or both keys separated by a comma, the new one first';
  return new StartError('settings', `${problem}. ${lost}`);
}

/** Encrypts everything with the first key. Secrets that no key decrypts stay unchanged. */
export async function reencryptSecrets(db: Kysely<Tables>, seal: SecretSeal): Promise<SecretsCount> {
  await reencryptKeys(db, seal);
  const count = await eachSecret(db, seal, (opened) => (opened === undefined ? undefined : seal.seal(opened)));
  await writeCanary(db, seal);
  return count;
}

/** What processes on one PostgreSQL share in `signing_keys` is encrypted the same way, such as the sandbox's key. */
async function reencryptKeys(db: Kysely<Tables>, seal: SecretSeal): Promise<void> {
  const rows = await db.selectFrom('signing_keys').selectAll().where('name', 'in', sealedKeys).execute();
  for (const { name, value } of rows) {
    const opened = seal.isCurrent(value) ? undefined : seal.open(value);
    if (opened === undefined) continue;
    await db
      .updateTable('signing_keys')
      .set({ value: seal.seal(opened) })
      .where('name', '=', name)
      .where('value', '=', value)
      .execute();
  }
}

/** Gives new secrets to applications whose secret no key decrypts; tell their receivers. Removes passwords. */
export async function replaceUnreadableSecrets(db: Kysely<Tables>, seal: SecretSeal): Promise<SecretsCount> {
  const count = await eachSecret(db, seal, (opened, column) => (opened === undefined ? column.renewed() : undefined));
  await writeCanary(db, seal);
  return count;
}

/** Counts without changes. */
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

/** A column of encrypted texts: its rows in pages by ID, and how to change one that was not modified meanwhile. */
type SealedColumn = {
  page(after: string): Promise<{ id: string; stored: string | null }[]>;
  replace(id: string, stored: string, next: string | null): Promise<bigint>;
  /** Returns the replacement of a text that no key decrypts. */
  renewed(): string | null;
};

function sealedColumns(db: Kysely<Tables>, seal: SecretSeal): SealedColumn[] {
  const webhookSecret = (column: 'secret' | 'previous_secret', renewed: SealedColumn['renewed']): SealedColumn => ({
    page: (after) =>
      db
        .selectFrom('webhook_secrets')
        .select(['application_id as id', `${column} as stored`])
        .where('application_id', '>', after)
        .orderBy('application_id')
        .limit(pageSize)
        .execute(),
    async replace(id, stored, next) {
      const update = db.updateTable('webhook_secrets').set({ [column]: next });
      const one = update.where('application_id', '=', id).where(column, '=', stored);
      return (await one.executeTakeFirst()).numUpdatedRows;
    },
    renewed,
  });
  return [
    webhookSecret('secret', () => seal.seal(newWebhookSecret(randomBytes))),
    webhookSecret('previous_secret', () => null),
    {
      page: (after) =>
        db
          .selectFrom('monitors')
          .select(['id', 'callback_credentials as stored'])
          .where('callback_credentials', 'is not', null)
          .where('id', '>', after)
          .orderBy('id')
          .limit(pageSize)
          .execute(),
      async replace(id, stored, next) {
        const update = db.updateTable('monitors').set({ callback_credentials: next });
        const one = update.where('id', '=', id).where('callback_credentials', '=', stored);
        return (await one.executeTakeFirst()).numUpdatedRows;
      },
      renewed: () => null,
    },
  ];
}

/** `change`: returns what to store instead of the decrypted secret; undefined keeps it. Not called for a current one. */
async function eachSecret(
  db: Kysely<Tables>,
  seal: SecretSeal,
  change: (opened: string | undefined, column: SealedColumn) => string | null | undefined,
): Promise<SecretsCount> {
  const count: SecretsCount = { stored: 0, changed: 0, unreadable: 0 };
  for (const column of sealedColumns(db, seal)) {
    let rows = await column.page('');
    while (rows.length > 0) {
      for (const { id, stored } of rows) {
        if (stored === null) continue;
        count.stored += 1;
        if (seal.isCurrent(stored)) continue;
        const opened = seal.open(stored);
        if (opened === undefined) count.unreadable += 1;
        const next = change(opened, column);
        // A secret that was renewed meanwhile is current already.
        if (next !== undefined) count.changed += Number(await column.replace(id, stored, next));
      }
      rows = await column.page(rows.at(-1)?.id ?? '');
    }
  }
  return count;
}
