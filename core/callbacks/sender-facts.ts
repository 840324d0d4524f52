// What is known of the sender of a stored callback: its rule, its secrets, how to sign as it does, and why its signature is wrong.
import type { HeaderList, ReplaySigning, SignAs, SignatureDiagnosis } from '@rainbell/contract/app-rpc';
import type { Clock } from '@rainbell/shared';
import { AppFailure } from '../errors/app-failure.ts';
import type { StoredCallback } from '../receiver/records/stored-callback.ts';
import { codingsOf, decodeAtOnce } from '../http/decode-body.ts';
import { endpointSenderOf, type EndpointWithSecrets, toSenderRequest } from '../senders/endpoint-sender.ts';
import { diagnoseRequest, type KnownSecret } from '../senders/diagnose-sender.ts';
import type { SenderProfile } from '../senders/sender-profile.ts';
import { readSenderRequest, type SenderRequest } from '../senders/sender-request.ts';
import { requireSender, senderRows, standardWebhooks } from '../senders/sender-rows.ts';
import { signRequest } from '../senders/sign-request.ts';
import { recognizeSender } from '../senders/verify-sender.ts';
import { randomUUID } from 'node:crypto';
import type { WebhookSecrets } from '../connection/webhook-secrets.ts';

type SenderFactsDependencies = {
  /** Whether a request is judged as a monitor's event. */
  isEvent: (callback: StoredCallback) => boolean;
  endpoints: () => readonly EndpointWithSecrets[];
  publicBase: () => string | null;
  secrets: Pick<WebhookSecrets, 'candidates'>;
};

export type SenderFacts = ReturnType<typeof createSenderFacts>;

export type DiagnosisOptions = {
  /** In place of the known ones. */
  secrets?: readonly KnownSecret[] | undefined;
  sender?: string | undefined;
};

/** Of an encoded body. */
const maxDecodedBytes = 1024 * 1024;

type Outgoing = { headers: HeaderList; body: Buffer; url: string | null };

export function createSenderFacts({ secrets, isEvent, endpoints, publicBase }: SenderFactsDependencies) {
  const endpointOf = ({ target }: StoredCallback) => endpointSenderOf(endpoints(), target);

  function requestOf(callback: StoredCallback, base = publicBase()): SenderRequest {
    return toSenderRequest(callback, endpointOf(callback).publicUrl, base);
  }

  /** `sender`: the ID of a built-in one, in place of that of the path or the recognized one. Throws AppFailure INVALID_INPUT. */
  function profileOf(callback: StoredCallback, sender?: string): SenderProfile | undefined {
    if (sender === undefined && isEvent(callback)) return standardWebhooks;
    if (sender === undefined)
      return endpointOf(callback).sender ?? recognizeSender(senderRows, readSenderRequest(requestOf(callback)));
    return requireSender(sender);
  }

  async function secretsFor(callback: StoredCallback): Promise<readonly KnownSecret[]> {
    if (isEvent(callback)) return secrets.candidates();
    const others = endpoints().flatMap(({ secrets: stored = [] }) => stored);
    return [
      ...endpointOf(callback).secrets.map((secret): KnownSecret => ({ secret, origin: 'current' })),
      ...others.map((secret): KnownSecret => ({ secret, origin: 'other-endpoint' })),
    ];
  }

  return {
    /** Throws AppFailure INVALID_INPUT if its body was not stored in full, or no sender is known. */
    async diagnose(
      callback: StoredCallback,
      { secrets: given, sender }: DiagnosisOptions = {},
    ): Promise<SignatureDiagnosis> {
      const { id, headers, truncated, receivedAt, refusal, isBodyLost } = callback;
      const unavailable = (why: string) =>
        new AppFailure('INVALID_INPUT', `The signature of callback ${id} can’t be diagnosed: ${why}.`);
      if (refusal) throw unavailable('the request was refused before it was complete');
      if (truncated || isBodyLost) throw unavailable('its body was not stored in full');
      const profile = profileOf(callback, sender);
      if (!profile) throw unavailable('no known sender signs like this, so choose the sender');
      const decodedBody = codingsOf(headers).length > 0 ? decodeAtOnce(callback, maxDecodedBytes) : undefined;
      const tried = { ...requestOf(callback), decodedBody };
      return diagnoseRequest(profile, tried, given ?? (await secretsFor(callback)), receivedAt);
    },
    /** The headers, unless they stay as received, with another timestamp and signature. Throws AppFailure UNAVAILABLE, INVALID_INPUT for an unknown sender. */
    async sign(
      callback: StoredCallback,
      { headers, body, url }: Outgoing,
      signing: ReplaySigning,
      clock: Pick<Clock, 'now'>,
      as?: SignAs,
    ) {
      if (signing === 'as-received') return headers;
      const profile = profileOf(callback, as?.sender);
      const known: readonly KnownSecret[] = as
        ? [{ secret: as.secret, origin: 'current' }]
        : await secretsFor(callback);
      const request = { ...requestOf(callback, url ?? publicBase()), headers, body };
      for (const { secret, origin } of known) {
        const id = signing === 'new-id' ? `replay_${randomUUID()}` : undefined;
        const signed =
          profile && origin === 'current' && signRequest(profile, request, { secret, now: clock.now(), id });
        if (signed) return signed;
      }
      const reason = !profile
        ? 'its sender is unknown. Choose the sender of its path'
        : known.some(({ origin, secret }) => origin === 'current' && secret !== '')
          ? `${profile.name}’s signatures can’t be made here`
          : 'its secret is missing. Add it';
      throw new AppFailure('UNAVAILABLE', `Callback ${callback.id} can’t be signed: ${reason}.`);
    },
  };
}
