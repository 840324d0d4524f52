// Which secrets sign an application's callbacks, and for how long (docs/delivery.md S7).
import { describe, expect, it } from 'vitest';
import { createWebhookSecrets } from '#service/monitors/delivery/signing.ts';
import { createSecretSeal, openSeal } from '#service/secrets/secret-seal.ts';
import { openDeliveryRows, startMs } from '#test/service/monitors/delivery/delivery-rows.ts';

const [firstKey, secondKey] = ['the first key of many letters', 'the second key of many letters'];
const sealOf = (...secretKey: string[]) => createSecretSeal({ secretKey, databaseUrl: 'postgres://x', folder: '' });
const dayMs = 24 * 3_600_000;

async function start() {
  const rows = await openDeliveryRows();
  const { db, clock } = rows;
  await rows.addApplication('app');
  await rows.addApplication('other');
  const secretsWith = (seal = openSeal) => createWebhookSecrets({ db, clock, seal });
  const stored = () =>
    db.selectFrom('webhook_secrets').selectAll().where('application_id', '=', 'app').executeTakeFirst();
  const store = async (secret: string, previous: string | null = null) => {
    await db.deleteFrom('webhook_secrets').execute();
    await db
      .insertInto('webhook_secrets')
      .values({ application_id: 'app', secret, previous_secret: previous, created_at: startMs + 1_000 - dayMs })
      .execute();
  };
  return { ...rows, secretsWith, stored, store };
}

describe('the secrets of an application', () => {
  it('start with one that is created on first use', async () => {
    const { secretsWith, stored } = await start();
    expect(await stored()).toBeUndefined();
    const [one, another] = await Promise.all([secretsWith().activeFor('app'), secretsWith().activeFor('app')]);
    expect(one).toEqual([expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32}$/)]);
    expect(another).toEqual(one);
    expect(await stored()).toEqual({
      application_id: 'app',
      secret: one[0],
      created_at: startMs,
      previous_secret: null,
    });
    expect(await secretsWith().activeFor('other')).not.toEqual(one);
  });

  it('include the previous one for 24 hours after a rotation', async () => {
    const { clock, secretsWith, stored } = await start();
    const secrets = secretsWith();
    const [first] = await secrets.activeFor('app');
    await secrets.activeFor('other');
    clock.advance(1_000);
    const second = await secrets.rotate('app');
    expect(await secrets.activeFor('app')).toEqual([second, first]);
    expect(await stored()).toMatchObject({
      created_at: startMs + 1_000,
      previous_secret: first,
    });
    expect(await secrets.activeFor('other')).toHaveLength(1);
    clock.advance(dayMs - 1);
    expect(await secrets.activeFor('app')).toEqual([second, first]);
    clock.advance(1);
    expect(await secrets.activeFor('app')).toEqual([second]);
    // The clock was ahead during the rotation.
    clock.jump(-2 * dayMs);
    expect(await secrets.activeFor('app')).toEqual([second]);
  });

  it('with a first rotation include the secret that existed before any use', async () => {
    const { secretsWith } = await start();
    const second = await secretsWith().rotate('app');
    const active = await secretsWith().activeFor('app');
    expect(active).toHaveLength(2);
    expect(active[0]).toBe(second);
  });

  it('are cached for 250 ms, unless they are forgotten', async () => {
    const { db, clock, secretsWith } = await start();
    const secrets = secretsWith();
    const before = await secrets.activeFor('app');
    const next = await secretsWith().rotate('app');
    clock.advance(249);
    // Another application's secrets are cached beside them.
    await secrets.activeFor('other');
    expect(await secrets.activeFor('app')).toEqual(before);
    clock.advance(1);
    expect(await secrets.activeFor('app')).toEqual([next, ...before]);
    await db.deleteFrom('webhook_secrets').execute();
    await db.deleteFrom('applications').where('id', '=', 'app').execute();
    expect(await secrets.activeFor('app')).toEqual([next, ...before]);
    secrets.forget();
    expect(await secrets.activeFor('app')).toEqual([]);
  });

  it('do not exist for a deleted application', async () => {
    const { db, secretsWith } = await start();
    expect(await secretsWith().activeFor('deleted')).toEqual([]);
    await expect(secretsWith().rotate('deleted')).rejects.toMatchObject({ kind: 'unknown' });
    expect(await db.selectFrom('webhook_secrets').selectAll().execute()).toEqual([]);
  });
});

describe('encrypted secrets', () => {
  it('are written by their first use and by a rotation', async () => {
    const { secretsWith, stored } = await start();
    const [seal, secrets] = [sealOf(firstKey), secretsWith(sealOf(firstKey))];
    const [first = ''] = await secrets.activeFor('app');
    expect(first).toMatch(/^whsec_/);
    const row = await stored();
    expect(row?.secret).toMatch(/^sealed1:/);
    expect(seal.open(row?.secret ?? '')).toBe(first);
    const second = await secrets.rotate('app');
    expect(seal.open((await stored())?.secret ?? '')).toBe(second);
    expect((await stored())?.previous_secret).toBe(row?.secret);
    expect(await secrets.activeFor('app')).toEqual([second, first]);
  });

  it('of another key are an error, and not replaced', async () => {
    const { secretsWith, stored, store } = await start();
    const sealed = sealOf(secondKey).seal('whsec_x');
    await store(sealed);
    const secrets = secretsWith(sealOf(firstKey));
    await expect(secrets.activeFor('app')).rejects.toMatchObject({
      code: 'server_error',
      message: expect.stringContaining('"operator keys check"'),
    });
    expect((await stored())?.secret).toBe(sealed);
    // The error is not cached.
    await store(sealOf(firstKey).seal('whsec_y'));
    expect(await secrets.activeFor('app')).toEqual(['whsec_y']);
  });

  it('sign without a previous one that no key decrypts', async () => {
    const { clock, secretsWith, store } = await start();
    const seal = sealOf(firstKey);
    await store(seal.seal('whsec_new'), sealOf(secondKey).seal('whsec_old'));
    expect(await secretsWith(seal).activeFor('app')).toEqual(['whsec_new']);
    const both = secretsWith(sealOf(firstKey, secondKey));
    expect(await both.activeFor('app')).toEqual(['whsec_new', 'whsec_old']);
    clock.advance(1_000);
    expect(await both.activeFor('app')).toEqual(['whsec_new']);
  });
});
