// Sends the requests of the endpoint check, each on a connection of its own, and says what a report needs of the response.
import type { CheckAttempt, HeaderList } from '@rainbell/contract/app-rpc';
import type { Parts } from '../app/feature.ts';
import { AppFailure } from '../errors/app-failure.ts';
import {
  createRequestSender,
  type OutgoingRequest,
  type Sending,
  sendTiming,
  type SendTiming,
} from '../http/send-request.ts';
import { requireSender, standardWebhooks } from '../senders/sender-rows.ts';
import type { CheckTarget } from './check-events.ts';

export type CheckRequest = Omit<OutgoingRequest, 'url' | 'method'> & { sent: string; method?: string };

export type CheckReply = CheckAttempt & {
  /** Of the response. */
  headers: HeaderList;
  /** Whether the response came before the body was sent. */
  isEarly: boolean;
};

/** The service's own limit. */
export const defaultTiming: SendTiming = { ...sendTiming, responseMs: 15_000 };

export type CheckSender = ReturnType<typeof createCheckSender>;

export type CheckSenderOptions = Sending & {
  timing: SendTiming;
  /** Ends the request in progress; the next one throws its reason. */
  signal?: AbortSignal | undefined;
};

export function createCheckSender({ timing, signal, ...sending }: CheckSenderOptions) {
  const sender = createRequestSender({ ...sending, timing, keepsAlive: false });
  return {
    /** Throws like the guard’s `requireAllowed`; everything else is in the exchange. */
    async send(url: string, { sent, method = 'POST', ...request }: CheckRequest): Promise<CheckReply> {
      signal?.throwIfAborted();
      const finished = await sender.send({ ...request, url, method }, 0, signal);
      const { outcome, interim, isEarly, isLate, tookMs } = finished;
      const facts = { sent, interim: [...interim], isEarly, tookMs };
      if (outcome.kind === 'answered')
        return { ...facts, status: outcome.status, headers: outcome.headers, problem: null };
      const why = isLate ? `no response within ${timing.responseMs / 1000} s` : outcome.message.replace(/\.$/, '');
      return { ...facts, status: null, headers: [], problem: outcome.kind === 'failed' ? why : null };
    },
  };
}

type Wanted = Pick<CheckTarget, 'url' | 'monitorId'> & {
  /** Null for a Rainbell service. */
  sender: string | null;
  /** Null for that of the connection in use. */
  secret: string | null;
};

/** What a check needs of the app. Throws AppFailure INVALID_INPUT for an unknown sender or a missing secret. */
export async function openCheck(
  { sending, webhookSecrets }: Pick<Parts, 'sending' | 'webhookSecrets'>,
  { sender, secret, ...wanted }: Wanted,
  how: Pick<CheckSenderOptions, 'timing' | 'signal'>,
): Promise<CheckTarget & CheckSender> {
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
