// The signature doctor for stored callbacks: puts together what it needs to know.
import type { SignatureDiagnosis } from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import type { CallbackPages } from '../receiver/records/callback-pages.ts';
import type { StoredCallback } from '../receiver/records/stored-callback.ts';
import { headerOf } from '../http/http-headers.ts';
import { codingsOf, decodeAtOnce } from '../receiver/requests/decode-body.ts';
import { diagnoseSender, type DoctorRequest, type KnownSecret } from '../senders/diagnose-sender.ts';
import type { SenderProfile } from '../senders/sender-profile.ts';
import { readSenderRequest } from '../senders/sender-request.ts';
import { senderRows } from '../senders/sender-rows.ts';
import { type SenderVerdict, verifySender } from '../senders/verify-sender.ts';
import type { CallbackIndex } from './callback-index.ts';
import type { SenderFacts } from './sender-facts.ts';

const maxDecodedBytes = 1024 * 1024;

type SignatureDiagnosisDependencies = {
  pages: Pick<CallbackPages, 'get'>;
  index: Pick<CallbackIndex, 'sameEvent'>;
  facts: Pick<SenderFacts, 'requestOf' | 'profileOf' | 'secretsFor'>;
};

export type DiagnosisOptions = {
  /** In place of the known ones. */
  secrets?: readonly KnownSecret[] | undefined;
  /** The ID of a built-in sender. */
  sender?: string | undefined;
};

/** Diagnoses one callback. Throws AppFailure UNAVAILABLE if its body was not stored in full, or no sender is known. */
export function createSignatureDiagnosis({ pages, index, facts }: SignatureDiagnosisDependencies) {
  function earlierTimestamps(callback: StoredCallback): string[] {
    const id = headerOf(callback.headers, 'webhook-id');
    return (id === undefined ? [] : index.sameEvent(id, callback.id))
      .map((earlierId) => headerOf(pages.get(earlierId)?.headers ?? [], 'webhook-timestamp'))
      .filter((timestamp) => timestamp !== undefined);
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
    const request = facts.requestOf(callback);
    const profile = facts.profileOf(callback, sender);
    if (!profile) throw unavailable(`No known sender’s scheme signs callback ${id}.`);
    const known = given ?? (await facts.secretsFor(callback));
    const decodedBody = codingsOf(headers).length > 0 ? decodeAtOnce(callback, maxDecodedBytes) : undefined;
    const tried = { ...request, decodedBody, earlierTimestamps: earlierTimestamps(callback) };
    return diagnoseRequest(profile, tried, known, receivedAt);
  };
}

/** `receivedAt`: in epoch milliseconds. */
export function diagnoseRequest(
  profile: SenderProfile,
  request: DoctorRequest,
  known: readonly KnownSecret[],
  receivedAt: number,
): SignatureDiagnosis {
  const { fits } = readSenderRequest(request);
  const others = senderRows.filter(({ match }) => fits(match));
  const secrets = known.filter(({ origin }) => origin === 'current').map(({ secret }) => secret);
  const { state } = verifySender(profile, request, { secrets, receivedAt });
  return { sender: profile.name, outcome: outcomes[state], ...diagnoseSender(profile, request, known, others) };
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
