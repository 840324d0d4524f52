// The endpoint check of the app: with the guard, the proxy, and the secret of the active connection.
import { randomUUID } from 'node:crypto';
import { type CheckCaseId, type CheckedCase, type HeaderList } from '@rainbell/contract/app-rpc';
import type { Sending } from '../callbacks/send-route.ts';
import { AppFailure } from '../errors/app-failure.ts';
import type { SenderProfile } from '../senders/sender-profile.ts';
import { sampleRequest, signRequest } from '../senders/sign-request.ts';
import { requireSender, standardWebhooks } from '../senders/sender-rows.ts';
import { type CheckSender, createCheckSender, defaultTiming } from './check-sender.ts';
import { diagnoseHandler } from './diagnose-handler.ts';
import { runCase, withoutQuery } from './endpoint-check.ts';

type AppEndpointCheckOptions = Sending & {
  /** The secrets that sign callbacks of the active connection, newest first. */
  secrets: () => Promise<readonly string[]>;
};

type RunCaseOptions = {
  url: string;
  case: CheckCaseId;
  /** Null for that of the active connection. */
  secret: string | null;
  monitorId: string | null;
  /** Without it, a Rainbell service. */
  sender?: string | null | undefined;
  responseMs?: number | undefined;
};

/** `sender`: null for a Rainbell service. */
type SampleWanted = { url: string; sender: string | null; secret: string };

function profileOf(sender: string | null): SenderProfile {
  return sender === null ? standardWebhooks : requireSender(sender);
}

/** A diagnosis sends hundreds of events, so its slow body is not as slow as that of the check. */
const diagnosisTiming = { ...defaultTiming, slowBodyMs: 600 };

export function createAppEndpointCheck({ secrets, ...options }: AppEndpointCheckOptions) {
  const running = new Set<() => void>();

  async function signingSecret(secret: string | null, sender: string | null = null): Promise<string> {
    const signing = secret ?? (sender === null ? (await secrets())[0] : undefined);
    if (signing !== undefined) return signing;
    const message =
      sender === null
        ? 'This connection has no webhook secret. Enter the one that your handler uses.'
        : 'Enter the secret that your handler uses for this sender.';
    throw new AppFailure('INVALID_INPUT', message, { field: 'secret' });
  }

  /** A signed sample event of a sender. Throws AppFailure INVALID_INPUT for an unknown sender, or a secret that its rule can't use. */
  function sample({ url, sender, secret }: SampleWanted): { headers: HeaderList; body: Buffer } {
    const profile = profileOf(sender);
    const request = sampleRequest(profile, url, `sample_${randomUUID()}`);
    const headers = signRequest(profile, request, { secret, now: options.clock.now() });
    if (headers) return { headers, body: request.body };
    throw new AppFailure('INVALID_INPUT', `This secret can’t sign as ${profile.name} does.`, { field: 'secret' });
  }

  const { requireAllowed } = options.guard;

  async function track<Result>(sender: CheckSender, signal: AbortSignal | undefined, task: () => Promise<Result>) {
    running.add(sender.close);
    signal?.addEventListener('abort', sender.close, { once: true });
    try {
      return await task();
    } finally {
      running.delete(sender.close);
      signal?.removeEventListener('abort', sender.close);
    }
  }

  return {
    /** Throws AppFailure INVALID_INPUT for a URL to which nothing is sent. */
    async prepare(url: string): Promise<{ shownUrl: string; secret: 'none' | 'connection' }> {
      const shownUrl = withoutQuery(requireAllowed(url));
      const [known] = await secrets().catch(() => []);
      return { shownUrl, secret: known === undefined ? 'none' : 'connection' };
    },
    async runCase(
      { secret, responseMs, sender: name = null, case: id, ...wanted }: RunCaseOptions,
      signal?: AbortSignal,
    ): Promise<CheckedCase> {
      const profile = profileOf(name);
      const signing = await signingSecret(secret, name);
      const timing = { ...defaultTiming, responseMs: responseMs ?? defaultTiming.responseMs };
      const sender = createCheckSender({ ...options, timing });
      const given = { ...wanted, send: sender.send, clock: options.clock, profile, secret: signing };
      return track(sender, signal, () => runCase(id, given));
    },
    /** Throws as `runCase`, and the signal's reason once it is aborted. */
    async diagnose({ sender: name, ...wanted }: SampleWanted & { monitorId: string | null }, signal: AbortSignal) {
      const sender = createCheckSender({ ...options, timing: diagnosisTiming });
      const send: CheckSender['send'] = (...request) => {
        signal.throwIfAborted();
        return sender.send(...request);
      };
      const { responseMs } = diagnosisTiming;
      const given = { ...wanted, send, clock: options.clock, profile: profileOf(name), responseMs };
      return track(sender, signal, () => diagnoseHandler(given));
    },
    requireAllowed,
    signingSecret,
    sample,
    /** Throws as `sample`. */
    async sendSample(wanted: SampleWanted, signal: AbortSignal): Promise<void> {
      const { headers, body } = sample(wanted);
      const sender = createCheckSender({ ...options, timing: defaultTiming });
      await track(sender, signal, () => sender.send(wanted.url, { sent: 'A sample event', headers, body }));
    },
    close() {
      for (const end of running) end();
    },
  };
}
