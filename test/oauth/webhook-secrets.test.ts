// Webhook secrets in the database: encrypted, still the same after a restart, and made anew where the key is lost.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSecretSeal } from '#service/secrets/secret-seal.ts';
import { createWebhookSecrets } from '#service/delivery/webhook-secrets.ts';
import { startOAuthService } from './oauth-service.ts';

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

test('with a lost key callbacks are signed with a new secret instead of not at all', async () => {
  const { db, clock, folder, sandbox } = await startOAuthService();
  const start = (secretKey: string) =>
    createWebhookSecrets({
      db,
      clock,
      seal: createSecretSeal({ secretKey, databaseUrl: undefined, folder: join(folder, 'x') }),
    });
  const first = await start('the first key of all').rotate(sandbox.applicationId);
  const [next, ...more] = await start('another key entirely').activeFor(sandbox.applicationId);
  expect(next).toMatch(/^whsec_/);
  expect(next).not.toBe(first);
  expect(more).toEqual([]);
});

test('a secret from before there was a key is encrypted when it is next used, and stays the same', async () => {
  const { db, clock, folder, sandbox } = await startOAuthService();
  const first = await createWebhookSecrets({ db, clock }).rotate(sandbox.applicationId);
  const seal = createSecretSeal({ secretKey: 'a key that came later', databaseUrl: 'postgres://x', folder });
  expect(await createWebhookSecrets({ db, clock, seal }).activeFor(sandbox.applicationId)).toContain(first);
  const stored = await db.selectFrom('webhook_secrets').select('secret').executeTakeFirstOrThrow();
  expect(stored.secret).toMatch(/^sealed1:/);
  const [again] = await createWebhookSecrets({ db, clock, seal }).activeFor(sandbox.applicationId);
  expect(again).toBe(first);
});

test('a deleted application gets no secret', async () => {
  const { db, clock } = await startOAuthService();
  const secrets = createWebhookSecrets({ db, clock });
  expect(await secrets.activeFor('deleted')).toEqual([]);
  await expect(secrets.rotate('deleted')).rejects.toMatchObject({ kind: 'unknown' });
  expect(await db.selectFrom('webhook_secrets').selectAll().execute()).toEqual([]);
});
