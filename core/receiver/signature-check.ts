// Holds a callback's signature against the known secrets: Standard Webhooks 1.0 (standardwebhooks.com), HMAC-SHA256
// over `id.timestamp.body`. The interface knows no signatures (docs/interface.md §6), so one that is missing is no
// fault.
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { CallbackCheck } from '#contract/app-rpc/callbacks.ts';
import { headerOf, type CheckedCallback, type EarlierCallback } from './checked-callback.ts';

export type SigningFacts = {
  /** What may have signed it, the newest first; empty where none is known. */
  secrets: readonly string[];
  /** Whether the sender's clock can be moved at will, so that its time says nothing. */
  isClockMovable: boolean;
  /** Whether the service tells of its deliveries; such a service signs. */
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
  if (signature === undefined) return told(secrets.length > 0 ? 'warning' : 'unknown', 'It carries no signature.');
  if (!id || !timestamp) {
    return told('error', `The signature covers ${id ? 'webhook-timestamp' : 'webhook-id'}, which is missing.`);
  }
  if (!/^\d{1,12}$/.test(timestamp)) return told('error', 'webhook-timestamp is no time in seconds since 1970.');
  if (secrets.length === 0) return told('unknown', 'It is signed, but no secret to check it with is known.');
  if (callback.truncated)
    return told('unknown', 'The body was cut at the receiver’s limit, so its signature cannot be checked.');
  if (!hasValidSignature(callback, { id, timestamp, signature }, secrets)) {
    return told('error', 'The signature is wrong: signed with another secret, or changed on its way.');
  }
  const replayed = earlier.find(({ event }) => event.id === id && event.timestamp === timestamp);
  if (replayed)
    return told('warning', `The signature is valid, but callback ${replayed.id} had it already: sent again.`);
  return checkAge(Math.round(callback.receivedAt / 1000) - Number(timestamp), isClockMovable);
}

/** With an age that no one checks: a real event may be read long after it came. */
export function isValidlySigned(callback: CheckedCallback, secrets: readonly string[]): boolean {
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(callback.headers, name),
  );
  if (!id || !timestamp || !signature || !/^\d{1,12}$/.test(timestamp) || callback.truncated) return false;
  return hasValidSignature(callback, { id, timestamp, signature }, secrets);
}

function hasValidSignature(
  { body }: CheckedCallback,
  { id, timestamp, signature }: { id: string; timestamp: string; signature: string },
  secrets: readonly string[],
): boolean {
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
  return secrets.some((secret) => isSignedBy(signed, signature, secret));
}

function checkAge(ageSeconds: number, isClockMovable: boolean): CallbackCheck {
  if (Math.abs(ageSeconds) <= toleratedSeconds) return told('ok', 'The signature is valid.');
  const words = `${Math.abs(ageSeconds)} s ${ageSeconds > 0 ? 'before' : 'after'} its arrival`;
  if (isClockMovable) return told('ok', `The signature is valid; by the sandbox’s clock it was made ${words}.`);
  return told(
    'error',
    `The signature is valid but was made ${words}; more than ${toleratedSeconds} s is not to be trusted.`,
  );
}

/**
 * `webhook-signature` holds one or more entries such as `v1,<base64>`, with spaces between. Compared as text, as the libraries of
 * Standard Webhooks do: base64url or base64 without padding is another text, and their receivers refuse it.
 */
function isSignedBy(signed: Buffer, header: string, secret: string): boolean {
  const expected = Buffer.from(createHmac('sha256', keyIn(secret)).update(signed).digest('base64'));
  return header.split(' ').some((entry) => {
    const [version, text = ''] = entry.split(',');
    const given = Buffer.from(text);
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** Making a key costs several times as much as a signature. */
const keys = new Map<string, KeyObject>();
const mostKeys = 100;

function keyIn(secret: string): KeyObject {
  const known = keys.get(secret);
  if (known) return known;
  if (keys.size >= mostKeys) keys.clear();
  const key = createSecretKey(Buffer.from(secret.replace(/^whsec_/, ''), 'base64'));
  keys.set(secret, key);
  return key;
}

function told(verdict: CallbackCheck['verdict'], message: string): CallbackCheck {
  return { check: 'signature', verdict, message };
}
