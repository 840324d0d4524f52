// The receiver's own certificates for TLS: an authority that users have others trust, and a certificate for this machine's
// addresses, created at each start, whose key stays in memory.
import { X509Certificate } from 'node:crypto';
import { generate } from 'selfsigned';
import type { KeyAndCertificate } from './listen-access.ts';

const dayMs = 86_400_000;
const authorityDays = 5 * 365;
/** Apple's limit for certificates of servers is 398. */
const leafDays = 397;
/** An authority that ends sooner is replaced. */
const renewDays = 90;

export async function makeAuthority(now: number): Promise<KeyAndCertificate> {
  const { private: key, cert } = await generate(
    [{ name: 'commonName', value: 'Rainbell receiver (this machine only)' }],
    {
      ...validity(now, authorityDays),
      keyType: 'ec',
      algorithm: 'sha256',
      extensions: [
        { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
        { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
      ],
    },
  );
  return { key, cert };
}

/** `addresses`: of this machine in its networks, in addition to loopback. */
export async function makeLeaf(
  authority: KeyAndCertificate,
  addresses: readonly string[],
  now: number,
): Promise<KeyAndCertificate> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    ...validity(now, leafDays),
    keyType: 'ec',
    algorithm: 'sha256',
    ca: authority,
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          ...['127.0.0.1', '::1', ...addresses].map((ip) => ({ type: 7 as const, ip })),
        ],
      },
    ],
  });
  return { key, cert };
}

export function isAuthorityFresh({ cert }: KeyAndCertificate, now: number): boolean {
  const { validFromDate, validToDate } = new X509Certificate(cert);
  // Made by a clock that was ahead, and not valid yet.
  if (validFromDate.getTime() > now) return false;
  return validToDate.getTime() - now > renewDays * dayMs;
}

export function describeAuthority(cert: string): { fingerprint: string; expiresAt: string } {
  const { fingerprint256, validToDate } = new X509Certificate(cert);
  return { fingerprint: fingerprint256, expiresAt: validToDate.toISOString() };
}

/** From a day before, because clocks of other machines differ. */
function validity(now: number, days: number) {
  // Dates of given instants, no clock.
  // oxlint-disable-next-line no-restricted-globals
  return { notBeforeDate: new Date(now - dayMs), notAfterDate: new Date(now + days * dayMs) };
}
