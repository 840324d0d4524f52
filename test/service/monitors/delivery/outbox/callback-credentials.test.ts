// Whose password a callback gets, and that the log doesn't repeat it (docs/delivery.md S6).
import { describe, expect, it } from 'vitest';
import { createCallbackCredentials, withoutCredentials } from '#service/monitors/delivery/signing.ts';
import type { SecretSeal } from '#service/secrets/secret-seal.ts';
import { openDeliveryRows } from '#test/service/monitors/delivery/delivery-rows.ts';

const basicOf = (text: string) => `Basic ${Buffer.from(text, 'utf8').toString('base64')}`;
const callback = 'https://hooks.example/rain';

describe('the credentials of a callback', () => {
  const seal = { open: (text: string) => (text.startsWith('sealed:') ? text.slice(7) : undefined) } as SecretSeal;

  it.each([
    ['are those of its monitor', callback, 'sealed:räin:pa:ss', basicOf('räin:pa:ss')],
    ['also go to another path of the same server', 'https://hooks.example/other?x=1', 'sealed:a:b', basicOf('a:b')],
    ['do not go to another host', 'https://another.example/rain', 'sealed:a:b', undefined],
    ['do not go to another port', 'https://hooks.example:8443/rain', 'sealed:a:b', undefined],
    ['do not go over another scheme', 'http://hooks.example/rain', 'sealed:a:b', undefined],
    ['may be missing', callback, null, undefined],
  ])('%s', async (_what, callback_uri, callback_credentials, authorization) => {
    const { db, addApplication, addMonitor } = await openDeliveryRows();
    await addApplication('a');
    await addMonitor('a', 'm1', { callback_uri: callback, callback_credentials });
    await addMonitor('a', 'm2', { callback_uri: callback, callback_credentials: 'sealed:not:theirs' });
    const credentialsOf = createCallbackCredentials({ db, seal });
    expect(await credentialsOf({ monitor_id: 'm1', callback_uri })).toBe(authorization);
  });

  it('end with the monitor', async () => {
    const { db } = await openDeliveryRows();
    const credentialsOf = createCallbackCredentials({ db, seal });
    expect(await credentialsOf({ monitor_id: 'deleted', callback_uri: callback })).toBeUndefined();
  });

  it('that no key of the process decrypts are an error', async () => {
    const { db, addApplication, addMonitor } = await openDeliveryRows();
    await addApplication('a');
    await addMonitor('a', 'm1', { callback_uri: callback, callback_credentials: 'by another key' });
    await expect(
      createCallbackCredentials({ db, seal })({ monitor_id: 'm1', callback_uri: callback }),
    ).rejects.toMatchObject({ code: 'server_error', message: expect.stringContaining('operator keys check') });
  });
});

describe('the log has •••• instead of', () => {
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
    ['nothing in another response', 'fine', 'fine'],
  ])('%s', (_what, text, logged) => {
    expect(withoutCredentials(text, basicOf(`u:${secret}`))).toBe(logged);
  });

  it('nothing if the password is empty', () => {
    expect(withoutCredentials('all of this', basicOf('user:'))).toBe('all of this');
  });
});
