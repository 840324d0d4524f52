// Which addresses may be called when somebody else names them (design/features.md, S8 and S9): the part that the service's
// delivery and the app's replay and forward share, without any network.
import { describe, expect, it } from 'vitest';
import { addressProblem, callbackUrlProblem, targetOf, type CallbackPolicy } from '#contract/callback-address.ts';
import { createCallbackGuard, forbiddenCode, type NameLookup } from '#contract/callback-guard.ts';

const publicPolicy: CallbackPolicy = { kind: 'public', allowlist: [], ownPort: 8420 };
const localPolicy: CallbackPolicy = { kind: 'local', allowlist: [], ownPort: 8420 };

const privateAddresses = [
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '192.0.2.5',
  '198.18.0.1',
  '198.51.100.7',
  '203.0.113.9',
  '::1',
  'fc00::1',
  'fd12:3456::1',
  '2001:db8::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.1.2.3',
  '64:ff9b::7f00:1',
  '64:ff9b::10.0.0.1',
  '64:ff9b:1::a00:1',
  '3fff::1',
  '2002:7f00:1::',
  '2002:a00:1::',
  '::127.0.0.1',
];
const reservedAddresses = [
  '0.0.0.0',
  '0.1.2.3',
  '169.254.169.254',
  '224.0.0.1',
  '255.255.255.255',
  '240.0.0.1',
  '::',
  'fe80::1',
  'fe80::1%eth0',
  'ff02::1',
  'fd00:ec2::254',
  '::ffff:169.254.169.254',
  '64:ff9b::a9fe:a9fe',
];
const publicAddresses = [
  '1.1.1.1',
  '93.184.216.34',
  '172.32.0.1',
  '2606:4700::1111',
  '::ffff:1.1.1.1',
  '64:ff9b::101:101',
];

describe('the policy (S9)', () => {
  it.each([...privateAddresses, ...reservedAddresses])('of a public service refuses %s', (address) => {
    expect(addressProblem(address, 'name', 443, publicPolicy)).toBeDefined();
  });

  it.each(reservedAddresses)('of a local service refuses %s', (address) => {
    expect(addressProblem(address, 'name', 443, localPolicy)).toBeDefined();
  });

  it.each(privateAddresses)('of a local service allows %s', (address) => {
    expect(addressProblem(address, 'name', 443, localPolicy)).toBeUndefined();
  });

  it.each(publicAddresses)('of either allows %s', (address) => {
    expect(addressProblem(address, 'name', 443, publicPolicy)).toBeUndefined();
    expect(addressProblem(address, 'name', 443, localPolicy)).toBeUndefined();
  });

  it('never allows the service itself', () => {
    expect(addressProblem('127.0.0.1', '127.0.0.1', 8420, localPolicy)).toContain('this service itself');
    expect(addressProblem('::1', 'localhost', 8420, localPolicy)).toContain('this service itself');
    expect(addressProblem('127.0.0.1', '127.0.0.1', 8421, localPolicy)).toBeUndefined();
  });

  it('lets through what stands on the allow-list: a name, an address, a range', () => {
    const policy: CallbackPolicy = {
      ...publicPolicy,
      allowlist: ['hooks.lan', '10.1.2.3', '192.168.0.0/16', 'fd12::/16'],
    };
    expect(addressProblem('10.9.9.9', 'HOOKS.lan', 80, policy)).toBeUndefined();
    expect(addressProblem('10.1.2.3', 'x', 80, policy)).toBeUndefined();
    expect(addressProblem('192.168.7.7', 'x', 80, policy)).toBeUndefined();
    expect(addressProblem('fd12::5', 'x', 80, policy)).toBeUndefined();
    expect(addressProblem('10.1.2.4', 'x', 80, policy)).toBeDefined();
  });

  it('takes an entry of the allow-list that is no range for a name, and no name for an address', () => {
    const policy: CallbackPolicy = { ...publicPolicy, allowlist: ['10.0.0.0/', '10.0.0.0/33', 'hooks.lan.', '127.1'] };
    expect(addressProblem('10.0.0.1', 'x', 80, policy)).toContain('private');
    expect(addressProblem('127.0.0.1', 'x', 80, policy)).toContain('private');
    expect(addressProblem('10.0.0.1', 'hooks.lan', 80, policy)).toBeUndefined();
    expect(addressProblem('127.1', 'x', 80, localPolicy)).toContain('not a network address');
  });

  it('names the program whose own address it is', () => {
    const policy = { ...localPolicy, ownName: 'the receiver' };
    expect(addressProblem('127.0.0.1', 'x', 8420, policy)).toBe('is the address of the receiver itself');
  });
});

describe('a callback address', () => {
  it.each(['https://example.com/rain', 'http://[::1]:9/x?y=1', 'HTTP://EXAMPLE.com'])('may be %s', (address) => {
    expect(callbackUrlProblem(address)).toBeUndefined();
  });

  it.each([
    ['rain', 'full address'],
    [' https://example.com', 'full address'],
    ['https:example.com', 'full address'],
    ['ftp://example.com/', 'http:// or https://'],
    ['https://me@example.com/', 'user name'],
    ['https://:secret@example.com/', 'password'],
    ['https://example.com/#part', 'fragment'],
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
  const knows: NameLookup = (name, _options, done) =>
    name === 'two.example'
      ? done(null, [
          { address: '1.1.1.1', family: 4 },
          { address: '192.168.0.7', family: 4 },
        ])
      : done(null, '1.1.1.1', 4);
  const guard = createCallbackGuard({ policy: publicPolicy, lookup: knows });

  it('lets a connection learn addresses only of a name of which all may be called', () => {
    const told: unknown[] = [];
    guard.lookupFor(80)('two.example', {}, (error, found) =>
      told.push([error && 'code' in error && error.code, found]),
    );
    guard.lookupFor(80)('one.example', {}, (error, found) => told.push([error, found]));
    guard.lookupFor(80)('one.example', { all: true }, (error, found) => told.push([error, found]));
    expect(told).toEqual([
      [forbiddenCode, ''],
      [null, '1.1.1.1'],
      [null, [{ address: '1.1.1.1', family: 4 }]],
    ]);
  });

  it('sees through odd spellings of addresses, which no look-up is asked for', () => {
    for (const address of ['http://127.1/', 'http://2130706433/', 'http://0177.0.0.1/', 'http://[::ffff:7f00:1]/']) {
      expect(guard.literalProblem(address)).toContain('private');
    }
    expect(guard.literalProblem('http://two.example/')).toBeUndefined();
  });
});
