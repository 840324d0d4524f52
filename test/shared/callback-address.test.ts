// Which addresses may be called when someone else names them (docs/delivery.md S8 and S9): the part that the service's
// delivery and the app's replay and forward share, without any network.
import type { LookupFunction } from 'node:net';
import { describe, expect, it } from 'vitest';
import { addressProblem, callbackUrlProblem, targetOf, type CallbackPolicy } from '#shared/node/callback-address.ts';
import { createCallbackGuard, forbiddenCode } from '#shared/node/callback-guard.ts';

const publicPolicy: CallbackPolicy = { kind: 'public', allowlist: [], ownPort: 8420 };
const localPolicy: CallbackPolicy = { kind: 'local', allowlist: [], ownPort: 8420 };
const lanPolicy: CallbackPolicy = {
  ...publicPolicy,
  allowsLan: true,
  ownAddresses: () => ['192.168.1.10', 'fd12::10'],
};
const lines = (text: string) => text.trim().split(/\s+/);

const ofLan = lines(`
  10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.1.20 100.64.0.1 100.127.255.255 fc00::1 fd12:3456::1
  ::ffff:192.168.1.20 ::ffff:10.1.2.3 64:ff9b::10.0.0.1 64:ff9b:1::a00:1 2002:a00:1::`);
const ofMachineOrNoNetwork = lines(`
  127.0.0.1 127.255.255.254 ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:7f00:1 64:ff9b::7f00:1 2002:7f00:1::
  192.0.2.5 198.18.0.1 198.51.100.7 203.0.113.9 2001:db8::1 3fff::1`);
/** The metadata services are those that AWS, Azure, Google, Oracle, Alibaba Cloud, Scaleway, and Tencent Cloud document. */
const reserved = lines(`
  169.254.169.254 fd00:ec2::254 168.63.129.16 fd20:ce::254 192.0.0.192 fd00:c1::a9fe:a9fe 100.100.100.200 fd00:42::42 169.254.0.23
  ::ffff:169.254.169.254 64:ff9b::a9fe:a9fe 64:ff9b:1::a9fe:a9fe 2002:a9fe:a9fe:: 64:ff9b::6464:64c8
  0.0.0.0 0.1.2.3 :: 169.254.1.1 fe80::1 fe80::1%eth0 224.0.0.251 ff02::fb 240.0.0.1 255.255.255.255`);
const ofInternet = lines('1.1.1.1 93.184.216.34 172.32.0.1 2606:4700::1111 ::ffff:1.1.1.1 64:ff9b::101:101');

describe('the policy (S9)', () => {
  const isAllowed = (address: string, policy: CallbackPolicy) =>
    addressProblem(address, 'hooks.lan', 8123, policy) === undefined;

  it.each([
    ['the Internet', ofInternet, { ofPublic: true, withLan: true, ofLocal: true }],
    ['a LAN', ofLan, { ofPublic: false, withLan: true, ofLocal: true }],
    ['the machine itself, or of no network', ofMachineOrNoNetwork, { ofPublic: false, withLan: false, ofLocal: true }],
    ['no one who may be called', reserved, { ofPublic: false, withLan: false, ofLocal: false }],
  ])('of a public service, with --allow-lan, or of a local one, for addresses of %s', (_name, addresses, expected) => {
    const found = addresses.map((address) => ({
      address,
      ofPublic: isAllowed(address, publicPolicy),
      withLan: isAllowed(address, lanPolicy),
      ofLocal: isAllowed(address, localPolicy),
    }));
    expect(found).toEqual(addresses.map((address) => ({ address, ...expected })));
  });

  it.each(reserved)('never allows %s, whatever the allow-list says', (address) => {
    const allowlist = [address, '0.0.0.0/0', '::/0', 'hooks.lan'];
    for (const policy of [publicPolicy, lanPolicy, localPolicy])
      expect(addressProblem(address, 'hooks.lan', 80, { ...policy, allowlist })).toBe(
        'is a link-local, metadata, multicast, or reserved address',
      );
  });

  it('never allows the service itself, by none of its addresses, and names it', () => {
    const isItself = 'is the address of this service itself';
    for (const address of ['127.0.0.1', '::1']) expect(addressProblem(address, 'x', 8420, localPolicy)).toBe(isItself);
    for (const address of ['192.168.1.10', 'fd12::10', '127.0.0.1', '::ffff:192.168.1.10'])
      expect(addressProblem(address, 'me.lan', 8420, lanPolicy)).toBe(isItself);
    expect(addressProblem('192.168.1.10', 'me.lan', 8123, lanPolicy)).toBeUndefined();
    expect(addressProblem('192.168.1.20', 'other.lan', 8420, lanPolicy)).toBeUndefined();
    const ofReceiver = { ...localPolicy, ownName: 'the receiver' };
    expect(addressProblem('127.0.0.1', 'x', 8420, ofReceiver)).toBe('is the address of the receiver itself');
  });

  it('refuses an address that carries another one unless both are in the LAN', () => {
    // Teredo: the server is 10.0.0.1, and the client, inverted, 127.0.0.1.
    expect(addressProblem('2001:0:a00:1::80ff:fffe', 'hooks.lan', 8123, lanPolicy)).toContain('private');
  });

  it('allows what is on the allow-list: a name, an address, a range', () => {
    const allowlist = ['hooks.lan', '10.1.2.3', '192.168.0.0/16', 'fd12::/16'];
    const policy: CallbackPolicy = { ...publicPolicy, allowlist };
    expect(addressProblem('10.9.9.9', 'HOOKS.lan', 80, policy)).toBeUndefined();
    expect(addressProblem('10.1.2.3', 'x', 80, policy)).toBeUndefined();
    expect(addressProblem('192.168.7.7', 'x', 80, policy)).toBeUndefined();
    expect(addressProblem('fd12::5', 'x', 80, policy)).toBeUndefined();
    expect(addressProblem('10.1.2.4', 'x', 80, policy)).toContain('private');
    // Also inside an IPv6 address.
    expect(addressProblem('64:ff9b::c0a8:707', 'x', 80, policy)).toBeUndefined();
    expect(addressProblem('64:ff9b::a01:204', 'x', 80, policy)).toContain('private');
  });

  it('reads an entry of the allow-list that is not a range as a name, and no name as an address', () => {
    const policy: CallbackPolicy = { ...publicPolicy, allowlist: ['10.0.0.0/', '10.0.0.0/33', 'hooks.lan.', '127.1'] };
    expect(addressProblem('10.0.0.1', 'x', 80, policy)).toContain('private');
    expect(addressProblem('127.0.0.1', 'x', 80, policy)).toContain('private');
    expect(addressProblem('10.0.0.1', 'hooks.lan', 80, policy)).toBeUndefined();
    expect(addressProblem('127.1', 'x', 80, localPolicy)).toContain('not a network address');
  });
});

/**
 * From the IANA IPv4 and IPv6 Special-Purpose Address Registries: every block that is not globally reachable. The last two are not
 * assigned to anyone: https://www.iana.org/assignments/ipv6-address-space
 */
const ianaSpecialBlocks = lines(`
  0.0.0.0-0.255.255.255 10.0.0.0-10.255.255.255 100.64.0.0-100.127.255.255 127.0.0.0-127.255.255.255 169.254.0.0-169.254.255.255
  172.16.0.0-172.31.255.255 192.0.0.0-192.0.0.255 192.0.2.0-192.0.2.255 192.88.99.0-192.88.99.255 192.168.0.0-192.168.255.255
  198.18.0.0-198.19.255.255 198.51.100.0-198.51.100.255 203.0.113.0-203.0.113.255 240.0.0.0-255.255.255.255
  ::-::1 ::ffff:0:0-::ffff:0.255.255.255 64:ff9b:1::-64:ff9b:1:ffff:ffff:ffff:ffff:ffff 100::-100::ffff:ffff:ffff:ffff
  100:0:0:1::-100:0:0:1:ffff:ffff:ffff:ffff 2001::-2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff 5f00::-5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff
  2001:db8::-2001:db8:ffff:ffff:ffff:ffff:ffff:ffff 3fff::-3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff
  fc00::-fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff fe80::-febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff 4000::-4000::1 a000::-a000::1`);

/** IPv6 forms of an IPv4 address, as the RFCs give them; 7f00:1 is 127.0.0.1 and a9fe:a9fe is 169.254.169.254. */
const translatedForms = [
  ['mapped, RFC 4291 §2.5.5.2', '::ffff:7f00:1', '::ffff:a9fe:a9fe'],
  ['compatible, RFC 4291 §2.5.5.1', '::7f00:1', '::a9fe:a9fe'],
  ['NAT64, RFC 6052 §2.1', '64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe'],
  ['local NAT64 with a prefix of 96 bits, RFC 8215', '64:ff9b:1::7f00:1', '64:ff9b:1::a9fe:a9fe'],
  ['local NAT64 with a prefix of 48 bits, RFC 6052 §2.2', '64:ff9b:1:7f00:0:100::', '64:ff9b:1:a9fe:a9:fe00::'],
  ['local NAT64 with a prefix of 56 bits, RFC 6052 §2.2', '64:ff9b:1:7f:0:1::', '64:ff9b:1:a9:fe:a9fe::'],
  ['local NAT64 with a prefix of 64 bits, RFC 6052 §2.2', '64:ff9b:1:0:7f:0:100:0', '64:ff9b:1:0:a9:fea9:fe00:0'],
  ['6to4, RFC 3056 §2', '2002:7f00:1::', '2002:a9fe:a9fe::'],
  ['Teredo server, RFC 4380 §4', '2001:0:7f00:1:0:0:fefd:fcfb', '2001:0:a9fe:a9fe:0:0:fefd:fcfb'],
  ['Teredo client, RFC 4380 §4', '2001:0:102:304:0:0:80ff:fffe', '2001:0:102:304:0:0:5601:5601'],
  ['ISATAP, RFC 5214 §6.1', '2606:4700::5efe:7f00:1', '2606:4700::5efe:a9fe:a9fe'],
  ['ISATAP with the universal bit, RFC 5214 §6.1', '2606:4700::200:5efe:7f00:1', '2606:4700::200:5efe:a9fe:a9fe'],
] as const;

describe('special-purpose addresses', () => {
  it.each(ianaSpecialBlocks)('a public service calls neither end of %s', (block) => {
    for (const end of block.split('-')) expect(addressProblem(end, 'name', 443, publicPolicy)).toBeDefined();
  });

  it.each(translatedForms)('an IPv4 address inside counts as itself: %s', (_form, loopback, metadata) => {
    expect(addressProblem(loopback, 'name', 443, publicPolicy)).toBeDefined();
    expect(addressProblem(metadata, 'name', 443, publicPolicy)).toBeDefined();
    expect(addressProblem(metadata, 'name', 443, localPolicy)).toContain('link-local');
    expect(addressProblem(loopback, 'name', 8420, localPolicy)).toContain('this service itself');
    expect(addressProblem(loopback, 'name', 443, localPolicy)).toBeUndefined();
  });

  it.each(['::ffff:0:127.0.0.1', '::ffff:0:7f00:1', '::ffff:0:169.254.169.254', '::ffff:0:1.1.1.1'])(
    'refuses the SIIT form %s under both policies, also as the host of a URL',
    (address) => {
      expect(addressProblem(address, 'name', 443, publicPolicy)).toBeDefined();
      expect(addressProblem(address, 'name', 443, localPolicy)).toBeDefined();
      const guard = createCallbackGuard({ policy: publicPolicy, lookup: () => {} });
      expect(guard.literalProblem(`http://[${address}]/rain`)).toBeDefined();
    },
  );
});

describe('a callback address', () => {
  it.each(['https://example.com/rain', 'http://[::1]:9/x?y=1', 'HTTP://EXAMPLE.com'])('may be %s', (address) => {
    expect(callbackUrlProblem(address)).toBeUndefined();
  });

  it.each([
    ['rain', 'full URL'],
    [' https://example.com', 'full URL'],
    ['https:example.com', 'full URL'],
    ['ftp://example.com/', 'http:// or https://'],
    ['https://me@example.com/', 'username'],
    ['https://:secret@example.com/', 'password'],
    ['https://example.com/#part', 'fragment'],
    ['http://127.0.0.1:9/a\nb', 'full URL'],
    ['http://127.0.0.1:9/a\r\nb', 'full URL'],
    ['http://127.0.0.1:9/a\tb', 'full URL'],
    ['http://127.0.0.1:0/', 'port 0'],
  ])('is refused with words: %s', (address, words) => {
    expect(callbackUrlProblem(address)).toContain(words);
  });

  it.each([
    ['https://example.com/', 'example.com', 443],
    ['http://example.com/', 'example.com', 80],
    ['http://[::1]:81/', '::1', 81],
    ['http://0x7f.1:80/', '127.0.0.1', 80],
  ])('%s leads to a host and a port', (address, host, port) => {
    expect(targetOf(address)).toEqual({ host, port });
  });
});

describe('the guard', () => {
  const knows: LookupFunction = (name, _options, done) =>
    name === 'two.example'
      ? done(null, [
          { address: '1.1.1.1', family: 4 },
          { address: '192.168.0.7', family: 4 },
        ])
      : done(null, '1.1.1.1', 4);
  const guard = createCallbackGuard({ policy: publicPolicy, lookup: knows });

  it('lets a connection learn addresses only of a name of which all may be called', () => {
    const results: unknown[] = [];
    guard.lookupFor(80)('two.example', {}, (error, found) =>
      results.push([error && 'code' in error && error.code, found]),
    );
    guard.lookupFor(80)('one.example', {}, (error, found) => results.push([error, found]));
    guard.lookupFor(80)('one.example', { all: true }, (error, found) => results.push([error, found]));
    expect(results).toEqual([
      [forbiddenCode, ''],
      [null, '1.1.1.1'],
      [null, [{ address: '1.1.1.1', family: 4 }]],
    ]);
  });

  it.each(['169.254.169.254', 'fd00:ec2::254', '::ffff:169.254.169.254', '64:ff9b::a9fe:a9fe'])(
    'refuses an allowed name that also resolves to the metadata address %s',
    async (address) => {
      const policy: CallbackPolicy = { ...publicPolicy, allowlist: ['hooks.lan', '::/0', '0.0.0.0/0'] };
      const found = ['10.0.0.1', address].map((one) => ({ address: one, family: one.includes(':') ? 6 : 4 }));
      const careful = createCallbackGuard({ policy, lookup: (_name, _options, done) => done(null, found) });
      expect(await careful.problem('http://hooks.lan/rain')).toContain('metadata');
      const results: unknown[] = [];
      careful.lookupFor(80)('hooks.lan', {}, (error) => results.push(error && 'code' in error && error.code));
      expect(results).toEqual([forbiddenCode]);
      const literal = address.includes(':') ? `[${address}]` : address;
      expect(careful.literalProblem(`http://${literal}/latest/`)).toContain('metadata');
    },
  );

  it('takes each name below localhost for this machine, without a look-up', async () => {
    const found: unknown[] = [];
    const local = createCallbackGuard({ policy: localPolicy, lookup: knows });
    local.lookupFor(80)('app.localhost', { all: true }, (error, addresses) => found.push(error, addresses));
    expect(found).toEqual([
      null,
      [
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ],
    ]);
    expect(await guard.problem('http://app.localhost/')).toContain('private');
  });

  it('recognizes odd spellings of addresses without a look-up', () => {
    for (const address of ['http://127.1/', 'http://2130706433/', 'http://0177.0.0.1/', 'http://[::ffff:7f00:1]/']) {
      expect(guard.literalProblem(address)).toContain('private');
    }
    expect(guard.literalProblem('http://two.example/')).toBeUndefined();
  });
});
