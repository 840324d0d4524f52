// Webhook secrets in the database: encrypted, still the same after a restart, and never replaced by a process that lacks the key.
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { createSecretSeal, openSeal } from '#service/secrets/secret-seal.ts';
import {
  countSecrets,
  reencryptSecrets,
  replaceUnreadableSecrets,
  requireRightKey,
} from '#service/secrets/secret-keys.ts';
import { createWebhookSecrets } from '#service/monitors/delivery/signing.ts';
import { startOAuthService } from '#test/service/oauth/oauth-service.ts';

test('a secret is the same after a restart, though the database does not hold it', async () => {
  const { db, clock, folder, sandbox } = await startOAuthService();
  const start = () =>
    createWebhookSecrets({
      db,
      clock,
      seal: createSecretSeal({ secretKey: undefined, databaseUrl: undefined, folder }),
    });
  const first = await start().rotate(sandbox.applicationId);
  const second = await start().rotate(sandbox.applicationId);
  expect(await start().activeFor(sandbox.applicationId)).toEqual([second, first]);
  const stored = await db.selectFrom('webhook_secrets').selectAll().executeTakeFirstOrThrow();
  expect(stored.secret).toMatch(/^sealed1:/);
  expect(JSON.stringify(stored)).not.toContain('whsec_');
});

test('a secret that no key opens is never replaced, and signs again once its key is back', async () => {
  const { db, clock, folder, sandbox } = await startOAuthService();
  const start = (secretKey: string[]) =>
    createWebhookSecrets({
      db,
      clock,
      seal: createSecretSeal({ secretKey, databaseUrl: undefined, folder: join(folder, 'x') }),
    });
  const first = await start(['the first key of all']).rotate(sandbox.applicationId);
  const stored = await db.selectFrom('webhook_secrets').selectAll().execute();
  await expect(start(['another key entirely']).activeFor(sandbox.applicationId)).rejects.toThrow('cannot be decrypted');
  expect(await db.selectFrom('webhook_secrets').selectAll().execute()).toEqual(stored);
  const both = start(['another key entirely', 'the first key of all']);
  expect(await both.activeFor(sandbox.applicationId)).toContain(first);
  // A user who requests a new secret gets one; the lost one cannot sign beside it.
  const next = await start(['another key entirely']).rotate(sandbox.applicationId);
  expect(await start(['another key entirely']).activeFor(sandbox.applicationId)).toEqual([next]);
});

describe('a start', () => {
  const keys = { databaseUrl: 'postgres://x', folder: '/nowhere' };
  const sealOf = (...secretKey: string[]) => createSecretSeal({ ...keys, secretKey });

  it('is refused with another key than the one that the database is used with', async () => {
    const { db, clock, sandbox } = await startOAuthService();
    await requireRightKey(db, sealOf('the right key'));
    await requireRightKey(db, sealOf('the right key'));
    await requireRightKey(db, sealOf('a newer key', 'the right key'));
    await expect(requireRightKey(db, sealOf('a wrong key'))).rejects.toThrow('RAINBELL_SECRET_KEY is not the key');
    await expect(requireRightKey(db, openSeal)).rejects.toThrow('RAINBELL_SECRET_KEY is not set');
    await createWebhookSecrets({ db, clock, seal: sealOf('the right key') }).rotate(sandbox.applicationId);
    await expect(requireRightKey(db, sealOf('a wrong key'))).rejects.toThrow('RAINBELL_SECRET_KEY is not the key');
  });

  it('is refused if a database from before has secrets of another key', async () => {
    const { db, clock, sandbox } = await startOAuthService();
    await createWebhookSecrets({ db, clock, seal: sealOf('the right key') }).rotate(sandbox.applicationId);
    await expect(requireRightKey(db, sealOf('a wrong key'))).rejects.toThrow('RAINBELL_SECRET_KEY is not the key');
    await requireRightKey(db, sealOf('the right key'));
  });

  it('takes a key for the first time, and no longer does without one', async () => {
    const { db, clock, sandbox } = await startOAuthService();
    const secret = await createWebhookSecrets({ db, clock }).rotate(sandbox.applicationId);
    await requireRightKey(db, openSeal);
    await requireRightKey(db, sealOf('the first key'));
    await expect(requireRightKey(db, openSeal)).rejects.toThrow('RAINBELL_SECRET_KEY is not set');
    const secrets = createWebhookSecrets({ db, clock, seal: sealOf('the first key') });
    expect(await secrets.activeFor(sandbox.applicationId)).toContain(secret);
  });
});

test('the key of the file still opens its secrets after a key was set', async () => {
  const { db, clock, folder, sandbox } = await startOAuthService();
  const sealOf = (secretKey?: string[]) => createSecretSeal({ secretKey, databaseUrl: undefined, folder });
  const secret = await createWebhookSecrets({ db, clock, seal: sealOf() }).rotate(sandbox.applicationId);
  await requireRightKey(db, sealOf());
  await requireRightKey(db, sealOf(['a key that came later']));
  const secrets = createWebhookSecrets({ db, clock, seal: sealOf(['a key that came later']) });
  expect(await secrets.activeFor(sandbox.applicationId)).toContain(secret);
});

test('keys are rotated: secrets are encrypted again with the first key, and the old key is not needed', async () => {
  const { db, clock, sandbox } = await startOAuthService();
  const sealOf = (...secretKey: string[]) => createSecretSeal({ secretKey, databaseUrl: 'postgres://x', folder: '' });
  const before = createWebhookSecrets({ db, clock, seal: sealOf('the old key') });
  const active = [await before.rotate(sandbox.applicationId), await before.rotate(sandbox.applicationId)].toReversed();
  await requireRightKey(db, sealOf('the old key'));
  const both = sealOf('the new key', 'the old key');
  expect(await reencryptSecrets(db, both)).toEqual({ stored: 2, changed: 2, unreadable: 0 });
  expect(await reencryptSecrets(db, both)).toEqual({ stored: 2, changed: 0, unreadable: 0 });
  const after = sealOf('the new key');
  await requireRightKey(db, after);
  await expect(requireRightKey(db, sealOf('the old key'))).rejects.toThrow('RAINBELL_SECRET_KEY is not the key');
  expect(await createWebhookSecrets({ db, clock, seal: after }).activeFor(sandbox.applicationId)).toEqual(active);

  const lost = sealOf('a third key');
  expect(await countSecrets(db, lost)).toEqual({ stored: 2, changed: 0, unreadable: 2 });
  expect(await replaceUnreadableSecrets(db, lost)).toMatchObject({ changed: 2 });
  await requireRightKey(db, lost);
  const fresh = await createWebhookSecrets({ db, clock, seal: lost }).activeFor(sandbox.applicationId);
  // The previous one cannot be replaced, only dropped.
  expect(fresh).toHaveLength(1);
  expect(active).not.toContain(fresh[0]);
});

test('a deleted application gets no secret', async () => {
  const { db, clock } = await startOAuthService();
  const secrets = createWebhookSecrets({ db, clock });
  expect(await secrets.activeFor('deleted')).toEqual([]);
  await expect(secrets.rotate('deleted')).rejects.toMatchObject({ kind: 'unknown' });
  expect(await db.selectFrom('webhook_secrets').selectAll().execute()).toEqual([]);
});
