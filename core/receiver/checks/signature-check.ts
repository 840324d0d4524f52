// Verifies the signature of a callback with the known keys: Standard Webhooks 1.0 (standardwebhooks.com), over
// `id.timestamp.body`, with HMAC-SHA256 (`v1`, secrets `whsec_…`) or Ed25519 (`v1a`, public keys `whpk_…`). The interface
// has no signatures (docs/interface.md §6), so a missing one is not an error.
import { createHmac, createPublicKey, createSecretKey, type KeyObject, timingSafeEqual, verify } from 'node:crypto';
import type { CallbackCheck } from '@rainbell/contract/app-rpc';
import { headerOf } from '../../http/http-headers.ts';
import { type CheckedCallback, type EarlierCallback } from './checked-callback.ts';

export type SigningFacts = {
  /** Secrets (`whsec_…`) and public keys (`whpk_…`), newest first; empty if none is known. */
  secrets: readonly string[];
  /** Whether the sender's clock can be moved at will, so that its time says nothing. */
  isClockMovable: boolean;
  /** Whether the service has a delivery log; such a service signs. */
  hasDeliveryLog?: boolean;
};

/** Standard Webhooks leaves the tolerance to the receiver; this is what its libraries use. */
const toleratedSeconds = 300;

export function checkSignature(
  callback: CheckedCallback,
  { secrets, isClockMovable }: SigningFacts,
  earlier: readonly EarlierCallback[],
): CallbackCheck {
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(callback.headers, name),
  );
  if (signature === undefined)
    return makeCheck(secrets.length > 0 ? 'warning' : 'unknown', 'The callback is not signed.');
  if (!id || !timestamp) {
    return makeCheck('error', `The signature covers ${id ? 'webhook-timestamp' : 'webhook-id'}, which is missing.`);
  }
  if (!/^\d{1,12}$/.test(timestamp))
    return makeCheck('error', 'webhook-timestamp is not a time in seconds since 1970.');
  if (secrets.length === 0)
    return makeCheck('unknown', 'The callback is signed, but there is no secret to verify the signature with.');
  if (callback.truncated)
    return makeCheck('unknown', 'The body was truncated at the receiver’s limit, so its signature can’t be verified.');
  const outcome = verifySignature(callback, { id, timestamp, signature }, secrets);
  if (outcome === 'unchecked') return makeCheck('unknown', whyUnchecked(signature));
  if (outcome === 'wrong') {
    return makeCheck(
      'error',
      'The signature is wrong: the callback was signed with another secret or changed in transit.',
    );
  }
  // The feed signs when it is read, maybe in the second of the callback.
  const isSameWay = (other: EarlierCallback) => (other.feed === undefined) === (callback.feed === undefined);
  const replayed = earlier.find(
    (other) => other.event.id === id && other.event.timestamp === timestamp && isSameWay(other),
  );
  if (replayed)
    return makeCheck(
      'warning',
      `The signature is valid, but callback ${replayed.id} already used it, so this is a replay.`,
    );
  return checkAge(Math.round(callback.receivedAt / 1000) - Number(timestamp), isClockMovable);
}

/**
 * `missing`: not signed. `unchecked`: with no scheme for which a key is known. The age is not checked, because a real event
 * may be read long after it arrived.
 */
export type SignatureOutcome = 'missing' | 'valid' | 'wrong' | 'unchecked';

export function signatureOutcomeOf(
  callback: Pick<CheckedCallback, 'headers' | 'body' | 'truncated'>,
  secrets: readonly string[],
): SignatureOutcome {
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(callback.headers, name),
  );
  if (signature === undefined) return 'missing';
  if (!id || !timestamp || !/^\d{1,12}$/.test(timestamp) || callback.truncated) return 'wrong';
  return verifySignature(callback, { id, timestamp, signature }, secrets);
}

function verifySignature(
  { body }: Pick<CheckedCallback, 'body'>,
  { id, timestamp, signature }: { id: string; timestamp: string; signature: string },
  keys: readonly string[],
): Exclude<SignatureOutcome, 'missing'> {
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
  if (keys.some((key) => isSignedBy(signed, signature, key))) return 'valid';
  const versions = schemesOf(signature);
  const isCovered = versions.some((version) => keys.some((key) => versionOf(key) === version));
  return isCovered || versions.length === 0 ? 'wrong' : 'unchecked';
}

/** The versions of a header of well-formed entries (`v1,…`); none if an entry is not, because then it is plainly wrong. */
function schemesOf(header: string): string[] {
  const entries = header.split(' ').map((entry) => /^(v\d+[a-z]*),./.exec(entry)?.[1]);
  return entries.every((version) => version !== undefined) ? entries : [];
}

function whyUnchecked(header: string): string {
  const versions = schemesOf(header).map((version) => version.slice(0, 20));
  if (versions.includes('v1a'))
    return 'The callback is signed with Ed25519 (v1a), but no public key (whpk_…) is known.';
  if (versions.includes('v1')) return 'The callback is signed with a secret (v1), but only a public key is known.';
  return `The callback is signed with an unknown scheme: ${[...new Set(versions)].slice(0, 5).join(', ')}.`;
}

function checkAge(ageSeconds: number, isClockMovable: boolean): CallbackCheck {
  if (Math.abs(ageSeconds) <= toleratedSeconds) return makeCheck('ok', 'The signature is valid.');
  if (isClockMovable) {
    return makeCheck(
      'ok',
      ageSeconds > 0
        ? `The signature is valid; by the sandbox’s clock, its timestamp is ${ageSeconds} s before the callback’s arrival.`
        : `The signature is valid; by the sandbox’s clock, its timestamp is ${-ageSeconds} s after the callback’s arrival.`,
    );
  }
  const problem =
    ageSeconds > 0
      ? `The signature is valid, but its timestamp is ${ageSeconds} s before the callback’s arrival.`
      : `The signature is valid, but its timestamp is ${-ageSeconds} s after the callback’s arrival.`;
  return makeCheck(
    'error',
    `${problem} Don’t trust a signature whose timestamp is off by more than ${toleratedSeconds} s.`,
  );
}

/**
 * `webhook-signature` holds one or more entries such as `v1,<base64>`, separated by spaces. Compared as text, as the libraries
 * of Standard Webhooks do: their receivers refuse base64url and base64 without padding.
 */
function isSignedBy(signed: Buffer, header: string, key: string): boolean {
  const version = versionOf(key);
  const texts = header.split(' ').flatMap((entry) => {
    const [given, text = ''] = entry.split(',');
    return given === version ? [text] : [];
  });
  if (version === 'v1a') return texts.slice(0, maxEntries).some((text) => isVerifiedBy(signed, text, key));
  const expected = texts.length === 0 ? undefined : Buffer.from(hmac(signed, key));
  return texts.some((text) => {
    const given = Buffer.from(text);
    return expected !== undefined && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** Of more entries, the rest is not verified: Ed25519 costs about 100 µs. */
const maxEntries = 4;

function versionOf(key: string): 'v1' | 'v1a' {
  return key.startsWith(publicKeyPrefix) ? 'v1a' : 'v1';
}

function hmac(signed: Buffer, secret: string): string {
  return createHmac('sha256', keyIn(secret)).update(signed).digest('base64');
}

function isVerifiedBy(signed: Buffer, text: string, publicKey: string): boolean {
  const signature = Buffer.from(text, 'base64');
  return (
    signature.length === 64 &&
    signature.toString('base64') === text &&
    verify(null, signed, keyIn(publicKey), signature)
  );
}

const publicKeyPrefix = 'whpk_';
/** Making a key costs several times as much as a signature. */
const keys = new Map<string, KeyObject>();
const maxKeys = 100;

function keyIn(text: string): KeyObject {
  const known = keys.get(text);
  if (known) return known;
  if (keys.size >= maxKeys) keys.clear();
  const bytes = Buffer.from(text.replace(/^(whsec|whpk)_/, ''), 'base64');
  const key = text.startsWith(publicKeyPrefix) ? ed25519Key(bytes) : createSecretKey(bytes);
  keys.set(text, key);
  return key;
}

function ed25519Key(bytes: Buffer): KeyObject {
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') }, format: 'jwk' });
}

/** Whether a text is a secret of 24 to 64 bytes or a public key of 32 bytes, as Standard Webhooks writes them. */
export function isWebhookKey(text: string): boolean {
  if (!/^((whsec|whpk)_)?[A-Za-z0-9+/]+={0,2}$/.test(text)) return false;
  const { length } = Buffer.from(text.replace(/^(whsec|whpk)_/, ''), 'base64');
  return text.startsWith(publicKeyPrefix) ? length === 32 : length >= 16 && length <= 64;
}

function makeCheck(verdict: CallbackCheck['verdict'], message: string): CallbackCheck {
  return { check: 'signature', verdict, message };
}
