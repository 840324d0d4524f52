// The signature doctor for stored callbacks: puts together what it needs to know.
import type { SignatureDiagnosis } from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import type { CallbackPages, StoredCallback } from '../receiver/records/callback-pages.ts';
import { headerOf } from '../http/http-headers.ts';
import { codingsOf, decodeAtOnce } from '../receiver/requests/decode-body.ts';
import { diagnoseSender, type KnownSecret } from '../senders/sender-doctor.ts';
import { readSenderRequest } from '../senders/sender-request.ts';
import { senderRows, standardWebhooks } from '../senders/sender-rows.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';

const maxDecodedBytes = 1024 * 1024;

type SignatureDiagnosisDependencies = {
  pages: Pick<CallbackPages, 'toValidate' | 'earlierOf'>;
  secrets: Pick<WebhookSecrets, 'candidates'>;
};

/** Diagnoses one callback, with other secrets if they are given. Throws AppFailure UNAVAILABLE if it is not signed or its body was not stored in full. */
export function createSignatureDiagnosis({ pages, secrets }: SignatureDiagnosisDependencies) {
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
    if (!headers.some(([name]) => /signature/i.test(name)))
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
    return diagnoseSender(standardWebhooks, request, given ?? (await secrets.candidates()), others);
  };
}

function unavailable(message: string): AppFailure {
  return new AppFailure('UNAVAILABLE', message);
}
