// The receiver's own certificates for TLS: an authority that users have others trust, and a certificate for this machine's
// addresses, created at each start, whose key stays in memory.
import { createPrivateKey, KeyObject, webcrypto, X509Certificate } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { dayMs } from '@rainbell/shared';
import type { KeyAndCertificate } from './receiver-limits.ts';

const authorityDays = 5 * 365;
/** Apple's limit for certificates of servers is 398. */
const leafDays = 397;
/** An authority that ends sooner is replaced. */
const renewDays = 90;

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const authorityName = 'CN=Rainbell receiver (this machine only)';
/**
 * In DER (RFC 5280 section 4.2.1.10): localhost, any IPv4 address, because a machine may have any in its network, and ::1. So the key can't
 * impersonate a website to those who trust the authority.
 */
const permittedNames =
  `303fa03d300b8209${Buffer.from('localhost').toString('hex')}` +
  `300a8708${'00'.repeat(8)}30228720${'00'.repeat(15)}01${'ff'.repeat(16)}`;

export function makeAuthority(now: number): Promise<KeyAndCertificate> {
  return issue(authorityName, [now, authorityDays], undefined, [
    new x509.BasicConstraintsExtension(true, 0, true),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
    new x509.Extension('2.5.29.30', true, Buffer.from(permittedNames, 'hex')),
  ]);
}

/** `addresses`: of this machine in its networks, in addition to loopback. */
export function makeLeaf(
  authority: KeyAndCertificate,
  addresses: readonly string[],
  now: number,
): Promise<KeyAndCertificate> {
  const ips = ['127.0.0.1', '::1', ...addresses].map((value) => ({ type: 'ip' as const, value }));
  return issue('CN=localhost', [now, leafDays], authority, [
    new x509.BasicConstraintsExtension(false, undefined, true),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
    new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
    new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: 'localhost' }, ...ips]),
  ]);
}

/** Without an authority, the certificate signs itself. */
async function issue(
  subject: string,
  [now, days]: readonly [number, number],
  authority: KeyAndCertificate | undefined,
  extensions: x509.Extension[],
): Promise<KeyAndCertificate> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  // From a day before, because clocks of other machines differ. Dates of given instants, no clock.
  // oxlint-disable-next-line no-restricted-globals
  const validity = { notBefore: new Date(now - dayMs), notAfter: new Date(now + days * dayMs) };
  const certificate = await x509.X509CertificateGenerator.create({
    subject,
    issuer: authorityName,
    ...validity,
    publicKey: keys.publicKey,
    signingKey: authority ? createPrivateKey(authority.key).toCryptoKey(algorithm, false, ['sign']) : keys.privateKey,
    signingAlgorithm: algorithm,
    extensions,
  });
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' });
  return { key: key.toString(), cert: certificate.toString('pem') };
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
