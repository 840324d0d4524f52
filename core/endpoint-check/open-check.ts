// What a check of a handler needs of the app: the guard, the proxy, and the secret of the connection in use.
import type { Parts } from '../app/feature.ts';
import { AppFailure } from '../errors/app-failure.ts';
import { requireSender, standardWebhooks } from '../senders/sender-rows.ts';
import type { CheckOptions } from './check-cases.ts';
import { createCheckSender, type CheckSenderOptions } from './check-sender.ts';

type Wanted = {
  url: string;
  /** Null for a Rainbell service. */
  sender: string | null;
  /** Null for that of the connection in use. */
  secret: string | null;
  /** Null for a made-up one. */
  monitorId: string | null;
};

/** Throws AppFailure INVALID_INPUT for an unknown sender or a missing secret. */
export async function openCheck(
  { sending, webhookSecrets }: Pick<Parts, 'sending' | 'webhookSecrets'>,
  { sender, secret, ...wanted }: Wanted,
  how: Pick<CheckSenderOptions, 'timing' | 'signal'>,
): Promise<CheckOptions> {
  const profile = sender === null ? standardWebhooks : requireSender(sender);
  const signing = secret ?? (sender === null ? (await webhookSecrets.current())[0] : undefined);
  if (signing === undefined) {
    const message =
      sender === null
        ? 'This connection has no webhook secret. Enter the one that your handler uses.'
        : 'Enter the secret that your handler uses for this sender.';
    throw new AppFailure('INVALID_INPUT', message, { field: 'secret' });
  }
  return { ...wanted, clock: sending.clock, profile, secret: signing, ...createCheckSender({ ...sending, ...how }) };
}
