// Under which address a service reaches this app's receiver: this machine's own, or, from another machine, the public one.
import { AppFailure } from '../errors/app-failure.ts';
import { isLoopback } from '@rainbell/shared';
import type { Receiver } from '../receiver/server/receiver.ts';

export type OwnAddresses = { receiver: Pick<Receiver, 'state'>; publicBase: () => string | null };

/** Throws AppFailure UNAVAILABLE while there is none. */
export function receiverBaseFor(serviceUrl: string, { receiver, publicBase }: OwnAddresses): string {
  const { baseUrl, notice } = receiver.state();
  const isElsewhere = !isLoopback(URL.parse(serviceUrl)?.hostname ?? '');
  const base = (isElsewhere ? publicBase() : null) ?? baseUrl;
  if (base !== null) return base;
  throw new AppFailure('UNAVAILABLE', notice ?? 'The callback receiver is still starting. Try again in a moment.');
}

/** Whether an address leads to the receiver: this machine, its port and its scheme, or its public base, under any path. */
export function callsThisApp(uri: string | undefined, { receiver, publicBase }: OwnAddresses): boolean {
  const url = URL.parse(uri ?? '');
  const own = URL.parse(receiver.state().baseUrl ?? '');
  if (!url) return false;
  if (url.origin === publicBase()) return true;
  if (!own) return false;
  return ['127.0.0.1', 'localhost'].includes(url.hostname) && url.protocol === own.protocol && url.port === own.port;
}
