// The browser session of a connection's sign-in window, kept only if the user chose that, with its own certificates and proxy.
import { type Certificate, session, type Session } from 'electron';
import type { Clock } from '@rainbell/shared';
import { certificatesIn, type DialogRequest } from '@rainbell/core';
import { isTrustedByConnection } from './own-certificates.ts';
import { denyPermissions } from '../screens/window-guard.ts';

type Wanted = Pick<DialogRequest, 'browserSession' | 'transport'>;

/** Returns a session that is ready for a window. The caller calls `clearUnlessPersistent` in the end. */
export async function openDialogSession({ browserSession, transport }: Wanted, clock: Clock): Promise<Session> {
  const { connectionId, isSaved: isPersistent, isFresh } = browserSession;
  const persistent = session.fromPartition(persistentPartition(connectionId));
  if (isPersistent && isFresh) await clearAll(persistent);
  // In memory, without "persist:". Electron frees none before the app quits (electron_browser_context.cc), so each connection has one.
  const partition = isPersistent ? persistent : session.fromPartition(`oauth-${connectionId}`);
  denyPermissions(partition);
  trustOwnCertificates(partition, transport.caPem, clock);
  await partition.setProxy(
    transport.proxyUrl === null
      ? { mode: 'system' }
      : // By default Chromium connects to this computer directly; the connection's other requests do not.
        { mode: 'fixed_servers', proxyRules: transport.proxyUrl, proxyBypassRules: '<-loopback>' },
  );
  return partition;
}

export async function clearUnlessPersistent(
  partition: Session,
  { isSaved: isPersistent }: DialogRequest['browserSession'],
): Promise<void> {
  if (!isPersistent) await clearAll(partition);
}

/** Clears the cookies, storage, and caches of a connection's sign-in window, also those of an earlier start. */
export async function clearBrowserSession(connectionId: string): Promise<void> {
  await clearAll(session.fromPartition(persistentPartition(connectionId)));
}

function persistentPartition(connectionId: string): string {
  return `persist:oauth-${connectionId}`;
}

async function clearAll(partition: Session): Promise<void> {
  await Promise.allSettled([partition.clearStorageData(), partition.clearCache(), partition.clearAuthCache()]);
}

/** Results of a certificate verifier (electron.d.ts): accepted, and "use Chromium's result". */
const accepted = 0;
const asFound = -3;
/** Chromium's net::ERR_CERT_AUTHORITY_INVALID. */
const unknownIssuer = -202;

function trustOwnCertificates(partition: Session, caPem: string | null, clock: Clock): void {
  if (caPem === null) {
    partition.setCertificateVerifyProc(null);
    return;
  }
  const trusted = certificatesIn(caPem);
  partition.setCertificateVerifyProc(({ hostname, certificate, errorCode }, decide) => {
    const isOurs =
      errorCode === unknownIssuer &&
      isTrustedByConnection({ chain: chainOf(certificate), hostname }, trusted, clock.now());
    decide(isOurs ? accepted : asFound);
  });
}

function chainOf(certificate: Certificate): string[] {
  const chain: string[] = [];
  // A root is its own issuer, so without a limit this would not end.
  for (let current: Certificate | undefined = certificate; current && chain.length < 8; current = current.issuerCert) {
    chain.push(current.data);
  }
  return chain;
}
