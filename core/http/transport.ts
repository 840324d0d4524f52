// The certificates and the proxy of a connection, which apply to every request alike (docs/tokens.md). Without a proxy of its own, the
// system's applies. Certificates are trusted in addition to the system's; there is no "trust all".
import { X509Certificate } from 'node:crypto';

export type Transport = {
  /** PEM; null for none. */
  caPem: string | null;
  proxyUrl: string | null;
};

export const plainTransport: Transport = { caPem: null, proxyUrl: null };

const certificatePattern = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

export function certificatesIn(pem: string): string[] {
  return pem.match(certificatePattern) ?? [];
}

/** Describes why the text is not a list of certificates; undefined if it is one. */
export function certificateProblem(pem: string): string | undefined {
  if (pem.includes('PRIVATE KEY')) return 'contains a private key. Paste only the certificates';
  const certificates = certificatesIn(pem);
  if (certificates.length === 0)
    return 'must contain at least one certificate, starting with “-----BEGIN CERTIFICATE-----”';
  const broken = certificates.findIndex((certificate) => !isCertificate(certificate));
  return broken === -1 ? undefined : `contains a certificate that cannot be read (number ${broken + 1})`;
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
