// Certificates for tests, made in the test's own process.
import { createPrivateKey, KeyObject } from 'node:crypto';
import {
  BasicConstraintsExtension,
  SubjectAlternativeNameExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

export type Issued = { cert: string; key: string };

type Options = {
  name: string;
  /** Without one, the certificate signs itself. */
  issuer?: Issued;
  isAuthority?: boolean;
  /** DNS names; none by default. */
  hosts?: readonly string[];
  ips?: readonly string[];
  validFrom?: string;
  validTo?: string;
};

/** Without `hosts` and `ips`, the certificate names hosts only in its subject, if at all. */
export async function issueCertificate({
  name,
  issuer,
  isAuthority = issuer === undefined,
  hosts = [],
  ips = [],
  validFrom = '2026-11-01T00:00:00Z',
  validTo = '2027-11-01T00:00:00Z',
}: Options): Promise<Issued> {
  const altNames = [
    ...hosts.map((value) => ({ type: 'dns' as const, value })),
    ...ips.map((value) => ({ type: 'ip' as const, value })),
  ];
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.create({
    subject: `CN=${name}`,
    issuer: issuer ? new X509Certificate(issuer.cert).subject : `CN=${name}`,
    publicKey: keys.publicKey,
    signingKey: issuer ? await importKey(issuer.key) : keys.privateKey,
    signingAlgorithm: algorithm,
    notBefore: new Date(validFrom),
    notAfter: new Date(validTo),
    extensions: [
      new BasicConstraintsExtension(isAuthority, undefined, true),
      ...(altNames.length > 0 ? [new SubjectAlternativeNameExtension(altNames)] : []),
    ],
  });
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString();
  return { cert: certificate.toString('pem'), key };
}

function importKey(pem: string): Promise<CryptoKey> {
  const der = createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' });
  return crypto.subtle.importKey('pkcs8', new Uint8Array(der), algorithm, false, ['sign']);
}
