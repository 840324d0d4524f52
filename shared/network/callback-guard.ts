// The guard before every call to an address that somebody else named (docs/delivery.md S8): every address that a name
// resolves to is checked, and the connection is made to the checked ones, so a name that changes its mind in between
// (rebinding) gains nothing. Shared by the service's delivery and the app's replay and forward; each brings its own
// look-up of names.
import { addressProblem, isAddress, targetOf, type CallbackPolicy, type ParsedUrl } from './callback-address.ts';
import { systemClock, type Clock } from '#shared/time/clock.ts';

type FoundAddress = { address: string; family: number };

/** Has the form of Node's LookupFunction (`node:net`), which contract does not know. */
export type NameLookup = (
  hostname: string,
  options: { all?: boolean | undefined },
  done: (error: Error | null, found: string | FoundAddress[], family?: number) => void,
) => void;

export type CallbackGuard = {
  /** Why this address may not be called, or undefined. A name that does not resolve now is no problem yet. */
  problem(callbackUri: string): Promise<string | undefined>;
  /** The same for hosts that need no resolving; ask it before each connection, since Node calls `lookup` for names only. */
  literalProblem(callbackUri: string | ParsedUrl): string | undefined;
  /** For `connect`: fails with code RAINBELL_FORBIDDEN where any address of the name is forbidden. */
  lookupFor(port: number): NameLookup;
};

export const forbiddenCode = 'RAINBELL_FORBIDDEN';

const resolveLimitMs = 2_000;
const rememberedLimit = 10_000;

type Dependencies = { policy: CallbackPolicy; lookup: NameLookup; /** The machine's. */ clock?: Clock };

export function createCallbackGuard({ policy, lookup, clock = systemClock }: Dependencies): CallbackGuard {
  // An address needs no resolving and the policy never changes, so what was decided stays true.
  const decided = new Map<string, string | undefined>();
  function literalProblem(callbackUri: string | ParsedUrl): string | undefined {
    const { host, port } = targetOf(callbackUri);
    const key = `${host} ${port}`;
    if (decided.has(key)) return decided.get(key);
    const problem = isAddress(host) ? addressProblem(host, host, port, policy) : undefined;
    if (decided.size >= rememberedLimit) decided.clear();
    decided.set(key, problem);
    return problem;
  }

  function lookupFor(port: number): NameLookup {
    return (hostname, options, done) => {
      lookup(hostname, { ...options, all: true }, (error, found, family) => {
        if (error) return done(error, '', 0);
        const addresses = Array.isArray(found) ? found : [{ address: found, family: family ?? 4 }];
        const problem = addresses
          .map(({ address }) => addressProblem(address, hostname, port, policy))
          .find((reason) => reason !== undefined);
        if (problem) return done(forbidden(hostname, problem), '', 0);
        if (options.all) return done(null, addresses);
        return done(null, addresses[0]?.address ?? '', addresses[0]?.family ?? 4);
      });
    };
  }

  return {
    literalProblem,
    lookupFor,
    async problem(callbackUri) {
      const { host, port } = targetOf(callbackUri);
      if (isAddress(host)) return literalProblem(callbackUri);
      return new Promise((resolve) => {
        // A silent name server must not hold up whoever asks; the name is checked again at each send anyway.
        const cancel = clock.after(resolveLimitMs, () => resolve(undefined));
        lookupFor(port)(host, { all: true }, (error) => {
          cancel();
          resolve(error && 'code' in error && error.code === forbiddenCode ? error.message : undefined);
        });
      });
    },
  };
}

function forbidden(host: string, problem: string): Error {
  return Object.assign(new Error(problem), { code: forbiddenCode, hostname: host });
}
