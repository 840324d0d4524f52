// Events as the service sends them (docs/delivery.md), the Monitor as JSON, signed by Standard Webhooks; and as another sender does.
import { randomBytes } from 'node:crypto';
import type { HeaderList } from '@rainbell/contract/app-rpc';
import { type Clock, productVersion, projectPage } from '@rainbell/shared';
import { AppFailure } from '../errors/app-failure.ts';
import type { SenderProfile } from '../senders/sender-profile.ts';
import { standardWebhooks } from '../senders/sender-rows.ts';
import type { SenderRequest } from '../senders/sender-request.ts';
import {
  encode,
  entryOf,
  sampleRequest,
  type SigningMistake,
  signingScheme,
  signRequest,
} from '../senders/sign-request.ts';
import { keyOf, makeKey } from '../senders/verify-sender.ts';

export type SignOptions = {
  /** The attempt's time, in seconds from now; negative for the past. */
  shiftSeconds?: number;
  /** Each adds a signature, in this order. */
  secrets?: readonly string[];
};

type NewEvent = { monitorId?: string; more?: Readonly<Record<string, unknown>> };

export type CheckEvents = ReturnType<typeof createCheckEvents>;

export type CheckTarget = {
  url: string;
  /** The sender to sign as; `standardWebhooks` for a Rainbell service. */
  profile: SenderProfile;
  secret: string;
  /** Null for a made-up one. */
  monitorId: string | null;
  clock: Clock;
};

/** Throws AppFailure INVALID_INPUT for a sender or a secret that can't sign. */
export function createCheckEvents({ url, secret, monitorId, clock, profile }: CheckTarget) {
  const { name } = profile;
  const isRainbell = profile === standardWebhooks;
  const example = sampleRequest(profile, url, 'check');
  const scheme = signingScheme(profile, example);
  const refuse = (message: string, field: string) => new AppFailure('INVALID_INPUT', message, { field });
  if (!scheme) throw refuse(`Rainbell can’t sign as ${name} does.`, 'sender');
  if (!signRequest(profile, example, { secret, now: clock.now() }))
    throw refuse(`This secret can’t sign as ${name} does. Enter it exactly as the sender shows it.`, 'secret');
  const signatureNames = new Set(profile.schemes.flatMap(({ sig }) => sig).map((ref) => ref.replace('header:', '')));
  return {
    secret,
    /** Another sender's name; null for a Rainbell service. */
    sender: isRainbell ? null : name,
    signatureHeader: String(scheme.sig[0]).replace('header:', ''),
    /** How old a signature may be, in seconds; null if it has no limit. */
    tolerance: scheme.timestamp?.tolerance ?? null,
    /** Whether a request can have the signatures of two secrets. */
    canRotate: scheme.list !== undefined,
    /** Another event with each call, unsigned. `more` adds members to its body. */
    create({ monitorId: id = monitorId ?? 'precipitation_1', more = {} }: NewEvent = {}): SenderRequest {
      const eventId = `check_${randomBytes(16).toString('hex')}`;
      const sample = sampleRequest(profile, url, eventId);
      const monitor = {
        uri: `/v2/monitors/${encodeURIComponent(id)}/`,
        geo: { type: 'Point', coordinates: [7.6869, 45.0703] },
        id,
        callback_uri: url,
        monitor_type: 'precipitation',
      };
      const members = isRainbell ? monitor : (JSON.parse(sample.body.toString()) as object);
      const headers = isRainbell ? rainbellHeaders(eventId, Math.floor(clock.now() / 1000)) : sample.headers;
      return {
        method: 'POST',
        url,
        headers: headers.filter(([header]) => !signatureNames.has(header.toLowerCase())),
        body: Buffer.from(JSON.stringify({ ...members, ...more })),
      };
    },
    /** An attempt; without a signature if the mistake allows none. */
    sign(
      request: SenderRequest,
      { shiftSeconds = 0, secrets = [secret] }: SignOptions = {},
      mistake: SigningMistake = {},
    ): SenderRequest {
      const [first = secret] = secrets;
      const isRotation = secrets.length > 1;
      const signing = { secret: isRotation ? secret : first, now: clock.now() + shiftSeconds * 1000 };
      const write = (hash: Buffer) =>
        secrets
          .map((one) => entryOf(scheme) + encode(scheme, one === secret ? hash : randomBytes(hash.length)))
          .join(scheme.list?.sep[0]);
      // A made-up secret need not look like the sender's.
      const key = signing.secret === secret ? undefined : (keyOf(scheme, first) ?? makeKey(scheme, Buffer.from(first)));
      const change = isRotation ? { write } : { key, ...mistake };
      return { ...request, headers: signRequest(profile, request, signing, change) ?? request.headers };
    },
  };
}

function rainbellHeaders(eventId: string, timestamp: number): HeaderList {
  return [
    ['content-type', 'application/json'],
    ['user-agent', `Rainbell/${productVersion} (+${projectPage})`],
    ['webhook-id', eventId],
    ['webhook-timestamp', String(timestamp)],
  ];
}

export function unknownSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}
