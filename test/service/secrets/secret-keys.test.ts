// The keys that encrypt webhook secrets and passwords of callbacks (docs/delivery.md S7): which start, and what a rotation changes.
import { describe, expect, it } from 'vitest';
import {
  countSecrets,
  reencryptSecrets,
  replaceUnreadableSecrets,
  requireRightKey,
} from '#service/secrets/secret-keys.ts';
import { createSecretSeal, openSeal } from '#service/secrets/secret-seal.ts';
import { openDeliveryRows } from '#test/service/monitors/delivery/delivery-rows.ts';

const [oldKey, newKey, otherKey] = [
  'the old key of many letters',
  'the new key of many letters',
  'another key'.repeat(3),
];
const sealOf = (...secretKey: string[]) => createSecretSeal({ secretKey, databaseUrl: 'postgres://x', folder: '' });

async function start() {
  const rows = await openDeliveryRows();
  const { db } = rows;
  async function addSecret(applicationId: string, secret: string, previous: string | null = null): Promise<void> {
    await rows.addApplication(applicationId);
    await db
      .insertInto('webhook_secrets')
      .values({ application_id: applicationId, secret, created_at: 0, previous_secret: previous })
      .execute();
  }
  const secrets = () =>
    db
      .selectFrom('webhook_secrets')
      .select(['application_id as id', 'secret', 'previous_secret as previous'])
      .orderBy('application_id')
      .execute();
  const signingKey = async (name: string) =>
    (await db.selectFrom('signing_keys').select('value').where('name', '=', name).executeTakeFirst())?.value;
  const passwordOf = async (id: string) =>
    (await db.selectFrom('monitors').select('callback_credentials').where('id', '=', id).executeTakeFirstOrThrow())
      .callback_credentials;
  return { ...rows, addSecret, secrets, signingKey, passwordOf };
}

describe('a start', () => {
  it('remembers its key, and rejects another one later, even before any secret exists', async () => {
    const { db, folder, signingKey } = await start();
    await requireRightKey(db, openSeal);
    await requireRightKey(db, sealOf(oldKey));
    const canary = (await signingKey('secret-canary')) ?? '';
    expect(sealOf(oldKey).open(canary)).toBe('rainbell');
    await requireRightKey(db, sealOf(oldKey));
    await requireRightKey(db, sealOf(newKey, oldKey));
    // The key in use is not changed by a start.
    expect(await signingKey('secret-canary')).toBe(canary);
    const file = createSecretSeal({ secretKey: undefined, databaseUrl: undefined, folder });
    for (const [seal, kind, words] of [
      [sealOf(otherKey), 'settings', /^RAINBELL_SECRET_KEY is not the key/],
      [openSeal, 'settings', /RAINBELL_SECRET_KEY is not set/],
      [file, 'start', /^The key file webhook\.key .* Restore it/],
    ] as const)
      await expect(requireRightKey(db, seal)).rejects.toMatchObject({ kind, message: expect.stringMatching(words) });
  });

  it('of two processes with different keys succeeds for one only', async () => {
    const { db, signingKey } = await start();
    const seals = [sealOf(oldKey), sealOf(otherKey)];
    const starts = await Promise.allSettled(seals.map((seal) => requireRightKey(db, seal)));
    const canary = (await signingKey('secret-canary')) ?? '';
    const opened = seals.map((seal) => seal.open(canary) === 'rainbell');
    expect(opened.filter(Boolean)).toHaveLength(1);
    expect(starts.map(({ status }) => status === 'fulfilled')).toEqual(opened);
  });

  it('with a key still decrypts what the key file next to a SQLite database encrypted before', async () => {
    const { db, folder } = await start();
    const before = createSecretSeal({ secretKey: undefined, databaseUrl: undefined, folder });
    await requireRightKey(db, before);
    const both = createSecretSeal({ secretKey: [newKey], databaseUrl: undefined, folder });
    await requireRightKey(db, both);
    expect(both.open(before.seal('whsec_a'))).toBe('whsec_a');
  });
});

describe('a new first key', () => {
  it('encrypts everything that the keys decrypt, and counts what they do not', async () => {
    const { db, addSecret, addMonitor, secrets, signingKey, passwordOf } = await start();
    const [old, both, other] = [sealOf(oldKey), sealOf(newKey, oldKey), sealOf(otherKey)];
    await requireRightKey(db, old);
    const unreadable = other.seal('whsec_other');
    await addSecret('a', old.seal('whsec_a'), old.seal('whsec_before_a'));
    await addSecret('b', both.seal('whsec_b'));
    await addSecret('c', unreadable);
    await addMonitor('a', 'm1', { callback_credentials: old.seal('user:password') });
    await addMonitor('a', 'm2');
    await db
      .insertInto('signing_keys')
      .values({ name: 'sandbox', value: old.seal('sandbox key') })
      .execute();
    await db.insertInto('signing_keys').values({ name: 'session', value: 'as it is' }).execute();
    expect(await countSecrets(db, both)).toEqual({ stored: 5, changed: 0, unreadable: 1 });
    expect(await reencryptSecrets(db, both)).toEqual({ stored: 5, changed: 3, unreadable: 1 });
    // The new key alone is enough now.
    const fresh = sealOf(newKey);
    const [a, b, c] = await secrets();
    expect([a, b].map((row) => fresh.open(row?.secret ?? ''))).toEqual(['whsec_a', 'whsec_b']);
    expect(fresh.open(a?.previous ?? '')).toBe('whsec_before_a');
    expect(c).toEqual({ id: 'c', secret: unreadable, previous: null });
    expect(fresh.open((await passwordOf('m1')) ?? '')).toBe('user:password');
    expect(await passwordOf('m2')).toBeNull();
    expect(fresh.open((await signingKey('sandbox')) ?? '')).toBe('sandbox key');
    expect(await signingKey('session')).toBe('as it is');
    expect(fresh.open((await signingKey('secret-canary')) ?? '')).toBe('rainbell');
    await requireRightKey(db, fresh);
    await expect(requireRightKey(db, old)).rejects.toThrow('RAINBELL_SECRET_KEY is not the key');
    expect(await reencryptSecrets(db, both)).toEqual({ stored: 5, changed: 0, unreadable: 1 });
  });

  it('keeps a sandbox key that it cannot decrypt, or has encrypted already', async () => {
    const { db, signingKey } = await start();
    const value = sealOf(otherKey).seal('sandbox key');
    await db.insertInto('signing_keys').values({ name: 'sandbox', value }).execute();
    await reencryptSecrets(db, sealOf(newKey, oldKey));
    expect(await signingKey('sandbox')).toBe(value);
    await reencryptSecrets(db, sealOf(otherKey));
    expect(await signingKey('sandbox')).toBe(value);
  });

  it('reads more secrets than one page holds, each once', async () => {
    const { db, addSecret } = await start();
    await addSecret('a', 'whsec_1');
    const [application] = await db.selectFrom('applications').selectAll().execute();
    const ids = Array.from({ length: 1_000 }, (_, index) => `b${String(index).padStart(4, '0')}`);
    for (let from = 0; from < ids.length; from += 100) {
      const part = ids.slice(from, from + 100);
      await db
        .insertInto('applications')
        .values(part.map((id) => ({ ...application!, id, client_id: id })))
        .execute();
      const values = part.map((id) => ({ application_id: id, secret: 'whsec_2', created_at: 0 }));
      await db
        .insertInto('webhook_secrets')
        .values(values.map((row) => ({ ...row, previous_secret: null })))
        .execute();
    }
    expect(await countSecrets(db, sealOf(oldKey))).toEqual({ stored: 1_001, changed: 0, unreadable: 0 });
    expect(await reencryptSecrets(db, sealOf(oldKey))).toMatchObject({ changed: 1_001 });
  });
});

describe('secrets that no key decrypts', () => {
  it('are replaced, previous ones and passwords removed, and all others kept', async () => {
    const { db, addSecret, addMonitor, secrets, passwordOf } = await start();
    const [seal, other] = [sealOf(oldKey), sealOf(otherKey)];
    const [good, goodPassword] = [seal.seal('whsec_good'), seal.seal('user:good')];
    await addSecret('a', other.seal('whsec_a'), other.seal('whsec_before_a'));
    await addSecret('b', good, other.seal('whsec_before_b'));
    await addMonitor('a', 'm1', { callback_credentials: other.seal('user:password') });
    await addMonitor('a', 'm2', { callback_credentials: goodPassword });
    expect(await replaceUnreadableSecrets(db, seal)).toEqual({ stored: 6, changed: 4, unreadable: 4 });
    const [a, b] = await secrets();
    expect(seal.open(a?.secret ?? '')).toMatch(/^whsec_[A-Za-z0-9+/]+=*$/);
    expect(a?.previous).toBeNull();
    expect(b).toEqual({ id: 'b', secret: good, previous: null });
    expect([await passwordOf('m1'), await passwordOf('m2')]).toEqual([null, goodPassword]);
    await requireRightKey(db, seal);
  });

  it('without a key are replaced unencrypted, and the remembered key is forgotten', async () => {
    const { db, addSecret, secrets, signingKey } = await start();
    await requireRightKey(db, sealOf(oldKey));
    await addSecret('a', sealOf(oldKey).seal('whsec_a'));
    await replaceUnreadableSecrets(db, openSeal);
    expect((await secrets())[0]?.secret).toMatch(/^whsec_/);
    expect(await signingKey('secret-canary')).toBeUndefined();
    await requireRightKey(db, openSeal);
  });
});
