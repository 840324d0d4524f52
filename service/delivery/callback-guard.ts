// The guard before every callback (S8): every address that a name resolves to is checked, and the connection is made to
// the checked ones, so a name that changes its mind in between (rebinding) gains nothing.
import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { addressProblem, type CallbackPolicy } from './address-policy.ts';

export type CallbackGuard = {
  /** Why this address may not be called, or undefined. A name that does not resolve now is no problem yet. */
  problem(callbackUri: string): Promise<string | undefined>;
  /** The same for hosts that need no resolving: Node calls `lookup` for names only. */
  literalProblem(url: URL): string | undefined;
  /** For `connect`: fails with code RAINBELL_FORBIDDEN where any address of the name is forbidden. */
  lookupFor(port: number): LookupFunction;
};

export const forbiddenCode = 'RAINBELL_FORBIDDEN';

const resolveLimitMs = 2_000;
const rememberedLimit = 10_000;

/** `lookup` resolves names; tests decide it. */
export function createCallbackGuard(
  policy: CallbackPolicy,
  lookup: LookupFunction = systemLookup as LookupFunction,
): CallbackGuard {
  // An address needs no resolving and the policy never changes, so what was decided stays true.
  const decided = new Map<string, string | undefined>();
  function literalProblem(url: URL): string | undefined {
    const key = `${url.hostname} ${portOf(url)}`;
    if (decided.has(key)) return decided.get(key);
    const host = hostOf(url);
    const problem = isIP(host) === 0 ? undefined : addressProblem(host, host, portOf(url), policy);
    if (decided.size >= rememberedLimit) decided.clear();
    decided.set(key, problem);
    return problem;
  }

  function lookupFor(port: number): LookupFunction {
    return (hostname, options, done) => {
      lookup(hostname, { ...options, all: true }, (error, found) => {
        if (error) return done(error, '', 0);
        const addresses = Array.isArray(found) ? found : [{ address: found, family: isIP(found) }];
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
      const url = new URL(callbackUri);
      if (isIP(hostOf(url)) !== 0) return literalProblem(url);
      return new Promise((resolve) => {
        // A silent name server must not hold up a registration; the name is checked again at each send anyway.
        const timer = setTimeout(() => resolve(undefined), resolveLimitMs);
        lookupFor(portOf(url))(hostOf(url), { all: true }, (error) => {
          clearTimeout(timer);
          resolve(error && 'code' in error && error.code === forbiddenCode ? error.message : undefined);
        });
      });
    },
  };
}

function forbidden(host: string, problem: string): NodeJS.ErrnoException {
  return Object.assign(new Error(problem), { code: forbiddenCode, hostname: host });
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

export function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
}
