// Signatures of callbacks, against the examples of Standard Webhooks and of its reference libraries.
import { describe, expect, it } from 'vitest';
import { createWebhookSigner, newWebhookSecret } from '#service/monitors/delivery/signing.ts';

// https://github.com/standard-webhooks/standard-webhooks/blob/main/libraries/javascript/src/index.test.ts
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const example = ['msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, '{"test": 2432232314}'] as const;
const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';

describe('a signer', () => {
  it('signs ID, time, and body', () => {
    expect(createWebhookSigner()(...example, [secret])).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': signature,
    });
  });

  it('accepts a secret without its prefix', () => {
    const sign = createWebhookSigner();
    expect(sign(...example, ['MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])['webhook-signature']).toBe(signature);
  });

  it('signs with each secret in order, then with the keys of the service', () => {
    const signed: string[] = [];
    const asymmetric = {
      sign(text: string) {
        signed.push(text);
        return ['v1a,x', 'v1a,y'];
      },
    };
    const sign = createWebhookSigner(asymmetric);
    const other = `whsec_${'A'.repeat(32)}`;
    const alone = createWebhookSigner()(...example, [other])['webhook-signature'];
    expect(alone).toMatch(/^v1,[\w+/]{43}=$/);
    expect(alone).not.toBe(signature);
    expect(sign(...example, [other, secret])['webhook-signature']).toBe(`${alone} ${signature} v1a,x v1a,y`);
    expect(signed).toEqual(['msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}']);
  });

  it('signs the same after more secrets than it caches', () => {
    const sign = createWebhookSigner();
    const secrets = Array.from({ length: 1_001 }, (_, index) => `whsec_${Buffer.from(`${index}`).toString('base64')}`);
    sign(...example, [secret, ...secrets]);
    expect(sign(...example, [secret])['webhook-signature']).toBe(signature);
  });
});

it('a new secret is 24 random bytes in base64', () => {
  const sizes: number[] = [];
  const bytes = (size: number) => {
    sizes.push(size);
    return new Uint8Array(size).fill(0xff);
  };
  expect(newWebhookSecret(bytes)).toBe(`whsec_${'/'.repeat(32)}`);
  expect(sizes).toEqual([24]);
});
