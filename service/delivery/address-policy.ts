// Which network addresses a callback may reach (S9). `local`: a service for this machine may call loopback and the LAN,
// but never link-local addresses, where clouds keep their credentials. `public`: nothing private but the allow-list.
import { BlockList, isIP } from 'node:net';

export type CallbackPolicy = {
  kind: 'local' | 'public';
  /** Host names, addresses and ranges like 10.1.0.0/16 that are allowed although they are private. */
  allowlist: readonly string[];
  /** The port of this service, which never calls itself. */
  ownPort: number;
};

const neverRanges = [
  '0.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/128',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
  'fd00:ec2::/32',
];

const privateRanges = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '::1/128',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  'fc00::/7',
];

const never = blockList(neverRanges);
const privateOnes = blockList(privateRanges);
const loopback = blockList(['127.0.0.0/8', '::1/128']);

/** Why this address may not be called, or undefined where it may. `host` is the name that led to it. */
export function addressProblem(
  address: string,
  host: string,
  port: number,
  policy: CallbackPolicy,
): string | undefined {
  const plain = embeddedIpv4(address) ?? address;
  if (has(loopback, plain) && port === policy.ownPort) return 'is the address of this service itself';
  if (isAllowed(plain, host, policy.allowlist)) return undefined;
  if (has(never, plain)) return 'is a link-local, multicast or reserved address';
  if (policy.kind === 'public' && has(privateOnes, plain)) return 'is an address of a private network';
  return undefined;
}

/** The IPv4 address inside an IPv4-mapped (::ffff:0:0/96), NAT64 (64:ff9b::/96) or 6to4 (2002::/16) one. */
function embeddedIpv4(address: string): string | undefined {
  if (isIP(address) !== 6) return undefined;
  const groups = expand(address);
  const at = (index: number) =>
    [
      (groups[index] ?? 0) >> 8,
      (groups[index] ?? 0) & 0xff,
      (groups[index + 1] ?? 0) >> 8,
      (groups[index + 1] ?? 0) & 0xff,
    ].join('.');
  const firstFive = groups.slice(0, 5).every((group) => group === 0);
  if (firstFive && groups[5] === 0xffff) return at(6);
  // ::a.b.c.d, the old compatible form; ::1 and :: are not meant.
  if (firstFive && groups[5] === 0 && (groups[6] ?? 0) !== 0) return at(6);
  if (groups[0] === 0x64 && groups[1] === 0xff9b) return at(6);
  if (groups[0] === 0x2002) return at(1);
  return undefined;
}

function expand(address: string): number[] {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address.split('%')[0] ?? '');
  const text = dotted
    ? `${dotted[1]}${pair(dotted[2], dotted[3])}:${pair(dotted[4], dotted[5])}`
    : (address.split('%')[0] ?? '');
  const [head = '', tail] = text.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0');
  return [...front, ...zeros, ...back].map((group) => Number.parseInt(group, 16));
}

function pair(high = '0', low = '0'): string {
  return (Number(high) * 256 + Number(low)).toString(16);
}

function isAllowed(address: string, host: string, allowlist: readonly string[]): boolean {
  return allowlist.some((entry) => {
    if (entry.includes('/') || isIP(entry) !== 0) return has(blockList([entry]), address);
    return entry.toLowerCase() === host.toLowerCase();
  });
}

function has(list: BlockList, address: string): boolean {
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits] = range.split('/');
    const version = isIP(network);
    if (version === 0) continue;
    const longest = version === 6 ? 128 : 32;
    list.addSubnet(network, bits === undefined ? longest : Number(bits), version === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}
