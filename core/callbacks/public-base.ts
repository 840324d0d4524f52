// Where services on other machines reach this receiver: the address of a tunnel that the person keeps open. It is taken only
// after a request that went out to it has come in here.
import { randomUUID } from 'node:crypto';
import { AppFailure } from '#core/errors/app-failure.ts';
import type { CallbackPages } from '../receiver/callback-pages.ts';
import type { Receiver } from '../receiver/receiver.ts';
import type { AppSettings } from '../settings/app-settings.ts';
import type { RequestSender } from './send-request.ts';

export type PublicBase = {
  /** Null forgets it. Throws AppFailure INVALID_INPUT or NETWORK with words, and then nothing changed. */
  change: (base: string | null) => Promise<void>;
};

type PublicBaseDependencies = {
  sender: Pick<RequestSender, 'send'>;
  pages: Pick<CallbackPages, 'page'>;
  receiver: Pick<Receiver, 'state' | 'remove'>;
  settings: AppSettings;
  onChanged: () => void;
};

/** Others may arrive between the check and the look for it. */
const lookedAt = 100;

export function createPublicBase({ sender, pages, receiver, settings, onChanged }: PublicBaseDependencies): PublicBase {
  async function requireRoundTrip(origin: string): Promise<void> {
    const name = randomUUID();
    const target = `/hooks/check-${name}`;
    const { outcome } = await sender.send(
      {
        method: 'POST',
        url: `${origin}${target}`,
        headers: [
          ['content-type', 'application/json'],
          ['webhook-id', `test_${name}`],
          ['x-rainbell-forwarded', '1'],
        ],
        body: Buffer.from('{}'),
      },
      1024,
    );
    // The receiver stores before it answers.
    const arrived = pages.page({ beforeId: undefined, limit: lookedAt }).find((callback) => callback.target === target);
    if (arrived) {
      await receiver.remove([arrived.id]);
      onChanged();
      return;
    }
    const { baseUrl } = receiver.state();
    const end = outcome.kind === 'answered' ? `something else answered ${outcome.status}` : outcome.message;
    throw new AppFailure(
      'NETWORK',
      `A request to ${origin} did not arrive here: ${end.replace(/\.$/, '')}. Let the tunnel lead to ${baseUrl ?? 'the receiver'}, see that the receiver is not paused, and try again.`,
      { field: 'base' },
    );
  }

  return {
    async change(base) {
      const origin = base === null ? null : originOf(base.trim());
      if (origin !== null) await requireRoundTrip(origin);
      settings.update({ publicBase: origin });
    },
  };
}

/** Callbacks come to the path that stands in their address, so the base has none. */
function originOf(text: string): string {
  const url = URL.parse(text);
  const isPlain = url !== null && url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '';
  if (isPlain && /^https?:$/.test(url.protocol)) return url.origin;
  throw new AppFailure('INVALID_INPUT', 'Type an address without a path, such as https://rain.example.net.', {
    field: 'base',
  });
}
