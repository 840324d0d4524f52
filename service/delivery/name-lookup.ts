// Resolves names of callbacks for a service in public. Node's own lookup waits in one of four threads, so a handful of
// names with silent servers would stop all others; asking DNS by socket stops nobody. Names that DNS does not know, such as
// those of a hosts file or a container network, are left to the system, two at a time.
import { Resolver, lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';

type Options = {
  /** DNS servers, `address:port`; the system's own where none are given. */
  servers?: readonly string[];
  fallback?: LookupFunction;
};

const systemLookupsAtOnce = 2;

export function createNameLookup({ servers, fallback = systemLookup as LookupFunction }: Options = {}): LookupFunction {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 });
  if (servers) resolver.setServers(servers);
  const inTurn = createTurns(systemLookupsAtOnce);

  async function answer(...[hostname, options, done]: Parameters<LookupFunction>): Promise<void> {
    const addresses = await askDns(resolver, hostname);
    if (addresses.length > 0) {
      done(null, addresses);
      return;
    }
    inTurn((finished) =>
      fallback(hostname, { ...options, all: true }, (error, found, family) => {
        finished();
        done(error, found, family);
      }),
    );
  }

  return (...question) => void answer(...question);
}

async function askDns(resolver: Resolver, hostname: string): Promise<LookupAddress[]> {
  const ask = (family: 4 | 6) =>
    new Promise<LookupAddress[]>((resolve) => {
      const answer = (error: Error | null, addresses: string[]) =>
        resolve(error ? [] : addresses.map((address) => ({ address, family })));
      if (family === 4) resolver.resolve4(hostname, answer);
      else resolver.resolve6(hostname, answer);
    });
  return (await Promise.all([ask(4), ask(6)])).flat();
}

/** Runs so many works at once; each says when it is finished. */
function createTurns(atOnce: number): (work: (finished: () => void) => void) => void {
  const waiting: ((finished: () => void) => void)[] = [];
  let running = 0;
  function next(): void {
    const work = running < atOnce ? waiting.shift() : undefined;
    if (!work) return;
    running += 1;
    work(() => {
      running -= 1;
      next();
    });
  }
  return (work) => {
    waiting.push(work);
    next();
  };
}
