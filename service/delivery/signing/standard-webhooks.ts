// Signatures of Standard Webhooks 1.0 (standardwebhooks.com): HMAC-SHA256 over `id.timestamp.body`, one `v1,` entry per secret, so
// that a receiver accepts both during a rotation, and `v1a,` entries if the service has its own key.
import type { AsymmetricSigner } from './asymmetric-signing.ts';
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

const prefix = 'whsec_';
const secretBytes = 24;

/** `whsec_` and 24 random bytes in base64 (docs/delivery.md S7). */
export function newWebhookSecret(randomBytes: (size: number) => Uint8Array): string {
  return prefix + Buffer.from(randomBytes(secretBytes)).toString('base64');
}

export type WebhookHeaders = {
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
};

/** `timestampSeconds`: of this attempt. `body`: exactly what is sent. */
export type WebhookSigner = (
  id: string,
  timestampSeconds: number,
  body: string,
  secrets: readonly string[],
) => WebhookHeaders;

const rememberedKeys = 1_000;

/** Caches keys, because creating one costs more than signing with it. */
export function createWebhookSigner(asymmetric?: Pick<AsymmetricSigner, 'sign'>): WebhookSigner {
  const keys = new Map<string, KeyObject>();
  function keyFor(secret: string): KeyObject {
    const known = keys.get(secret);
    if (known) return known;
    if (keys.size >= rememberedKeys) keys.clear();
    const key = createSecretKey(keyBytes(secret));
    keys.set(secret, key);
    return key;
  }
  return (id, timestampSeconds, body, secrets) => {
    const signed = `${id}.${timestampSeconds}.${body}`;
    const signatures = secrets.map(
      (secret) => `v1,${createHmac('sha256', keyFor(secret)).update(signed).digest('base64')}`,
    );
    return {
      'webhook-id': id,
      'webhook-timestamp': String(timestampSeconds),
      'webhook-signature': [...signatures, ...(asymmetric?.sign(signed) ?? [])].join(' '),
    };
  };
}

function keyBytes(secret: string): Buffer {
  return Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret, 'base64');
}
