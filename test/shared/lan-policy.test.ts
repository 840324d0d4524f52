// What a public service with --allow-lan may call, and what never (docs/delivery.md S9).
import { describe, expect, it } from 'vitest';
import { addressProblem, type CallbackPolicy } from '#shared/network/callback-address.ts';

const policy: CallbackPolicy = {
  kind: 'public',
  allowlist: [],
  allowsLan: true,
  ownPort: 8420,
  ownAddresses: () => ['192.168.1.10', 'fd12::10'],
};

describe('a policy that allows the LAN', () => {
  it.each([
    '10.0.0.1',
    '10.255.255.255',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.20',
    '100.64.0.1',
    '100.127.255.255',
    'fc00::1',
    'fd12:3456::1',
    '::ffff:192.168.1.20',
    '64:ff9b::10.0.0.1',
    '1.1.1.1',
  ])('allows %s', (address) => {
    expect(addressProblem(address, 'hooks.lan', 8123, policy)).toBeUndefined();
  });

  it.each([
    '127.0.0.1',
    '127.1.2.3',
    '::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '192.0.2.5',
    '198.18.0.1',
    '2001:db8::1',
  ])('refuses %s, which is not in a LAN', (address) => {
    expect(addressProblem(address, 'hooks.lan', 8123, policy)).toMatch(/private network address|not a public address/);
  });

  it.each([
    '169.254.169.254',
    '169.254.1.1',
    'fe80::1',
    'fd00:ec2::254',
    'fd20:ce::254',
    'fd00:42::42',
    '100.100.100.200',
    '224.0.0.251',
    'ff02::fb',
    '0.0.0.0',
    '::ffff:169.254.169.254',
    '64:ff9b::a9fe:a9fe',
  ])('never allows %s', (address) => {
    expect(addressProblem(address, 'hooks.lan', 8123, policy)).toContain('link-local, metadata, multicast');
  });

  it('refuses an address that carries another one unless both are in the LAN', () => {
    // Teredo: the server is 10.0.0.1, and the client, inverted, 127.0.0.1.
    expect(addressProblem('2001:0:a00:1::80ff:fffe', 'hooks.lan', 8123, policy)).toContain('private');
  });

  it('never allows the service itself, by none of its addresses', () => {
    for (const address of ['192.168.1.10', 'fd12::10', '127.0.0.1', '::ffff:192.168.1.10'])
      expect(addressProblem(address, 'me.lan', 8420, policy)).toBe('is the address of this service itself');
    expect(addressProblem('192.168.1.10', 'me.lan', 8123, policy)).toBeUndefined();
    expect(addressProblem('192.168.1.20', 'other.lan', 8420, policy)).toBeUndefined();
  });

  it('is off by default', () => {
    expect(addressProblem('192.168.1.20', 'hooks.lan', 8123, { ...policy, allowsLan: false })).toContain('private');
  });
});
