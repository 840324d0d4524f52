// The signature doctor for stored callbacks: puts together what it needs to know.
import type { SignatureDiagnosis } from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import type { CallbackPages } from '../receiver/records/callback-pages.ts';
import type { StoredCallback } from '../receiver/records/stored-callback.ts';
import { headerOf } from '../http/http-headers.ts';
import { codingsOf, decodeAtOnce } from '../receiver/requests/decode-body.ts';
import { endpointSenderOf, type EndpointWithSecrets, toSenderRequest } from '../senders/endpoint-sender.ts';
import { diagnoseSender, type KnownSecret } from '../senders/diagnose-sender.ts';
import { readSenderRequest } from '../senders/sender-request.ts';
import type { SenderProfile } from '../senders/sender-profile.ts';
import { senderOf, senderRows, standardWebhooks } from '../senders/sender-rows.ts';
import { type SenderVerdict, verifySender } from '../senders/verify-sender.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';

const maxDecodedBytes = 1024 * 1024;

type SignatureDiagnosisDependencies = {
  /** Whether a request is judged as a monitor's event. */
  isEvent?: (callback: StoredCallback) => boolean;
  endpoints?: () => readonly EndpointWithSecrets[];
  publicBase?: () => string | null;
  pages: Pick<CallbackPages, 'get' | 'earlierOf'>;
  secrets: Pick<WebhookSecrets, 'candidates'>;
};

export type DiagnosisOptions = {
  /** In place of the known ones. */
  secrets?: readonly KnownSecret[] | undefined;
  /** The ID of a built-in sender. */
  sender?: string | undefined;
};

/** Diagnoses one callback. Throws AppFailure UNAVAILABLE if its body was not stored in full, or no sender is known. */
export function createSignatureDiagnosis(dependencies: SignatureDiagnosisDependencies) {
  const { pages, secrets, isEvent = () => true, endpoints = () => [], publicBase = () => null } = dependencies;
  function earlierTimestamps(callback: StoredCallback): string[] {
    const id = headerOf(callback.headers, 'webhook-id');
    return pages.earlierOf(callback).flatMap((earlierId) => {
      const headers = pages.get(earlierId)?.headers ?? [];
      const timestamp = headerOf(headers, 'webhook-timestamp');
      return timestamp !== undefined && headerOf(headers, 'webhook-id') === id ? [timestamp] : [];
    });
  }

  function profileOf(callback: StoredCallback, sender: string | undefined, recognized: SenderProfile | undefined) {
    if (sender === undefined) return isEvent(callback) ? standardWebhooks : (endpointOf(callback).sender ?? recognized);
    const chosen = senderOf(sender);
    if (chosen) return chosen;
    const ids = senderRows.map(({ id }) => id).join(', ');
    throw new AppFailure('INVALID_INPUT', `There is no sender ${sender}. The senders are ${ids}.`, { field: 'sender' });
  }

  const endpointOf = ({ target }: StoredCallback) => endpointSenderOf(endpoints(), target);

  async function secretsFor(callback: StoredCallback): Promise<readonly KnownSecret[]> {
    if (isEvent(callback)) return secrets.candidates();
    const others = endpoints().flatMap(({ secrets: stored = [] }) => stored);
    return [
      ...endpointOf(callback).secrets.map((secret): KnownSecret => ({ secret, origin: 'current' })),
      ...others.map((secret): KnownSecret => ({ secret, origin: 'other-endpoint' })),
    ];
  }

  return async (
    callback: StoredCallback,
    { secrets: given, sender }: DiagnosisOptions = {},
  ): Promise<SignatureDiagnosis> => {
    const { id, headers, truncated, receivedAt } = callback;
    if (callback.refusal)
      throw unavailable(
        `The signature of callback ${id} can’t be diagnosed: the request was refused before it was complete.`,
      );
    if (truncated || callback.isBodyLost)
      throw unavailable(`The signature of callback ${id} can’t be diagnosed: its body was not stored in full.`);
    const request = toSenderRequest(callback, endpointOf(callback).publicUrl, publicBase());
    const { fits } = readSenderRequest(request);
    const others = senderRows.filter(({ match }) => fits(match));
    const profile = profileOf(callback, sender, others[0]);
    if (!profile) throw unavailable(`No known sender’s scheme signs callback ${id}.`);
    const known = given ?? (await secretsFor(callback));
    const current = known.filter(({ origin }) => origin === 'current').map(({ secret }) => secret);
    const { state } = verifySender(profile, request, { secrets: current, receivedAt });
    const decodedBody = codingsOf(headers).length > 0 ? decodeAtOnce(callback, maxDecodedBytes) : undefined;
    const tried = { ...request, decodedBody, earlierTimestamps: earlierTimestamps(callback) };
    return { sender: profile.name, outcome: outcomes[state], ...diagnoseSender(profile, tried, known, others) };
  };
}

const outcomes = {
  verified: 'valid',
  stale: 'valid',
  invalid: 'wrong',
  unsigned: 'missing',
  'no-secret': 'unchecked',
  unchecked: 'unchecked',
} as const satisfies Record<SenderVerdict['state'], SignatureDiagnosis['outcome']>;

function unavailable(message: string): AppFailure {
  return new AppFailure('UNAVAILABLE', message);
}
