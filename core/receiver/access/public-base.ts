// The URL at which services on other machines reach this receiver: that of a tunnel that the user keeps open. Saved only after a
// test request to it has arrived.
import { randomUUID } from 'node:crypto';
import type { HeaderList } from '@rainbell/contract/app-rpc';
import { AppFailure } from '../../errors/app-failure.ts';
import type { CallbackPages } from '../records/callback-pages.ts';
import type { Receiver } from '../server/receiver.ts';
import type { AppSettings } from '../../settings/app-settings.ts';
import type { RequestSender } from '../../http/send-request.ts';

type PublicBaseDependencies = {
  sender: RequestSender;
  pages: CallbackPages;
  receiver: Receiver;
  settings: AppSettings;
  onChanged: () => void;
};

/** Others may arrive between the check and the search for it. */
const lookedAt = 100;

/** Null deletes it. Throws AppFailure INVALID_INPUT or NETWORK with a message, and then nothing changes. */
export async function changePublicBase(
  dependencies: PublicBaseDependencies,
  base: string | null,
  signal?: AbortSignal,
): Promise<void> {
  const origin = base === null ? null : originOf(base.trim());
  if (origin !== null) await requireRoundTrip(dependencies, origin, signal);
  dependencies.settings.update({ publicBase: origin });
}

async function requireRoundTrip(
  { sender, pages, receiver, onChanged }: PublicBaseDependencies,
  origin: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const name = randomUUID();
  const target = `/hooks/check-${name}`;
  const headers: HeaderList = [
    ['content-type', 'application/json'],
    ['webhook-id', `test_${name}`],
    ['x-rainbell-forwarded', '1'],
  ];
  const request = { method: 'POST', url: `${origin}${target}`, headers, body: Buffer.from('{}') };
  const { outcome } = await sender.send(request, 1024, signal);
  // The receiver stores before it answers.
  const arrived = pages.page({ beforeId: undefined, limit: lookedAt }).find((callback) => callback.target === target);
  if (arrived) {
    await receiver.call('remove', [arrived.id]);
    onChanged();
    return;
  }
  const problem =
    outcome.kind === 'answered'
      ? `The test request to ${origin} did not reach the receiver: another server responded with ${outcome.status}.`
      : `The test request to ${origin} did not reach the receiver. ${outcome.message}`;
  const advice = `Point the tunnel at ${receiver.state().baseUrl ?? 'the receiver'}, check that the receiver is not paused, and try again.`;
  throw new AppFailure('NETWORK', `${problem} ${advice}`, { field: 'base' });
}

/** The callback URL has its own path, so the base has none. */
function originOf(text: string): string {
  const url = URL.parse(text);
  const isPlain = url !== null && url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '';
  if (isPlain && /^https?:$/.test(url.protocol)) return url.origin;
  const message = 'Enter a URL without a path, such as https://rain.example.net.';
  throw new AppFailure('INVALID_INPUT', message, { field: 'base' });
}
