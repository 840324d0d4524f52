// The receiver's certificates as other programs read them.
import { X509Certificate } from 'node:crypto';
import { connect, createServer } from 'node:tls';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { makeAuthority, makeLeaf } from '#core/receiver/access/receiver-certificate.ts';
import { issueCertificate } from '#test/electron/sign-in/issue-certificate.ts';
import { listen } from '#test/setup/listen.ts';

let authority: Awaited<ReturnType<typeof makeAuthority>>;
beforeAll(async () => {
  authority = await makeAuthority(Date.now());
});

test('an authority holds for five years, and what it signs for 397 days, for a server', async () => {
  const now = Date.parse('2026-11-21T06:00:00Z');
  const made = await makeAuthority(now);
  const read = ({ cert }: { cert: string }) => new X509Certificate(cert);
  const [root, leaf] = [read(made), read(await makeLeaf(made, ['192.0.2.7'], now))];
  const days = (date: Date) => (date.getTime() - now) / 86_400_000;
  const facts = [root, leaf].map(({ ca, validFromDate, validToDate }) => [ca, days(validFromDate), days(validToDate)]);
  expect(facts).toEqual([
    [true, -1, 5 * 365],
    [false, -1, 397],
  ]);
  // id-kp-serverAuth (RFC 5280 section 4.2.1.12).
  expect(leaf.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  expect(leaf.subjectAltName).toBe(
    'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, IP Address:192.0.2.7',
  );
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

test('those who trust the authority trust the receiver at localhost and its addresses', async () => {
  const leaf = await makeLeaf(authority, ['192.168.1.7', '203.0.113.9'], Date.now());
  expect(await connectTo(leaf, 'localhost')).toBe('trusted');
  expect(await connectTo(leaf)).toBe('trusted');
});

test.each(['bank.example', 'localhost.bank.example'])(
  'those who trust the authority trust no website %s in its name',
  async (name) => {
    const forged = await issueCertificate({ name, issuer: authority, hosts: [name], validTo: '2036-01-01T00:00:00Z' });
    expect(await connectTo(forged, name)).toMatch(/permitted subtree violation/i);
  },
);
