// Where and how a request of the app goes out: to addresses that the guard allows, by the proxy and with the certificates of the
// connection in use.
import { type Clock, forbiddenCode, isLoopback, targetOf } from '@rainbell/shared';
import { systemProxyFor, trustSystemCertificates } from '@rainbell/shared/node';
import { networkFailure } from './network-failure.ts';
import { certificatesIn, type Transport } from './transport.ts';
import type { SendGuard } from './send-guard.ts';

export type Sending = {
  clock: Clock;
  guard: SendGuard;
  /** A certificate authority to trust in addition to the system's: the receiver's own. */
  authority: () => string | undefined;
  /** Of the connection in use. Its proxy, or the system's, serves every target but this machine. */
  transport: () => Transport;
};

/** `pems`: the certificates to trust in addition. `lookup`: without a proxy, which looks names up itself. */
export async function routeOf(url: URL, { guard, authority, transport }: Omit<Sending, 'clock'>) {
  const isTls = url.protocol === 'https:';
  if (isTls) trustSystemCertificates();
  const { caPem, proxyUrl } = transport();
  const own = [authority(), ...certificatesIn(caPem ?? '')].filter((pem) => pem !== undefined);
  return {
    pems: isTls ? own : [],
    proxyUrl: isLoopback(url.hostname) ? null : (proxyUrl ?? (await systemProxyFor(url))),
    lookup: guard.lookupFor(targetOf(url).port),
  };
}

/** Why there was no response, as a sentence. */
export function describeSendError(error: unknown, url: string, limitMs: number | undefined, proxyUrl: string | null) {
  if (error instanceof Error && 'code' in error && error.code === forbiddenCode)
    return `${URL.parse(url)?.host ?? url} ${error.message}, so nothing was sent there.`;
  return networkFailure(error, url, limitMs, proxyUrl).message;
}
