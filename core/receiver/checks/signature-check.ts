// Verifies the signature of a monitor's event with the known keys, by the row of Standard Webhooks (core/senders). The interface has no
// signatures (docs/interface.md §6), so a missing one is not an error.
import type { CallbackCheck } from '@rainbell/contract/app-rpc';
import { headerOf } from '../../http/http-headers.ts';
import { standardWebhooks } from '../../senders/sender-rows.ts';
import { verifySender } from '../../senders/verify-sender.ts';
import type { StoredCallback } from '../records/stored-callback.ts';

export type SigningFacts = {
  /** Secrets (`whsec_…`) and public keys (`whpk_…`), newest first; empty if none is known. */
  secrets: readonly string[];
  /** Whether the sender's clock can be moved at will, so that its time says nothing. */
  isClockMovable: boolean;
  /** Whether the service has a delivery log; such a service signs. */
  hasDeliveryLog?: boolean;
};

export type CheckedSignature = {
  /**
   * `missing`: not signed. `no-key`: none is known. `unchecked`: with no scheme for which a key is known. A valid one may be old, because a real
   * event may be read long after it arrived.
   */
  proof: 'missing' | 'no-key' | 'unchecked' | 'wrong' | 'valid';
  verdict: CallbackCheck['verdict'];
  message: string;
};

export function checkSignature(
  { headers, body, truncated, receivedAt }: StoredCallback,
  { secrets, isClockMovable }: SigningFacts,
): CheckedSignature {
  const signature = headerOf(headers, 'webhook-signature');
  if (signature === undefined)
    return made('missing', secrets.length > 0 ? 'warning' : 'unknown', 'The callback is not signed.');
  if (secrets.length === 0)
    return made('no-key', 'unknown', 'The callback is signed, but there is no secret to verify the signature with.');
  if (truncated)
    return made(
      'wrong',
      'unknown',
      'The body was truncated at the receiver’s limit, so its signature can’t be verified.',
    );
  // An empty header is a missing one.
  const present = headers.filter(([name, value]) => value !== '' || !/^webhook-(id|timestamp)$/i.test(name));
  const request = { method: 'POST', url: '', headers: present, body };
  const verdict = verifySender(standardWebhooks, request, { secrets, receivedAt });
  if (verdict.state === 'verified') return made('valid', 'ok', 'The signature is valid.');
  if (verdict.state === 'stale') return checkAge(verdict, isClockMovable);
  if (verdict.state === 'no-secret') return made('unchecked', 'unknown', whyUnusable(signature));
  if (verdict.state === 'unchecked') return made('unchecked', 'unknown', verdict.reason);
  if (verdict.state === 'invalid' && verdict.isMalformed) return made('wrong', 'error', verdict.reason);
  const message = 'The signature is wrong: the callback was signed with another secret or changed in transit.';
  return made('wrong', 'error', message);
}

function made(proof: CheckedSignature['proof'], verdict: CallbackCheck['verdict'], message: string): CheckedSignature {
  return { proof, verdict, message };
}

function whyUnusable(header: string): string {
  return /(^| )v1a,/.test(header)
    ? 'The callback is signed with Ed25519 (v1a), but no public key (whpk_…) is known.'
    : 'The callback is signed with a secret (v1), but only a public key is known.';
}

/** A clock that can be moved is ahead more often than not, and a message from the future can't be a recording. */
function checkAge({ ageSeconds, tolerance }: { ageSeconds: number; tolerance: number }, isClockMovable: boolean) {
  const [seconds, side] = ageSeconds > 0 ? [ageSeconds, 'before'] : [-ageSeconds, 'after'];
  if (isClockMovable && side === 'after') {
    const message = `The signature is valid; by the sandbox’s clock, its timestamp is ${seconds} s after the callback’s arrival.`;
    return made('valid', 'ok', message);
  }
  const unless = isClockMovable ? ', unless you set the sandbox’s clock back' : '';
  const message = `The signature is valid, but its timestamp is ${seconds} s ${side} the callback’s arrival. Don’t trust a signature whose timestamp is off by more than ${tolerance} s${unless}.`;
  return made('valid', 'error', message);
}
