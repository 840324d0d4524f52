// The signature doctor for stored callbacks: puts together what it needs to know.
import type { SignatureDiagnosis } from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import type { CallbackPages, StoredCallback } from '../receiver/records/callback-pages.ts';
import { headerOf } from '../http/http-headers.ts';
import { codingsOf, decodeAtOnce } from '../receiver/requests/decode-body.ts';
import { endpointSenderOf, type EndpointWithSecrets, toSenderRequest } from '../senders/endpoint-sender.ts';
import { diagnoseSender, type KnownSecret } from '../senders/sender-doctor.ts';
import { readSenderRequest } from '../senders/sender-request.ts';
import { senderRows, standardWebhooks } from '../senders/sender-rows.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';

const maxDecodedBytes = 1024 * 1024;

type SignatureDiagnosisDependencies = {
  /** Whether a request is judged as a monitor's event. */
  isEvent?: (callback: StoredCallback) => boolean;
  endpoints?: () => readonly EndpointWithSecrets[];
  publicBase?: () => string | null;
  pages: Pick<CallbackPages, 'toValidate' | 'earlierOf'>;
  secrets: Pick<WebhookSecrets, 'candidates'>;
};

/** Diagnoses one callback, with other secrets if they are given. Throws AppFailure UNAVAILABLE if it is not signed or its body was not stored in full. */
export function createSignatureDiagnosis(dependencies: SignatureDiagnosisDependencies) {
  const { pages, secrets, isEvent = () => true, endpoints = () => [], publicBase = () => null } = dependencies;
  function earlierTimestamps(callback: StoredCallback): string[] {
    const id = headerOf(callback.headers, 'webhook-id');
    return pages.earlierOf(callback).flatMap((earlierId) => {
      const headers = pages.toValidate(earlierId)?.headers ?? [];
      const timestamp = headerOf(headers, 'webhook-timestamp');
      return timestamp !== undefined && headerOf(headers, 'webhook-id') === id ? [timestamp] : [];
    });
  }

  return async (callback: StoredCallback, given?: readonly KnownSecret[]): Promise<SignatureDiagnosis> => {
    const { id, headers, body, truncated } = callback;
    if (callback.refusal)
      throw unavailable(
        `The signature of callback ${id} can’t be diagnosed: the request was refused before it was complete.`,
      );
    if (truncated || callback.isBodyLost)
      throw unavailable(`The signature of callback ${id} can’t be diagnosed: its body was not stored in full.`);
    if (isEvent(callback) && !headers.some(([name]) => /signature/i.test(name)))
      throw unavailable(`Callback ${id} has no signature to diagnose.`);
    const decodedBody = codingsOf(headers).length > 0 ? decodeAtOnce(callback, maxDecodedBytes) : undefined;
    const request = {
      method: callback.method,
      url: '',
      headers,
      body,
      decodedBody,
      earlierTimestamps: earlierTimestamps(callback),
    };
    const { fits } = readSenderRequest(request);
    const others = senderRows.filter(({ match }) => fits(match));
    if (given !== undefined || isEvent(callback))
      return diagnoseSender(standardWebhooks, request, given ?? (await secrets.candidates()), others);
    const all = endpoints();
    const endpoint = endpointSenderOf(all, callback.target);
    const profile = endpoint.sender ?? others[0];
    if (!profile) throw unavailable(`No known sender’s scheme signs callback ${id}.`);
    const { url } = toSenderRequest(callback, endpoint.publicUrl, publicBase());
    const known = [
      ...endpoint.secrets.map((secret): KnownSecret => ({ secret, origin: 'current' })),
      ...all.flatMap(({ secrets: stored = [] }) =>
        stored.map((secret): KnownSecret => ({ secret, origin: 'other-endpoint' })),
      ),
    ];
    return diagnoseSender(profile, { ...request, url }, known, others);
  };
}

function unavailable(message: string): AppFailure {
  return new AppFailure('UNAVAILABLE', message);
}
