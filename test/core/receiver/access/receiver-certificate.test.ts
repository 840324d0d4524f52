// The receiver's certificates as other programs read them. The extensions are compared in DER (RFC 5280 section 4.2.1).
import { X509Certificate } from 'node:crypto';
import { connect, createServer } from 'node:tls';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { makeAuthority, makeLeaf } from '#core/receiver/access/receiver-certificate.ts';
import { issueCertificate } from '#test/electron/sign-in/issue-certificate.ts';
import { listen } from '#test/setup/listen.ts';

const dayMs = 86_400_000;
const now = Date.parse('2026-11-21T06:00:00Z');

let authority: Awaited<ReturnType<typeof makeAuthority>>;
beforeAll(async () => {
  authority = await makeAuthority(now);
});

const read = ({ cert }: { cert: string }) => {
  const x509 = new X509Certificate(cert);
  const days = (date: Date) => (date.getTime() - now) / dayMs;
  return {
    x509,
    der: x509.raw.toString('hex'),
    validity: [days(x509.validFromDate), days(x509.validToDate)],
    key: x509.publicKey.asymmetricKeyType,
  };
};

/** An extension by the last part of its number 2.5.29.x, marked as critical. */
const critical = (last: string, value: string) =>
  `0603551d${last}0101ff04${(value.length / 2).toString(16).padStart(2, '0')}${value}`;
const keyUsage = '0f';
const basicConstraints = '13';
const ecdsaWithSha256 = '06082a8648ce3d040302';

describe('an authority', () => {
  test('may only sign certificates of servers, for five years', () => {
    const { der, key, validity, x509 } = read(authority);
    expect([x509.subject, x509.issuer]).toEqual(Array(2).fill('CN=Rainbell receiver (this machine only)'));
    expect([key, validity, x509.ca]).toEqual(['ec', [-1, 5 * 365], true]);
    // For an authority, without others below it.
    expect(der).toContain(critical(basicConstraints, '30060101ff020100'));
    // Signs certificates (bit 5) and lists of revoked ones (bit 6).
    expect(der).toContain(critical(keyUsage, '03020106'));
    expect(der).toContain(ecdsaWithSha256);
  });
});

test('a certificate is for this machine as a server, for 397 days', async () => {
  const { der, key, validity, x509 } = read(await makeLeaf(authority, ['192.0.2.7'], now));
  expect([x509.subject, x509.ca, key, validity]).toEqual(['CN=localhost', false, 'ec', [-1, 397]]);
  expect(x509.subjectAltName).toBe(
    'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, IP Address:192.0.2.7',
  );
  expect(x509.verify(new X509Certificate(authority.cert).publicKey)).toBe(true);
  expect(der).toContain(critical(basicConstraints, '3000'));
  // Signs handshakes (bit 0), as a server (id-kp-serverAuth).
  expect(der).toContain(critical(keyUsage, '03020780'));
  expect(x509.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  expect(der).toContain(ecdsaWithSha256);
});

/** How OpenSSL's verification of a server with this certificate ends, as a client that trusts the authority sees it. */
async function connectTo(certificate: { cert: string; key: string }, servername?: string): Promise<string> {
  const server = createServer(certificate, (socket) => socket.end()).on('tlsClientError', () => {});
  const port = await listen(server);
  const socket = connect({ port, host: '127.0.0.1', ca: authority.cert, ...(servername ? { servername } : {}) });
  onTestFinished(() => void socket.destroy());
  return new Promise((resolve) => {
    socket.once('secureConnect', () => resolve('trusted'));
    socket.once('error', (error) => resolve(error.message));
  });
}

describe('those who trust the authority', () => {
  beforeAll(async () => {
    authority = await makeAuthority(Date.now());
  });

  test('trust the receiver at localhost and its addresses', async () => {
    const leaf = await makeLeaf(authority, ['192.168.1.7', '203.0.113.9'], Date.now());
    expect(await connectTo(leaf, 'localhost')).toBe('trusted');
    expect(await connectTo(leaf)).toBe('trusted');
  });

  test.each(['bank.example', 'localhost.bank.example'])('trust no website %s in its name', async (name) => {
    const forged = await issueCertificate({ name, issuer: authority, hosts: [name], validTo: '2036-01-01T00:00:00Z' });
    expect(await connectTo(forged, name)).toMatch(/permitted subtree violation/i);
  });
});
