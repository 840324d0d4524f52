// Verifies the signature of a monitor's event with the known keys, by the row of Standard Webhooks (core/senders). The interface has no
// signatures (docs/interface.md §6), so a missing one is not an error.
import type { CallbackCheck } from '@rainbell/contract/app-rpc';
import { headerOf } from '../../http/http-headers.ts';
import { standardWebhooks } from '../../senders/sender-rows.ts';
import { type SenderVerdict, verifySender } from '../../senders/verify-sender.ts';
import type { StoredCallback } from '../records/stored-callback.ts';
import { checksOf, type EarlierCallback, eventHeadersOf } from './earlier-callback.ts';

export type SigningFacts = {
  /** Secrets (`whsec_…`) and public keys (`whpk_…`), newest first; empty if none is known. */
  secrets: readonly string[];
  /** Whether the sender's clock can be moved at will, so that its time says nothing. */
  isClockMovable: boolean;
  /** Whether the service has a delivery log; such a service signs. */
  hasDeliveryLog?: boolean;
};

const made = checksOf('signature');

export function checkSignature(
  callback: StoredCallback,
  { secrets, isClockMovable }: SigningFacts,
  earlier: readonly EarlierCallback[],
): CallbackCheck {
  const signature = headerOf(callback.headers, 'webhook-signature');
  if (signature === undefined) return made(secrets.length > 0 ? 'warning' : 'unknown', 'The callback is not signed.');
  if (secrets.length === 0)
    return made('unknown', 'The callback is signed, but there is no secret to verify the signature with.');
  if (callback.truncated)
    return made('unknown', 'The body was truncated at the receiver’s limit, so its signature can’t be verified.');
  const verdict = verify(callback, secrets);
  if (verdict.state === 'no-secret') return made('unknown', whyUnusable(signature));
  if (verdict.state === 'unchecked') return made('unknown', verdict.reason);
  if (verdict.state === 'invalid' && verdict.isMalformed) return made('error', verdict.reason);
  if (verdict.state !== 'verified' && verdict.state !== 'stale')
    return made('error', 'The signature is wrong: the callback was signed with another secret or changed in transit.');
  // The feed signs when it is read, maybe in the second of the callback.
  const isSameWay = (other: EarlierCallback) => (other.feed === undefined) === (callback.feed === undefined);
  const { id, timestamp } = eventHeadersOf(callback.headers);
  const replayed = earlier.find(
    (other) => other.event.id === id && other.event.timestamp === timestamp && isSameWay(other),
  );
  if (replayed)
    return made('warning', `The signature is valid, but callback ${replayed.id} already used it, so this is a replay.`);
  return verdict.state === 'stale' ? staleCheck(verdict, isClockMovable) : made('ok', 'The signature is valid.');
}

/**
 * `missing`: not signed. `unchecked`: with no scheme for which a key is known. The age is not checked, because a real event
 * may be read long after it arrived.
 */
export type SignatureOutcome = 'missing' | 'valid' | 'wrong' | 'unchecked';

type Signed = Pick<StoredCallback, 'headers' | 'body' | 'truncated'>;

export function signatureOutcomeOf(callback: Signed, secrets: readonly string[]): SignatureOutcome {
  if (headerOf(callback.headers, 'webhook-signature') === undefined) return 'missing';
  if (callback.truncated) return 'wrong';
  const { state } = verify(callback, secrets);
  if (state === 'verified' || state === 'stale') return 'valid';
  return state === 'no-secret' || state === 'unchecked' ? 'unchecked' : 'wrong';
}

/** A callback is verified as evidence and as a check, and this is half of what a verdict costs. */
const verified = new WeakMap<Signed, { secrets: readonly string[]; verdict: SenderVerdict }>();

function verify(callback: Signed & { receivedAt?: number }, secrets: readonly string[]): SenderVerdict {
  const known = verified.get(callback);
  if (known?.secrets === secrets) return known.verdict;
  const { headers, body, receivedAt = 0 } = callback;
  // An empty header is a missing one.
  const present = headers.filter(([name, value]) => value !== '' || !/^webhook-(id|timestamp)$/i.test(name));
  const request = { method: 'POST', url: '', headers: present, body };
  const verdict = verifySender(standardWebhooks, request, { secrets, receivedAt });
  verified.set(callback, { secrets, verdict });
  return verdict;
}

function whyUnusable(header: string): string {
  return /(^| )v1a,/.test(header)
    ? 'The callback is signed with Ed25519 (v1a), but no public key (whpk_…) is known.'
    : 'The callback is signed with a secret (v1), but only a public key is known.';
}

/** A clock that can be moved is ahead more often than not, and a message from the future can't be a recording. */
function staleCheck({ ageSeconds, tolerance }: { ageSeconds: number; tolerance: number }, isClockMovable: boolean) {
  const [seconds, side] = ageSeconds > 0 ? [ageSeconds, 'before'] : [-ageSeconds, 'after'];
  if (isClockMovable && side === 'after') {
    const message = `The signature is valid; by the sandbox’s clock, its timestamp is ${seconds} s after the callback’s arrival.`;
    return made('ok', message);
  }
  const unless = isClockMovable ? ', unless you set the sandbox’s clock back' : '';
  return made(
    'error',
    `The signature is valid, but its timestamp is ${seconds} s ${side} the callback’s arrival. Don’t trust a signature whose timestamp is off by more than ${tolerance} s${unless}.`,
  );
}

/** Whether a text is a secret of 24 to 64 bytes or a public key of 32 bytes, as Standard Webhooks writes them. */
export function isWebhookKey(text: string): boolean {
  if (!/^((whsec|whpk)_)?[A-Za-z0-9+/]+={0,2}$/.test(text)) return false;
  const { length } = Buffer.from(text.replace(/^(whsec|whpk)_/, ''), 'base64');
  return text.startsWith('whpk_') ? length === 32 : length >= 16 && length <= 64;
}
