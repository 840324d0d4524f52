// What signs callbacks (docs/delivery.md S7): against the examples of Standard Webhooks and of RFCs 8032 and 8037, which secrets are active
// for how long, and whose password a callback gets.
import { describe, expect, it } from 'vitest';
import {
  createAsymmetricSigner,
  createCallbackCredentials,
  createWebhookSecrets,
  signWebhook,
  withoutCredentials,
} from '#service/monitors/delivery/signing.ts';
import { createSecretSeal, openSeal } from '#service/secrets/secret-seal.ts';
import { openDeliveryRows, startMs } from './delivery-rows.ts';

describe('the signature with secrets', () => {
  // https://github.com/standard-webhooks/standard-webhooks/blob/main/libraries/javascript/src/index.test.ts
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const example = ['msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, '{"test": 2432232314}'] as const;
  const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';

  it.each([secret, 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])('is of ID, time, and body, with %s', (given) => {
    expect(signWebhook(...example, [given])).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': signature,
    });
  });

  it('is one of each in order, then those of the service', () => {
    const signed: string[] = [];
    const asymmetric = {
      sign(text: string) {
        signed.push(text);
        return ['v1a,x', 'v1a,y'];
      },
    };
    const other = `whsec_${'A'.repeat(32)}`;
    const alone = signWebhook(...example, [other])['webhook-signature'];
    expect(alone).toMatch(/^v1,[\w+/]{43}=$/);
    const both = signWebhook(...example, [other, secret], asymmetric);
    expect(both['webhook-signature']).toBe(`${alone} ${signature} v1a,x v1a,y`);
    expect(signed).toEqual(['msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}']);
  });
});

describe('the signature of the service', () => {
  const keyOf = (hex: string) => `whsk_${Buffer.from(hex, 'hex').toString('base64')}`;
  const hexOf = (entry = '') => Buffer.from(entry.replace(/^v1a,/, ''), 'base64').toString('hex');
  const first = keyOf('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60');
  const second = keyOf('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb');

  it('is one of each of its keys, in order (RFC 8032, section 7.1)', () => {
    const signer = createAsymmetricSigner([first, second]);
    const [ofFirst, ...others] = signer.sign('');
    expect(ofFirst).toMatch(/^v1a,/);
    expect(hexOf(ofFirst)).toBe(
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
    );
    expect(others).toHaveLength(1);
    expect(hexOf(signer.sign('r')[1])).toBe(
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    );
  });

  it('is verified with its published keys (RFC 8037, appendix A)', () => {
    expect(createAsymmetricSigner([first]).keySet).toEqual({
      keys: [
        {
          kty: 'OKP',
          crv: 'Ed25519',
          x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
          use: 'sig',
          alg: 'EdDSA',
          kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
        },
      ],
    });
  });
});

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
  return { ...rows, secretsWith, stored };
}

describe('the secrets of an application', () => {
  it('start with one that is created on first use', async () => {
    const { secretsWith, stored } = await start();
    const [one, another] = await Promise.all([secretsWith().activeFor('app'), secretsWith().activeFor('app')]);
    expect(one).toEqual([expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32}$/)]);
    expect(another).toEqual(one);
    expect(await stored()).toMatchObject({ secret: one[0], created_at: startMs, previous_secret: null });
    expect(await secretsWith().activeFor('other')).not.toEqual(one);
  });

  it('include the previous one for 24 hours after a rotation', async () => {
    const { clock, secretsWith } = await start();
    const secrets = secretsWith();
    await secrets.activeFor('other');
    const [first] = await secrets.activeFor('app');
    const second = await secrets.rotate('app');
    expect(await secrets.activeFor('app')).toEqual([second, first]);
    expect(await secrets.activeFor('other')).toHaveLength(1);
    clock.advance(dayMs - 1);
    expect(await secrets.activeFor('app')).toEqual([second, first]);
    clock.advance(1);
    expect(await secrets.activeFor('app')).toEqual([second]);
    // The clock was ahead during the rotation.
    clock.jump(-2 * dayMs);
    expect(await secrets.activeFor('app')).toEqual([second]);
    // A first rotation keeps the one that existed before any use.
    const own = await secretsWith().rotate('other');
    expect(await secretsWith().activeFor('other')).toEqual([own, expect.stringMatching(/^whsec_/)]);
  });

  it('are cached for 250 ms', async () => {
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
    clock.advance(250);
    expect(await secrets.activeFor('app')).toEqual([]);
    await expect(secrets.rotate('app')).rejects.toMatchObject({ kind: 'unknown' });
    expect(await db.selectFrom('webhook_secrets').select('application_id').execute()).toEqual([]);
  });

  it('are stored encrypted, by their first use and by a rotation', async () => {
    const { secretsWith, stored } = await start();
    const [seal, secrets] = [sealOf(firstKey), secretsWith(sealOf(firstKey))];
    const [first = ''] = await secrets.activeFor('app');
    const row = await stored();
    expect(row?.secret).toMatch(/^sealed1:/);
    expect(seal.open(row?.secret ?? '')).toBe(first);
    const second = await secrets.rotate('app');
    expect(seal.open((await stored())?.secret ?? '')).toBe(second);
    expect((await stored())?.previous_secret).toBe(row?.secret);
    expect(await secretsWith(seal).activeFor('app')).toEqual([second, first]);
  });

  it('of another key are an error, and never replaced, except by a rotation', async () => {
    const { db, secretsWith, stored } = await start();
    const first = await secretsWith(sealOf(secondKey)).activeFor('app');
    const before = await stored();
    const secrets = secretsWith(sealOf(firstKey));
    await expect(secrets.activeFor('app')).rejects.toMatchObject({
      code: 'server_error',
      message: expect.stringContaining('"operator keys check"'),
    });
    expect(await stored()).toEqual(before);
    expect(await secretsWith(sealOf(firstKey, secondKey)).activeFor('app')).toEqual(first);
    // The error is not cached.
    await db
      .updateTable('webhook_secrets')
      .set({ secret: sealOf(firstKey).seal('whsec_y') })
      .execute();
    expect(await secrets.activeFor('app')).toEqual(['whsec_y']);
    await db
      .updateTable('webhook_secrets')
      .set({ secret: before?.secret ?? '' })
      .execute();
    // The lost secret cannot sign beside a new one.
    const next = await secrets.rotate('app');
    expect(await secrets.activeFor('app')).toEqual([next]);
    expect(await secretsWith(sealOf(firstKey, secondKey)).activeFor('app')).toEqual([next, ...first]);
  });
});

const basicOf = (text: string) => `Basic ${Buffer.from(text, 'utf8').toString('base64')}`;

describe('the credentials of a callback (docs/delivery.md S6)', () => {
  it('are those of its monitor, but not for a server that the monitor has left', async () => {
    const { db, addMonitor } = await start();
    const seal = sealOf(firstKey);
    const uri = 'https://hooks.example/rain';
    await addMonitor('app', 'm1', { callback_uri: uri, callback_credentials: seal.seal('räin:pa:ss') });
    await addMonitor('app', 'm2', { callback_uri: uri, callback_credentials: seal.seal('not:theirs') });
    const credentialsOf = createCallbackCredentials({ db, seal });
    const found = [
      'https://hooks.example/other?x=1',
      'https://hooks.example:8443/rain',
      'http://hooks.example/rain',
    ].map((callback_uri) => credentialsOf({ monitor_id: 'm1', callback_uri }));
    expect(await Promise.all(found)).toEqual([basicOf('räin:pa:ss'), undefined, undefined]);
  });

  it('that no key of the process decrypts are an error', async () => {
    const { db, addMonitor } = await start();
    const callback_uri = 'https://hooks.example/rain';
    await addMonitor('app', 'm1', { callback_uri, callback_credentials: sealOf(secondKey).seal('a:b') });
    const credentialsOf = createCallbackCredentials({ db, seal: sealOf(firstKey) });
    await expect(credentialsOf({ monitor_id: 'm1', callback_uri })).rejects.toMatchObject({
      code: 'server_error',
      message: expect.stringContaining('operator keys check'),
    });
  });

  const secret = 'pa/ss:word';
  it.each([
    ['the password', `is ${secret}, ${secret}`, 'is ••••, ••••'],
    ['the password, percent-encoded', 'pa%2Fss%3Aword!', '••••!'],
    ['the whole credentials', `Basic ${Buffer.from(`u:${secret}`).toString('base64')}!`, 'Basic ••••!'],
    ['a password that is cut off', 'cut at pa/ss:wor', 'cut at ••••'],
    ['the first four characters of a password at the end', 'cut at pa/s', 'cut at ••••'],
    ['no shorter beginning, which may be chance', 'cut at pa/', 'cut at pa/'],
    ['no beginning in the middle', 'pa/ss:wor and more', 'pa/ss:wor and more'],
    ['a response that is only a part of it', 'pa/ss', '••••'],
  ])('are not in the record, which has •••• instead of %s', (_what, text, recorded) => {
    expect(withoutCredentials(text, basicOf(`u:${secret}`))).toBe(recorded);
  });

  it('hide nothing in the record if the password is empty', () => {
    expect(withoutCredentials('all of this', basicOf('user:'))).toBe('all of this');
  });
});
