// The second signature of callbacks: Ed25519 (`v1a` of Standard Webhooks) with a key of the service, so that anyone can verify a
// callback with the published public key, without any secret.
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import type { WebhookKeySet } from '@rainbell/contract/service-api';
import type { Config } from '../../config/config.ts';
import { StartError } from '../../errors/start-error.ts';
import { readOrCreateKey } from '../../secrets/key-file.ts';

export type AsymmetricSigner = {
  /** One `v1a,…` entry per key. */
  sign(signed: string): string[];
  /** The public keys, to be published. */
  keySet: WebhookKeySet;
};

const keyFile = 'webhook-ed25519.key';
/** The prefix of an Ed25519 key's 32 bytes in PKCS #8 (RFC 8410). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * Creates the signer from the settings: undefined unless `v1a` is on. Throws a StartError if PostgreSQL is used without a key,
 * because its processes have no common place for a key file.
 */
export function createAsymmetricSigner(config: Config, folder: string): AsymmetricSigner | undefined {
  if (!config.signsWithOwnKey && config.webhookSigningKey === undefined) return undefined;
  const { webhookSigningKey } = config;
  if (webhookSigningKey)
    return signWith(webhookSigningKey.map((key) => Buffer.from(key.slice('whsk_'.length), 'base64')));
  if (config.databaseUrl === undefined) return signWith([readOrCreateKey(folder, keyFile)]);
  throw new StartError(
    'settings',
    'RAINBELL_WEBHOOK_SIGNATURES is v1,v1a, but RAINBELL_WEBHOOK_SIGNING_KEY is not set. Set it to whsk_ followed by 32 random bytes in ' +
      'base64, the same for all processes.',
  );
}

function signWith(seeds: readonly Buffer[]): AsymmetricSigner {
  const keys = seeds.map((seed) =>
    createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: 'der', type: 'pkcs8' }),
  );
  return {
    sign: (signed) => keys.map((key) => `v1a,${sign(null, Buffer.from(signed), key).toString('base64')}`),
    keySet: { keys: keys.map(describeKey) },
  };
}

function describeKey(key: KeyObject): WebhookKeySet['keys'][number] {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  const thumbprint = createHash('sha256').update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }));
  return { kty: 'OKP', crv: 'Ed25519', x, use: 'sig', alg: 'EdDSA', kid: thumbprint.digest('base64url') };
}
