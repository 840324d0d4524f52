// The endpoint check of the app: with the guard, the proxy, and the secret of the active connection.
import type { CheckCaseId, CheckedCase } from '@rainbell/contract/app-rpc';
import type { SendGuard } from '../callbacks/send-guard.ts';
import { AppFailure } from '../errors/app-failure.ts';
import type { Transport } from '../http/transport.ts';
import type { Clock } from '@rainbell/shared';
import { createCheckSender, defaultTiming } from './check-sender.ts';
import { createEndpointCheck } from './endpoint-check.ts';

type AppEndpointCheckOptions = {
  clock: Clock;
  guard: SendGuard;
  authority: () => string | undefined;
  transport: () => Transport;
  /** The secrets that sign callbacks of the active connection, newest first. */
  secrets: () => Promise<readonly string[]>;
};

type RunCaseOptions = {
  url: string;
  case: CheckCaseId;
  /** Null for that of the active connection. */
  secret: string | null;
  monitorId: string | null;
  responseMs?: number | undefined;
};

export function createAppEndpointCheck({ secrets, ...options }: AppEndpointCheckOptions) {
  const running = new Set<() => void>();

  function open(responseMs = defaultTiming.responseMs) {
    const sender = createCheckSender({ ...options, timing: { ...defaultTiming, responseMs } });
    return createEndpointCheck({ sender, clock: options.clock });
  }

  return {
    /** Throws AppFailure INVALID_INPUT for a URL to which nothing is sent. */
    async prepare(url: string): Promise<{ shownUrl: string; requests: number; secret: 'none' | 'connection' }> {
      const prepared = open().prepare(url);
      const [known] = await secrets().catch(() => []);
      return { ...prepared, secret: known === undefined ? 'none' : 'connection' };
    },
    async runCase({ secret, responseMs, ...wanted }: RunCaseOptions, signal?: AbortSignal): Promise<CheckedCase> {
      const signing = secret ?? (await secrets())[0];
      if (signing === undefined) {
        const message = 'This connection has no webhook secret. Enter the one that your handler uses.';
        throw new AppFailure('INVALID_INPUT', message, { field: 'secret' });
      }
      const { runCase, close } = open(responseMs);
      running.add(close);
      signal?.addEventListener('abort', close, { once: true });
      try {
        return await runCase({ ...wanted, secret: signing });
      } finally {
        running.delete(close);
      }
    },
    close() {
      for (const end of running) end();
    },
  };
}
