// Resolves callback hosts for a public service. Node's own lookup uses one of four threads, so a few names with unresponsive
// servers would block all others; DNS over sockets blocks none. Names unknown to DNS, such as those of a hosts file or a container
// network, are left to the system, two at a time. Concurrent lookups of a name share one result. Each connection is checked.
import { ADDRCONFIG, lookup, type LookupAddress, promises } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { createCache } from '../../cache/create-cache.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { createFairQueue } from '../../limits/fair-queue.ts';

type Options = {
  /** DNS servers, `address:port`; the system's if not set. */
  servers?: readonly string[];
  fallback?: LookupFunction;
  /** Timeout of a DNS server; each is queried twice. */
  timeoutMs?: number;
};

const systemLookupsAtOnce = 2;
/** Beyond this many names, lookups fail at once; their sends are retried later. */
const maxWaiting = 100;
const rememberedNames = 50_000;

const systemLookup = lookup as LookupFunction;

export function createNameLookup({
  servers,
  fallback = systemLookup,
  timeoutMs = 1_500,
}: Options = {}): LookupFunction {
  const resolver = new promises.Resolver({ timeout: timeoutMs, tries: 2 });
  if (servers) resolver.setServers(servers);
  const lookUpInSystem = createTurns(fallback);
  return shareLookups(async (hostname) => {
    const addresses = await queryDns(resolver, hostname);
    return addresses.length > 0 ? addresses : lookUpInSystem(hostname);
  });
}

/** Limits the system's lookup, to leave some of Node's threads to others. */
export function createSystemLookup(fallback = systemLookup): LookupFunction {
  return shareLookups(createTurns(fallback));
}

/** Remembers where names led, so that many names of one machine count as one host (docs/delivery.md S12). */
export function rememberAddresses(lookUp: LookupFunction) {
  const known = createCache<string, string>(rememberedNames);
  const lookupAndRemember: LookupFunction = (hostname, options, done) =>
    lookUp(hostname, options, (error, found, family) => {
      const address = Array.isArray(found) ? found[0]?.address : found;
      if (!error && address !== undefined) known.set(hostname, address);
      done(error, found, family);
    });
  /** Returns the address of a URL's origin, or its name until that was looked up. */
  function addressOf(origin: string): string {
    const hostname = URL.parse(origin)?.hostname ?? origin;
    return known.get(hostname) ?? hostname;
  }
  return { lookup: lookupAndRemember, addressOf };
}

type Resolve = (hostname: string) => Promise<LookupAddress[]>;

/** Returns all addresses of a name, in the form of `lookup` of `node:net`. */
function shareLookups(resolve: Resolve): LookupFunction {
  const running = new Map<string, Promise<LookupAddress[]>>();
  return (hostname, _options, done) => {
    const shared = running.get(hostname) ?? resolve(hostname).finally(() => running.delete(hostname));
    running.set(hostname, shared);
    callbackify(() => shared)((error, addresses) => done(error, error ? [] : addresses));
  };
}

async function queryDns(resolver: promises.Resolver, hostname: string): Promise<LookupAddress[]> {
  const none = () => [];
  const queries = [resolver.resolve4(hostname).catch(none), resolver.resolve6(hostname).catch(none)];
  const [v4 = [], v6 = []] = await Promise.all(queries);
  return [...v4.map((address) => ({ address, family: 4 })), ...v6.map((address) => ({ address, family: 6 }))];
}

function createTurns(lookUpInSystem: LookupFunction): Resolve {
  const queue = createFairQueue({ atOnce: systemLookupsAtOnce, waitingLimit: maxWaiting, busy: '' });
  const lookUp = (hostname: string) =>
    new Promise<LookupAddress[]>((resolve, reject) =>
      // As Node does before it connects.
      lookUpInSystem(hostname, { all: true, hints: ADDRCONFIG }, (error, found, family) =>
        error ? reject(error) : resolve(Array.isArray(found) ? found : [{ address: found, family: family ?? 4 }]),
      ),
    );
  return async (hostname) => {
    try {
      return await queue.run('', () => lookUp(hostname));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const problem = `${hostname} was not looked up: too many lookups are waiting`;
      throw Object.assign(new Error(problem), { code: 'EAI_AGAIN' });
    }
  };
}
