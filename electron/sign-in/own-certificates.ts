// The sign-in window trusts the connection's own certificates in addition to the system's, like every other request. Only the error
// of an unknown issuer is overruled, and only if the chain ends in one of them, for this host and at this time. A revoked or expired
// certificate or one for another host stays refused, and there is no "trust all".
import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

export type PresentedCertificate = {
  /** PEM, the host's own first, then its issuers as the host sent them. */
  chain: readonly string[];
  hostname: string;
};

/** Whether one of the certificates in `caPems` vouches for what the host presented. */
export function isTrustedByConnection(
  { chain, hostname }: PresentedCertificate,
  caPems: readonly string[],
  now: number,
): boolean {
  const [leaf, ...issuers] = readAll(chain);
  const trusted = readAll(caPems);
  if (!leaf || !isFor(hostname, leaf)) return false;
  let current = leaf;
  for (let depth = 0; depth < 8; depth += 1) {
    if (!isValidAt(current, now)) return false;
    const at = current;
    if (trusted.some((anchor) => anchor.raw.equals(at.raw) || (isIssuerOf(anchor, at) && isValidAt(anchor, now)))) {
      return true;
    }
    const next = issuers.find((issuer) => !issuer.raw.equals(at.raw) && isIssuerOf(issuer, at));
    if (!next) return false;
    current = next;
  }
  return false;
}

/** `checkIP` throws if the host is a name. The subject is never read, as in browsers. */
function isFor(hostname: string, certificate: X509Certificate): boolean {
  const found =
    isIP(hostname) === 0 ? certificate.checkHost(hostname, { subject: 'never' }) : certificate.checkIP(hostname);
  return found !== undefined;
}

function isIssuerOf(issuer: X509Certificate, certificate: X509Certificate): boolean {
  return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

function isValidAt({ validFromDate, validToDate }: X509Certificate, now: number): boolean {
  return validFromDate.getTime() <= now && now <= validToDate.getTime();
}

function readAll(pems: readonly string[]): X509Certificate[] {
  return pems.flatMap((pem) => {
    try {
      return [new X509Certificate(pem)];
    } catch {
      return [];
    }
  });
}
