// Which addresses may be called when a user names them: a monitor's callback, and the target of a replay or forward. Two policies.
// `local`: a program on this machine may call loopback and the LAN. `public`: only public addresses, the allow-list, and, if the operator
// allows it, the LAN. Neither ever calls link-local and metadata addresses, where clouds keep their credentials. The blocks are those of
// the IANA registries https://www.iana.org/assignments/iana-ipv4-special-registry and .../iana-ipv6-special-registry.
import ipaddr from 'ipaddr.js';

export type CallbackPolicy = {
  kind: 'local' | 'public';
  /** Host names, addresses, and ranges such as 10.1.0.0/16 that are allowed although they are private. */
  allowlist: readonly string[];
  /** A `public` one may also call the private networks of homes and offices, but not this machine's loopback. */
  allowsLan?: boolean;
  /** The calling program's port, which it never sends requests to. */
  ownPort: number;
  /** This machine's addresses except loopback, if the program listens on them. */
  ownAddresses?: () => readonly string[];
  /** That program's name in error messages. */
  ownName?: string;
};

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

const never = ranges([
  '0.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/128',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
  // Metadata services outside the link-local ranges: AWS, Azure, Google, Oracle (two), Alibaba Cloud, Scaleway.
  'fd00:ec2::/32',
  '168.63.129.16',
  'fd20:ce::254',
  '192.0.0.192',
  'fd00:c1::a9fe:a9fe',
  '100.100.100.200',
  'fd00:42::42',
  // IPv4-translated (SIIT, RFC 2765, obsolete): a host with a translator would dial the IPv4 address inside.
  '::ffff:0:0:0/96',
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
  '2001::/23',
  '2001:db8::/32',
  '3fff::/20',
]);

/** RFC 1918, RFC 6598 (carriers, and overlay networks such as Tailscale), and RFC 4193. */
const lan = ranges(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7']);

/** Default deny: only global unicast, and the two blocks that carry an IPv4 address, which is checked as such. */
const reachableIpv6 = ranges(['2000::/3', '::ffff:0:0/96', '64:ff9b::/96']);

const ipv4Mapped = ranges(['::ffff:0:0/96']);
const ipv4Compatible = ranges(['::/96']);
const sixToFour = ranges(['2002::/16']);
const teredo = ranges(['2001::/32']);
const nat64 = ranges(['64:ff9b::/96']);
const localNat64 = ranges(['64:ff9b:1::/48']);

const loopback = ranges(['127.0.0.0/8', '::1/128']);

/** The allow-list can except such a host. */
export const privateProblem = 'is a private network address';

/**
 * Returns what is wrong with a callback URL as the end of a sentence: what fails and why are separate messages by design, because the
 * name before it depends on the caller ("callback_uri must be …", "127.0.0.1 is …"). Does not check the host's address.
 */
export function callbackUrlProblem(address: string): string | undefined {
  // The parser would drop tabs and line breaks, so that another URL would be called.
  if (address !== address.trim() || /[\t\r\n]/.test(address) || !URL.canParse(address))
    return 'must be a full URL like https://example.com/rain';
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must start with http:// or https://';
  if (!/^https?:\/\/[^/]/i.test(address)) return 'must be a full URL like https://example.com/rain';
  if (url.username !== '' || url.password !== '') return 'must not contain a username or password';
  if (url.port === '0') return 'must not have port 0, which no server can listen on';
  if (address.includes('#')) return 'must not have a fragment (the part starting with #), because it is never sent';
  return undefined;
}

/** Returns why it must not be called. `host`: the name that resolved to it. The URL parser has normalized spellings such as `127.1`. */
export function addressProblem(
  address: string,
  host: string,
  port: number,
  policy: CallbackPolicy,
): string | undefined {
  const written = parseAddress(address);
  if (!written) return 'is not a network address';
  const inside = embeddedIpv4(written);
  const isIn = (list: () => readonly Range[]) => [written, ...inside].some((one) => within(one, list));
  const own = () => ranges(policy.ownAddresses?.() ?? [])();
  if (port === policy.ownPort && (isIn(loopback) || isIn(own))) {
    return policy.ownName === undefined
      ? 'is the address of this service itself'
      : `is the address of ${policy.ownName} itself`;
  }
  if (isIn(never)) return 'is a link-local, metadata, multicast, or reserved address';
  const called = inside.length > 0 ? inside : [written];
  if (called.every((one) => isAllowed(one, host, policy.allowlist))) return undefined;
  if (policy.allowsLan === true && called.every((one) => within(one, lan))) return undefined;
  if (policy.kind === 'local') return undefined;
  if (isIn(privateOnes)) return privateProblem;
  if (written.kind() === 'ipv6' && !within(written, reachableIpv6)) return 'is not a public address';
  return undefined;
}

export function isAddress(host: string): boolean {
  return parseAddress(host) !== undefined;
}

/** Whether a text is an address, or a range of them like 10.0.0.0/8. */
export function isAddressRange(text: string): boolean {
  return parseRange(text) !== undefined;
}

/** Host and port that a URL leads to; an IPv6 address without its brackets. */
export function targetOf(address: string | URL): { host: string; port: number } {
  const url = typeof address === 'string' ? new URL(address) : address;
  const defaultPort = url.protocol === 'https:' ? 443 : 80;
  return {
    host: url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname,
    port: url.port === '' ? defaultPort : Number(url.port),
  };
}

function parseAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined;
}

/**
 * The IPv4 addresses that an IPv6 address carries, because a translator or tunnel on the way would dial them. Sources: RFC 4291
 * §2.5.5 (mapped, compatible), RFC 6052 §2.2 (NAT64), RFC 8215 (local NAT64), RFC 3056 (6to4), RFC 4380 §4 (Teredo: the
 * server, and the client inverted), RFC 5214 §6.1 (ISATAP, below any prefix).
 */
function embeddedIpv4(address: Address): ipaddr.IPv4[] {
  if (!(address instanceof ipaddr.IPv6)) return [];
  const bytes = address.toByteArray();
  const at = (...positions: readonly number[]) => new ipaddr.IPv4(positions.map((position) => bytes[position] ?? 0));
  const last = at(12, 13, 14, 15);
  if (within(address, ipv4Mapped)) return [last];
  // Except :: and ::1.
  if (within(address, ipv4Compatible)) return (bytes[12] ?? 0) + (bytes[13] ?? 0) > 0 ? [last] : [];
  if (within(address, sixToFour)) return [at(2, 3, 4, 5)];
  if (within(address, teredo)) return [at(4, 5, 6, 7), new ipaddr.IPv4(bytes.slice(12).map((byte) => byte ^ 0xff))];
  if (within(address, nat64)) return [last];
  if (within(address, localNat64)) {
    // The network chooses the length of the prefix, and byte 8 is always skipped. Unused bytes are 0.
    const possible = [at(6, 7, 9, 10), at(7, 9, 10, 11), at(9, 10, 11, 12), last];
    return possible.filter((one) => one.octets[0] !== 0);
  }
  const isIsatap = ((bytes[8] ?? 0) & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;
  return isIsatap ? [last] : [];
}

function isAllowed(address: Address, host: string, allowlist: readonly string[]): boolean {
  return allowlist.some((entry) => {
    const range = parseRange(entry);
    return range ? within(address, () => [range]) : plainName(entry) === plainName(host);
  });
}

/** Normalizes a name: lower case, without the root's dot. */
function plainName(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}

function within(address: Address, list: () => readonly Range[]): boolean {
  return list().some(([network, bits]) => network.kind() === address.kind() && address.match([network, bits]));
}

/** Parses `10.0.0.0/8` or a single address; undefined for a name. */
function parseRange(text: string): Range | undefined {
  const [network = '', bits, ...more] = text.split('/');
  const address = parseAddress(network);
  if (!address || more.length > 0) return undefined;
  const longest = address.kind() === 'ipv6' ? 128 : 32;
  const length = bits === undefined ? longest : Number(bits);
  const isWhole = bits === undefined || /^\d{1,3}$/.test(bits);
  return isWhole && length <= longest ? [address, length] : undefined;
}

/** Parsed at the first use, because the parser would take 2 ms of each start. */
function ranges(texts: readonly string[]): () => readonly Range[] {
  let parsed: readonly Range[] | undefined;
  return () => (parsed ??= texts.map(parseRange).filter((range) => range !== undefined));
}
