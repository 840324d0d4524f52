// What is known of a request that is not a monitor's event: its sender, whether it is signed, and what its signature proves. Nothing is a
// fault that the user can't do something about.
import type { CallbackCheck, CallbackRefusal, RefusalReason, VerdictName } from '@rainbell/contract/app-rpc';
import { plural } from '@rainbell/shared';
import {
  type EndpointSender,
  endpointSenderOf,
  type EndpointWithSecrets,
  toSenderRequest,
} from '../../senders/endpoint-sender.ts';
import { findHandshake, type FoundHandshake } from '../../senders/handshakes.ts';
import type { SenderProfile } from '../../senders/sender-profile.ts';
import { readSenderRequest, type SenderRequest } from '../../senders/sender-request.ts';
import { senderRows } from '../../senders/sender-rows.ts';
import { eventTypeOf, recognizeSender, type SenderVerdict, verifySender } from '../../senders/verify-sender.ts';
import type { StoredCallback } from '../records/stored-callback.ts';
import { type Judged, otherResult, worstVerdict } from './callback-checks.ts';

/** Paths with a sender or secrets, and the URL at which senders reach this receiver. */
export type RequestFacts = { endpoints: readonly EndpointWithSecrets[]; publicBase: string | null };

export function judgeRequest(callback: StoredCallback, { endpoints, publicBase }: RequestFacts): Judged {
  const endpoint = endpointSenderOf(endpoints, callback.target);
  const request = toSenderRequest(callback, endpoint.publicUrl, publicBase);
  const reader = readSenderRequest(request);
  const handshake = findHandshake(senderRows, endpoint, reader);
  const profile = endpoint.sender ?? handshake?.sender ?? recognizeSender(senderRows, reader);
  const eventType = profile ? eventTypeOf(profile, reader) : null;
  const outcome = signatureOf(callback, request, profile, endpoint.secrets);
  const results: CallbackCheck[] = [
    { check: 'signature', verdict: outcome.verdict, message: outcome.message },
    ...(handshake ? [checkHandshake(handshake, endpoint)] : []),
  ];
  const message = senderText(profile, endpoint, eventType);
  return {
    ...otherResult,
    checks: [{ check: 'sender', verdict: profile ? 'ok' : 'unknown', message }, ...results],
    // That a sender is recognized is not a result.
    verdict: worstVerdict(results),
    verdictName: handshake && outcome.verdict !== 'error' ? 'handshake' : outcome.name,
    isOther: true,
    ...(profile && { sender: profile.name }),
    ...(eventType !== null && { eventType }),
  };
}

type Outcome = { name: VerdictName; verdict: CallbackCheck['verdict']; message: string };

function made(name: VerdictName, verdict: Outcome['verdict'], message: string): Outcome {
  return { name, verdict, message };
}

function senderText(profile: SenderProfile | undefined, { sender }: EndpointSender, eventType: string | null): string {
  if (!profile) return 'No known sender is recognized.';
  const event = eventType === null ? '' : ` Event type: ${eventType}.`;
  return (sender ? `This path’s sender is ${profile.name}.` : `Recognized as ${profile.name}.`) + event;
}

function signatureOf(
  callback: StoredCallback,
  request: SenderRequest,
  profile: SenderProfile | undefined,
  secrets: readonly string[],
): Outcome {
  const isSigned = callback.headers.find(([name]) => /signature/i.test(name))?.[0];
  if (!profile) {
    const message =
      isSigned === undefined
        ? 'Not signed in a known way.'
        : `The request has the header ${isSigned}, but no known sender’s scheme.`;
    return made('request', 'unknown', message);
  }
  if (callback.isBodyLost || callback.truncated)
    return made('signed', 'unknown', 'The body is not stored in full, so a signature can’t be verified.');
  const verdict = verifySender(profile, request, { secrets, receivedAt: callback.receivedAt });
  if (secrets.length > 0 || verdict.state === 'unsigned' || verdict.state === 'unchecked')
    return describeVerdict(profile, verdict, secrets.length);
  const { name, secretName = 'signing secret' } = profile;
  return made('signed', 'unknown', `Signed by ${name}’s scheme, not checked: add its secret (${secretName}).`);
}

function describeVerdict(profile: SenderProfile, verdict: SenderVerdict, secrets: number): Outcome {
  const { name, schemes, isUnconfirmed } = profile;
  switch (verdict.state) {
    case 'verified': {
      const which = secrets > 1 ? ` with secret ${verdict.secretIndex + 1} of ${secrets}` : '';
      const doubt = isUnconfirmed ? ` ${name}’s published text does not confirm this rule.` : '';
      return made('verified', 'ok', `Verified${which}: ${verdict.proven}.${doubt}`);
    }
    case 'stale': {
      const { ageSeconds: age, tolerance } = verdict;
      const message = `The signature is valid, but its timestamp is ${Math.abs(age)} s ${age > 0 ? 'before' : 'after'} the request’s arrival. ${name} tolerates ${tolerance} s.`;
      return made('invalid', 'error', message);
    }
    case 'invalid':
      return verdict.isMalformed
        ? made('invalid', 'error', verdict.reason)
        : made('unknown-secret', 'error', unverified(secrets));
    case 'no-secret':
      return made('unknown-secret', 'error', `The stored secret does not have the form that ${name}’s scheme uses.`);
    case 'unchecked':
      return made('signed', 'unknown', `Signed by ${name}’s scheme, not verified. ${verdict.reason}`);
    case 'unsigned':
      if (schemes.length === 0) return made('request', 'unknown', `${name} does not sign its requests.`);
      return secrets > 0
        ? made('unsigned', 'warning', 'The request is not signed, although its path has a secret.')
        : made('request', 'unknown', 'The request is not signed.');
  }
}

function unverified(secrets: number): string {
  return plural(secrets, [
    'The path’s secret does not verify the signature.',
    'None of the path’s # secrets verifies the signature.',
  ]);
}

function checkHandshake(
  { sender, handshake, manual }: FoundHandshake,
  { secrets, verifyToken }: EndpointSender,
): CallbackCheck {
  const needs =
    handshake.token !== undefined && verifyToken === null
      ? ' Add the path’s verify token, so that Rainbell can respond as it expects.'
      : (handshake.unlessValid !== undefined || JSON.stringify(handshake.json)?.includes('{hmac:')) &&
          secrets.length === 0
        ? ' Add its secret, so that Rainbell can respond as it expects.'
        : '';
  const message = `${sender.name} checks the receiver with this request.${needs}${manual === null ? '' : ` ${manual}`}`;
  return { check: 'handshake', verdict: needs === '' ? 'ok' : 'unknown', message };
}

const refusalSentences: Readonly<Record<RefusalReason, string>> = {
  'head-too-long':
    'The request line and headers are longer than the receiver accepts. Raise the limit in Settings, up to 256 KB.',
  malformed: 'The request is not valid HTTP.',
  'unknown-method': 'The receiver does not support this method.',
  'bad-target': 'The path contains a character that must be percent-encoded.',
  'bad-header':
    'A header line is not valid: it has a control character, a space before its colon, or continues the line before it.',
  'bad-length': 'Content-Length is not valid, sent twice, or sent together with Transfer-Encoding.',
  'unexpected-expectation': 'The Expect header has a value other than 100-continue.',
  connect: 'CONNECT requests are only for proxies.',
  'no-token': 'The path does not start with the token required for requests from other computers.',
  'http-on-https': 'The sender used http, but the receiver expects https.',
  'tls-on-http': 'The sender used https, but the receiver expects http.',
  'tls-handshake': 'The TLS handshake failed, possibly because the sender does not trust the certificate.',
  pipelining:
    'The sender sent more than 4 requests without waiting for a response. Rainbell lists at most 32 such requests per connection.',
  timeout: 'The request did not finish in time.',
  unfinished: 'The connection ended before the request was complete.',
  'too-many': 'Too many callbacks were waiting to be stored.',
};

/** What a refused request shows instead of checks. */
export function refusalCheck({ reason, count }: CallbackRefusal, status: number): CallbackCheck {
  const response = status === 0 ? 'Refused without a response.' : `Refused with ${status}.`;
  const more = plural(count - 1, [
    '# similar request was refused soon afterward.',
    '# similar requests were refused soon afterward.',
  ]);
  const message = [response, refusalSentences[reason], ...(count > 1 ? [more] : [])].join(' ');
  return { check: 'request', verdict: 'error', message };
}
