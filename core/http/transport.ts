// The one dispatcher of a connection: its own certificates and its proxy hold for every request alike (docs/tokens.md
// T18). Certificates are trusted besides the system's; "trust all" is not offered.
import { X509Certificate } from 'node:crypto';
import { getCACertificates } from 'node:tls';
import type { Dispatcher } from 'undici';
import type { ConnectTrace } from './connect-steps.ts';

export type Transport = {
  /** PEM; null for none. */
  caPem: string | null;
  proxyUrl: string | null;
};

export const plainTransport: Transport = { caPem: null, proxyUrl: null };

/** What talks HTTP is loaded for the first request: loading it is a fifth of the time that a start takes. */
export async function openDispatcher(
  { caPem, proxyUrl }: Transport,
  connectMs: number,
  trace: ConnectTrace,
): Promise<Dispatcher> {
  const { Agent, ProxyAgent, buildConnector } = await import('undici');
  const trusted = caPem === null ? {} : { ca: [...getCACertificates('default'), ...certificatesIn(caPem)] };
  const connect = { timeout: connectMs, ...trusted };
  const shared = { connections: 16, maxHeaderSize: 64 * 1024 };
  if (proxyUrl === null) return new Agent({ ...shared, connect: trace.connector(buildConnector(connect)) });
  return new ProxyAgent({ ...shared, uri: proxyUrl, requestTls: connect, proxyTls: connect });
}

const certificatePattern = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

export function certificatesIn(pem: string): string[] {
  return pem.match(certificatePattern) ?? [];
}

/** Why the text cannot serve as certificates, in words; undefined where it can. */
export function certificateProblem(pem: string): string | undefined {
  if (pem.includes('PRIVATE KEY'))
    return 'holds a private key. Paste the certificates alone, and keep the key to yourself';
  const certificates = certificatesIn(pem);
  if (certificates.length === 0) return 'must hold at least one certificate, from “-----BEGIN CERTIFICATE-----” on';
  const broken = certificates.findIndex((certificate) => !isCertificate(certificate));
  return broken === -1 ? undefined : `holds a certificate that cannot be read (number ${broken + 1})`;
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
