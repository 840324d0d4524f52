// Guards every request to a URL that a user provided (docs/delivery.md S8): checks every address that a name resolves to and connects
// only to the checked ones, which defeats DNS rebinding. The service's delivery and the app's replay and forward share it; each
// brings its own DNS lookup.
import type { LookupFunction } from 'node:net';
import { isLoopback } from '../network/loopback.ts';
import { systemClock, type Clock } from '../time/clock.ts';
import { within } from '../time/within.ts';
import { addressProblem, isAddress, targetOf, type CallbackPolicy } from './callback-address.ts';

export type CallbackGuard = {
  /** Returns why this URL must not be called, or undefined. Accepts a name that does not resolve within `timeoutMs`. */
  problem(callbackUri: string, timeoutMs?: number): Promise<string | undefined>;
  /** Like `problem`, for hosts without a DNS lookup; call it before each connection, because Node calls `lookup` only for names. */
  literalProblem(callbackUri: string | URL): string | undefined;
  /** For `connect`: fails with code RAINBELL_FORBIDDEN if any address of the name is forbidden. */
  lookupFor(port: number): LookupFunction;
};

export const forbiddenCode = 'RAINBELL_FORBIDDEN';

const resolveLimitMs = 2_000;
const rememberedLimit = 10_000;

type Dependencies = { policy: CallbackPolicy; lookup: LookupFunction; /** The machine's. */ clock?: Clock };

export function createCallbackGuard({ policy, lookup, clock = systemClock }: Dependencies): CallbackGuard {
  // An address needs no lookup and the policy never changes, so decisions stay valid.
  const decided = new Map<string, string | undefined>();
  function literalProblem(callbackUri: string | URL): string | undefined {
    const { host, port } = targetOf(callbackUri);
    const key = `${host} ${port}`;
    if (decided.has(key)) return decided.get(key);
    const problem = isAddress(host) ? addressProblem(host, host, port, policy) : undefined;
    if (decided.size >= rememberedLimit) decided.clear();
    decided.set(key, problem);
    return problem;
  }

  function lookupFor(port: number): LookupFunction {
    return (hostname, options, done) => {
      const resolve = isLoopback(hostname) && hostname !== 'localhost' ? resolveLoopback : lookup;
      resolve(hostname, { ...options, all: true }, (error, found, family) => {
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
    async problem(callbackUri, timeoutMs = resolveLimitMs) {
      const { host, port } = targetOf(callbackUri);
      if (isAddress(host)) return literalProblem(callbackUri);
      const found = new Promise<string | undefined>((resolve) =>
        lookupFor(port)(host, { all: true }, (error) =>
          resolve(error && 'code' in error && error.code === forbiddenCode ? error.message : undefined),
        ),
      );
      // Don't block the caller on slow DNS; the name is checked again before each request.
      return within(clock, timeoutMs, found);
    },
  };
}

/** Browsers and curl take each name below `localhost` for this machine (RFC 6761 §6.3); not every system's DNS lookup does. */
const resolveLoopback: LookupFunction = (_hostname, _options, done) =>
  done(null, [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]);

function forbidden(host: string, problem: string): Error {
  return Object.assign(new Error(problem), { code: forbiddenCode, hostname: host });
}
