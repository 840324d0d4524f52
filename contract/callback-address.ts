// Which addresses may be called when somebody else names them: a monitor's callback (design/features.md, S8 and S9), and
// the target of a replay or forward. Two policies. `local`: a program of this machine may call loopback and the LAN, but
// never link-local addresses, where clouds keep their credentials. `public`: nothing private but the allow-list.
import ipaddr from 'ipaddr.js';

export type CallbackPolicy = {
  kind: 'local' | 'public';
  /** Host names, addresses and ranges like 10.1.0.0/16 that are allowed although they are private. */
  allowlist: readonly string[];
  /** The port of the program that asks, which never calls itself. */
  ownPort: number;
  /** What that program is called in refusals. */
  ownName?: string;
};

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];
/** What is used of a WHATWG URL. */
export type ParsedUrl = { protocol: string; hostname: string; port: string; username: string; password: string };

// A global of Node and of browsers alike.
declare const URL: { new (address: string): ParsedUrl; canParse(address: string): boolean };

const never = ranges([
  '0.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/128',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
  'fd00:ec2::/32',
]);

const privateOnes = ranges([
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
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '3fff::/20',
  'fc00::/7',
]);

const loopback = ranges(['127.0.0.0/8', '::1/128']);

/** What is wrong with a callback address as such, as the end of a sentence about it; whom it leads to is not asked. */
export function callbackUrlProblem(address: string): string | undefined {
  if (address !== address.trim() || !URL.canParse(address))
    return 'must be a full address like https://example.com/rain';
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must begin with http:// or https://';
  if (!/^https?:\/\/[^/]/i.test(address)) return 'must be a full address like https://example.com/rain';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (address.includes('#')) return 'must not have a fragment (the part from # on), since it is never sent';
  return undefined;
}

/**
 * Why this network address may not be called, or undefined where it may. `host`: the name that led to it. Odd spellings
 * (`127.1`, `0x7f000001`) are no addresses here: the URL parser turns them into plain ones first.
 */
export function addressProblem(
  address: string,
  host: string,
  port: number,
  policy: CallbackPolicy,
): string | undefined {
  const written = parseAddress(address);
  if (!written) return 'is not a network address';
  const plain = embeddedIpv4(written) ?? written;
  const isIn = (list: readonly Range[]) => within(plain, list) || within(written, list);
  if (isIn(loopback) && port === policy.ownPort) return `is the address of ${policy.ownName ?? 'this service'} itself`;
  if (isAllowed(plain, host, policy.allowlist)) return undefined;
  if (isIn(never)) return 'is a link-local, multicast or reserved address';
  if (policy.kind === 'public' && isIn(privateOnes)) return 'is an address of a private network';
  return undefined;
}

/** Whether a host is an address itself, so that no name must be looked up. */
export function isAddress(host: string): boolean {
  return parseAddress(host) !== undefined;
}

/** Whether a text is an address, or a range of them like 10.0.0.0/8. */
export function isAddressRange(text: string): boolean {
  return parseRange(text) !== undefined;
}

/** Host and port that a URL leads to; an IPv6 address without its brackets. */
export function targetOf(address: string | ParsedUrl): { host: string; port: number } {
  const url = typeof address === 'string' ? new URL(address) : address;
  const usualPort = url.protocol === 'https:' ? 443 : 80;
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? usualPort : Number(url.port),
  };
}

function parseAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined;
}

/** The IPv4 address inside an IPv4-mapped (::ffff:0:0/96), compatible (::/96), NAT64 (64:ff9b::/96) or 6to4 (2002::/16) one. */
function embeddedIpv4(address: Address): ipaddr.IPv4 | undefined {
  if (!(address instanceof ipaddr.IPv6)) return undefined;
  const groups = address.parts;
  const at = (index: number) => new ipaddr.IPv4([groups[index] ?? 0, groups[index + 1] ?? 0].flatMap(bytesOf));
  const firstFive = groups.slice(0, 5).every((group) => group === 0);
  if (firstFive && groups[5] === 0xffff) return at(6);
  // ::1 and :: are not meant.
  if (firstFive && groups[5] === 0 && (groups[6] ?? 0) !== 0) return at(6);
  if (groups[0] === 0x64 && groups[1] === 0xff9b) return at(6);
  return groups[0] === 0x2002 ? at(1) : undefined;
}

function bytesOf(group: number): [number, number] {
  return [group >> 8, group & 0xff];
}

function isAllowed(address: Address, host: string, allowlist: readonly string[]): boolean {
  return allowlist.some((entry) => {
    const range = parseRange(entry);
    return range ? within(address, [range]) : plainName(entry) === plainName(host);
  });
}

/** Names are the same in any case, and with or without the dot of the root. */
function plainName(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}

function within(address: Address, list: readonly Range[]): boolean {
  return list.some(([network, bits]) => network.kind() === address.kind() && address.match([network, bits]));
}

/** Of `10.0.0.0/8` or a single address; undefined for a name. */
function parseRange(text: string): Range | undefined {
  const [network = '', bits, ...more] = text.split('/');
  const address = parseAddress(network);
  if (!address || more.length > 0) return undefined;
  const longest = address.kind() === 'ipv6' ? 128 : 32;
  const length = bits === undefined ? longest : Number(bits);
  const isWhole = bits === undefined || /^\d{1,3}$/.test(bits);
  return isWhole && length <= longest ? [address, length] : undefined;
}

function ranges(texts: readonly string[]): Range[] {
  return texts.map(parseRange).filter((range) => range !== undefined);
}
