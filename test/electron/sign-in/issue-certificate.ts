// Certificates for tests, made in the test's own process.
import { generate } from 'selfsigned';

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
    ...hosts.map((value) => ({ type: 2 as const, value })),
    ...ips.map((ip) => ({ type: 7 as const, ip })),
  ];
  const { cert, private: key } = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(validFrom),
    notAfterDate: new Date(validTo),
    extensions: [
      { name: 'basicConstraints', cA: isAuthority, critical: true },
      ...(altNames.length > 0 ? [{ name: 'subjectAltName' as const, altNames }] : []),
    ],
    ...(issuer && { ca: issuer }),
  });
  return { cert, key };
}
