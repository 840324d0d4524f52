// The endpoint check of the app: with the guard, the proxy, and the secret of the active connection.
import type { CheckCaseRequest, CheckedCase } from '@rainbell/contract/app-rpc';
import type { Sending } from '../callbacks/send-route.ts';
import type { SendTiming } from '../callbacks/send-request.ts';
import { AppFailure } from '../errors/app-failure.ts';
import { requireSender, standardWebhooks } from '../senders/sender-rows.ts';
import { runCase } from './check-cases.ts';
import { type CheckEvents, createCheckEvents } from './check-events.ts';
import { createCheckSender, defaultTiming } from './check-sender.ts';
import { diagnoseHandler, type HandlerDiagnosis } from './diagnose-handler.ts';

type AppEndpointCheckOptions = Sending & {
  /** The secrets that sign callbacks of the active connection, newest first. */
  secrets: () => Promise<readonly string[]>;
};

/** `sender`: null for a Rainbell service. `monitorId`: null for a made-up one. */
type Wanted = { url: string; sender: string | null; secret: string; monitorId: string | null };

/** A diagnosis sends hundreds of events, so its slow body is not as slow as that of the check. */
const diagnosisTiming = { ...defaultTiming, slowBodyMs: 600 };

export function createAppEndpointCheck({ secrets, ...sending }: AppEndpointCheckOptions) {
  const { clock, guard } = sending;
  const closing = new AbortController();

  /** Throws AppFailure INVALID_INPUT for an unknown sender. */
  function open({ sender, ...wanted }: Wanted, timing: SendTiming, signal: AbortSignal = closing.signal) {
    const ending = AbortSignal.any([signal, closing.signal]);
    const profile = sender === null ? standardWebhooks : requireSender(sender);
    return { ...wanted, clock, profile, send: createCheckSender({ ...sending, timing, signal: ending }).send };
  }

  async function signingSecret(secret: string | null, sender: string | null): Promise<string> {
    const signing = secret ?? (sender === null ? (await secrets())[0] : undefined);
    if (signing !== undefined) return signing;
    const message =
      sender === null
        ? 'This connection has no webhook secret. Enter the one that your handler uses.'
        : 'Enter the secret that your handler uses for this sender.';
    throw new AppFailure('INVALID_INPUT', message, { field: 'secret' });
  }

  return {
    /** Throws the signal's reason once it is aborted. */
    async runCase(
      { case: id, secret, sender: named, responseMs = defaultTiming.responseMs, ...wanted }: CheckCaseRequest,
      signal?: AbortSignal,
    ): Promise<CheckedCase> {
      const sender = named ?? null;
      const signing = await signingSecret(secret, sender);
      return runCase(id, open({ ...wanted, sender, secret: signing }, { ...defaultTiming, responseMs }, signal));
    },
    /** Throws as `runCase`. */
    diagnose: (wanted: Wanted, signal: AbortSignal): Promise<HandlerDiagnosis> =>
      diagnoseHandler({ ...open(wanted, diagnosisTiming, signal), responseMs: diagnosisTiming.responseMs }),
    requireAllowed: guard.requireAllowed,
    signingSecret,
    /** Throws AppFailure INVALID_INPUT for an unknown sender, or a secret that its rule can't use. */
    eventsOf: (wanted: Wanted): CheckEvents => createCheckEvents(open(wanted, defaultTiming)),
    /** Throws as `eventsOf`. */
    async sendSample(wanted: Wanted, signal: AbortSignal): Promise<void> {
      const target = open(wanted, defaultTiming, signal);
      const { create, sign } = createCheckEvents(target);
      await target.send(wanted.url, { ...sign(create()), sent: 'A sample event' });
    },
    close: () => closing.abort(),
  };
}
