// Keys that encrypt webhook secrets and passwords of callbacks: a wrong one is rejected at the start, and a new one takes over
// gradually (docs/delivery.md S7). A secret that no key decrypts is replaced only on the operator's command.
import { sql } from 'kysely';
import type { Db } from '../database/tables.ts';
import { StartError } from '../errors/start-error.ts';
import type { SecretSeal } from './secret-seal.ts';
import { ensureStoredKey, readStoredKey } from './stored-keys.ts';
import { newWebhookSecret } from '../monitors/delivery/signing.ts';

/** A known text, encrypted like the secrets, to detect at the start whether the key is right. */
const canaryName = 'secret-canary';
const canaryText = 'rainbell';
/** Names in `signing_keys` with encrypted values, except the canary. */
const sealedKeys = ['sandbox'];
const pageSize = 500;

/** How many webhook secrets (including previous ones) and passwords of callbacks are stored, and how many no key decrypts. */
export type SecretsCount = { stored: number; changed: number; unreadable: number };

export async function requireRightKey(db: Db, seal: SecretSeal): Promise<void> {
  // A process without a key leaves none.
  const canary =
    seal.source === 'none'
      ? await readStoredKey(db, canaryName)
      : await ensureStoredKey(db, canaryName, () => seal.seal(canaryText));
  if (canary !== undefined && seal.open(canary) !== canaryText) throw wrongKey(seal);
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
export async function reencryptSecrets(db: Db, seal: SecretSeal): Promise<SecretsCount> {
  await reencryptKeys(db, seal);
  const count = await eachSecret(db, seal, (opened) => (opened === undefined ? undefined : seal.seal(opened)));
  await writeCanary(db, seal);
  return count;
}

/** What processes on one PostgreSQL share in `signing_keys` is encrypted the same way, such as the sandbox's key. */
async function reencryptKeys(db: Db, seal: SecretSeal): Promise<void> {
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
export async function replaceUnreadableSecrets(db: Db, seal: SecretSeal): Promise<SecretsCount> {
  const count = await eachSecret(db, seal, (opened, column) => {
    if (opened !== undefined) return undefined;
    return column === 'secret' ? seal.seal(newWebhookSecret()) : null;
  });
  await writeCanary(db, seal);
  return count;
}

export function countSecrets(db: Db, seal: SecretSeal): Promise<SecretsCount> {
  return eachSecret(db, seal, () => undefined);
}

async function writeCanary(db: Db, seal: SecretSeal): Promise<void> {
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

/** Columns of encrypted texts, with the key of their rows. */
const sealedColumns = [
  ['webhook_secrets', 'application_id', 'secret'],
  ['webhook_secrets', 'application_id', 'previous_secret'],
  ['monitors', 'id', 'callback_credentials'],
] as const;

/** `change`: returns what to store instead of the decrypted secret; undefined keeps it. Not called for a current one. */
async function eachSecret(
  db: Db,
  seal: SecretSeal,
  change: (opened: string | undefined, column: (typeof sealedColumns)[number][2]) => string | null | undefined,
): Promise<SecretsCount> {
  const count: SecretsCount = { stored: 0, changed: 0, unreadable: 0 };
  for (const [table, keyName, columnName] of sealedColumns) {
    const [key, column] = [sql.ref(keyName), sql.ref(columnName)];
    const readAfter = async (id: string) => {
      const page = sql<{ id: string; stored: string }>`select ${key} as id, ${column} as stored from ${sql.table(table)}
        where ${column} is not null and ${key} > ${id} order by ${key} limit ${sql.lit(pageSize)}`;
      return (await page.execute(db)).rows;
    };
    let rows = await readAfter('');
    while (rows.length > 0) {
      for (const { id, stored } of rows) {
        count.stored += 1;
        if (seal.isCurrent(stored)) continue;
        const opened = seal.open(stored);
        if (opened === undefined) count.unreadable += 1;
        const next = change(opened, columnName);
        if (next === undefined) continue;
        // A secret that was renewed meanwhile is current already.
        const update = sql`update ${sql.table(table)} set ${column} = ${next} where ${key} = ${id} and ${column} = ${stored}`;
        count.changed += Number((await update.execute(db)).numAffectedRows);
      }
      rows = await readAfter(rows.at(-1)?.id ?? '');
    }
  }
  return count;
}
