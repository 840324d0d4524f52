// Which hosts a connection's own certificates vouch for in the sign-in window.
import { beforeAll, describe, expect, it } from 'vitest';
import { isTrustedByConnection } from '#electron/sign-in/own-certificates.ts';
import { type Issued, issueCertificate } from './issue-certificate.ts';

const now = Date.parse('2026-11-21T06:00:00Z');
const hostname = 'signin.example';
const hosts = [hostname];

let root: Issued;
let leaf: Issued;
beforeAll(async () => {
  root = await issueCertificate({ name: 'Root' });
  leaf = await issueCertificate({ name: 'leaf', issuer: root, hosts });
});

function isTrusted(chain: readonly Issued[], trusted: readonly Issued[], host = hostname, at = now): boolean {
  const pems = (certificates: readonly Issued[]) => certificates.map(({ cert }) => cert);
  return isTrustedByConnection({ chain: pems(chain), hostname: host }, pems(trusted), at);
}

describe('a certificate', () => {
  it('is trusted if it is itself one of the connection’s', async () => {
    const alone = await issueCertificate({ name: 'alone', hosts, isAuthority: false });
    expect(isTrusted([alone], [alone])).toBe(true);
    expect(isTrusted([leaf], [leaf])).toBe(true);
    expect(isTrusted([alone], [leaf])).toBe(false);
  });

  it('is not trusted because of an authority’s name only', async () => {
    const namesake = await issueCertificate({ name: 'Root' });
    expect(isTrusted([leaf, root], [namesake])).toBe(false);
    expect(isTrusted([leaf], [namesake, root])).toBe(true);
  });

  it('is not trusted if its issuer is not an authority', async () => {
    const shop = await issueCertificate({ name: 'Shop', issuer: root, hosts: ['shop.example'] });
    const forged = await issueCertificate({ name: 'forged', issuer: shop, hosts });
    expect(isTrusted([forged, shop], [root])).toBe(false);
    expect(isTrusted([forged], [shop])).toBe(false);
  });
});

describe('a chain', () => {
  it('is followed over the authorities that the host sent, in any order', async () => {
    const middle = await issueCertificate({ name: 'Middle', issuer: root, isAuthority: true });
    const lower = await issueCertificate({ name: 'Lower', issuer: middle, isAuthority: true });
    const far = await issueCertificate({ name: 'far', issuer: lower, hosts });
    expect(isTrusted([far, lower, middle], [root])).toBe(true);
    expect(isTrusted([far, root, middle, lower], [root])).toBe(true);
    expect(isTrusted([far, lower], [middle])).toBe(true);
    expect(isTrusted([far, lower, middle], [lower])).toBe(true);
    expect(isTrusted([far, middle], [root])).toBe(false);
    expect(isTrusted([far], [root])).toBe(false);
  });

  it('has at most eight certificates in addition to the trusted one', async () => {
    const authorities: Issued[] = [root];
    for (let number = 1; number <= 8; number += 1) {
      const issuer = authorities[0] ?? root;
      authorities.unshift(await issueCertificate({ name: `Authority ${number}`, issuer, isAuthority: true }));
    }
    const chainOf = async (count: number) => {
      const sent = authorities.slice(8 - count, 8);
      const issuer = sent[0] ?? root;
      return [await issueCertificate({ name: 'long', issuer, hosts }), ...sent];
    };
    expect(isTrusted(await chainOf(7), [root])).toBe(true);
    expect(isTrusted(await chainOf(8), [root])).toBe(false);
  });

  it('of one certificate that signs itself ends', async () => {
    const looping = await issueCertificate({ name: 'looping', hosts });
    expect(isTrusted([looping, looping], [root])).toBe(false);
  });
});

describe('the host', () => {
  it('is a name or address of the certificate, and not its subject, as in browsers (RFC 9110, section 4.3.4)', async () => {
    const named = await issueCertificate({
      name: 'subject.example',
      issuer: root,
      hosts: [hostname, '203.0.113.9'],
      ips: ['192.0.2.7', '2001:db8::7'],
    });
    const trusted = (...names: string[]) => names.filter((host) => isTrusted([named], [root], host));
    expect(trusted('signin.example', 'SIGNIN.example', 'other.example', 'a.signin.example')).toHaveLength(2);
    expect(trusted('192.0.2.7', '192.0.2.8', '2001:db8::7', '2001:db8::8')).toEqual(['192.0.2.7', '2001:db8::7']);
    // The name of a host is not an address.
    expect(trusted('203.0.113.9', 'subject.example')).toEqual([]);
    const old = await issueCertificate({ name: hostname, issuer: root });
    expect(isTrusted([old], [root])).toBe(false);
  });
});

describe('the time', () => {
  const validFrom = '2026-11-10T00:00:00Z';
  const validTo = '2026-11-30T00:00:00Z';
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)];

  it('of the certificate, its authority, and any authority between them is checked', async () => {
    const times = { validFrom, validTo };
    const leafOf = async (issuer: Issued, limits = {}) => issueCertificate({ name: 'leaf', issuer, hosts, ...limits });
    const authority = await issueCertificate({ name: 'Short', ...times });
    const middle = await issueCertificate({ name: 'Middle', issuer: root, isAuthority: true, ...times });
    const chains: [chain: Issued[], trusted: Issued][] = [
      [[await leafOf(root, times)], root],
      [[await leafOf(authority)], authority],
      [[await leafOf(middle), middle], root],
    ];
    for (const [chain, trusted] of chains)
      expect([from - 1, from, to, to + 1].map((at) => isTrusted(chain, [trusted], hostname, at))).toEqual([
        false,
        true,
        true,
        false,
      ]);
  });
});

describe('a certificate that can’t be read', () => {
  const unreadable = { cert: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', key: '' };

  it('is never trusted, and leaves the others as they are', () => {
    expect(isTrusted([unreadable], [root])).toBe(false);
    expect(isTrusted([unreadable], [unreadable])).toBe(false);
    expect(isTrusted([], [root])).toBe(false);
    expect(isTrusted([leaf, unreadable], [unreadable, root])).toBe(true);
  });
});
