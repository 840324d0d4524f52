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

export function createAppEndpointCheck({ secrets, ...options }: AppEndpointCheckOptions) {
  const sender = createCheckSender({ ...options, timing: defaultTiming });
  const endpointCheck = createEndpointCheck({ sender, clock: options.clock });
  return {
    /** Throws AppFailure INVALID_INPUT for a URL to which nothing is sent. */
    async prepare(url: string): Promise<{ shownUrl: string; requests: number; secret: 'none' | 'connection' }> {
      const prepared = endpointCheck.prepare(url);
      const [known] = await secrets().catch(() => []);
      return { ...prepared, secret: known === undefined ? 'none' : 'connection' };
    },
    /** `secret`: null for that of the active connection. */
    async runCase({
      secret,
      ...wanted
    }: {
      url: string;
      case: CheckCaseId;
      secret: string | null;
      monitorId: string | null;
    }): Promise<CheckedCase> {
      const signing = secret ?? (await secrets())[0];
      if (signing === undefined) {
        const message = 'This connection has no webhook secret. Enter the one that your handler uses.';
        throw new AppFailure('INVALID_INPUT', message, { field: 'secret' });
      }
      return endpointCheck.runCase({ ...wanted, secret: signing });
    },
    close: endpointCheck.close,
  };
}
