// Limits failures and counted actions. A limit affects only the client that caused it: keys contain the network of an address, and
// the name or client ID if known (docs/decisions.md).
import type { Clock } from '@rainbell/shared';
import { ServiceError } from '../errors/service-error.ts';
import { createLimiter, type Fleet, type Limit } from './limiter.ts';

/** Returns the network of an address: the owner of an IPv6 address also has the 2⁶⁴ around it. */
export function networkOf(address: string): string {
  // An IPv4 address may be written as IPv6: ::ffff:192.0.2.1.
  if (!address.includes(':') || address.includes('.')) return address;
  const [front = [], back = []] = address.split('::').map((part) =>
    part
      .replace(/%.*/s, '')
      .split(':')
      .filter((group) => group !== ''),
  );
  const zeros = Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0');
  return [...front, ...zeros, ...back].slice(0, 4).join(':');
}

/** `what`: "Too many sign-ins". */
export function rateLimited(what: string, waitSeconds: number): ServiceError {
  return new ServiceError('rate_limited', `${what}; try again in ${waitSeconds} s.`, { retryAfter: waitSeconds });
}

/** Counts an address's actions, about each thing apart; throws `rate_limited` with Retry-After beyond the limit. */
export type CountGuard = (address: string, about?: string) => Promise<void>;

export function createCountGuard(fleet: Fleet, limit: Limit, what: string): CountGuard {
  const limiter = createLimiter(limit, fleet);
  return async (address, about) => {
    const network = networkOf(address);
    const wait = await limiter.take(about === undefined ? network : `${network} ${about}`);
    if (wait > 0) throw rateLimited(`Too many ${what} from your IP address`, wait);
  };
}

/** 25 refusals among 170 requests from one address in half a minute are normal; this leaves room above that. */
const perName = { max: 40, windowSeconds: 300 };

/**
 * Counts failed client authentications by client ID and address, after a secret was found to be wrong, so it never rejects a correct
 * one. All unknown client IDs share one count: a client ID is letters and digits, so none equals their key.
 */
export function createClientFailureCount(fleet: Fleet): CountGuard {
  const what = 'failed client authentications with this client ID';
  const count = createCountGuard(fleet, { name: 'client', ...perName }, what);
  return (address, clientId = '?') => count(address, clientId);
}

export type AttemptGuard = ReturnType<typeof createAttemptGuard>;

const perAddress = { max: 80, windowSeconds: 300 };
const turnMs = 1_000;
const turnsAhead = 30;

/** Guards passwords, which are too expensive to verify first: rejects a name that failed too often before verifying. */
export function createAttemptGuard(fleet: Fleet, clock: Clock, what: string) {
  const addresses = createLimiter({ name: `${what} address`, ...perAddress }, fleet);
  const pairs = createLimiter({ name: `${what} name`, ...perName }, fleet);
  const nextTurns = new Map<string, number>();
  const pair = (address: string, name: string) => `${networkOf(address)} ${name.slice(0, 200)}`;
  return {
    /** Throws `rate_limited` with Retry-After if this name failed too often from this address. */
    async check(address: string, name: string) {
      const { count, seconds } = await pairs.left(pair(address, name));
      if (count === 0) throw rateLimited(`Too many failed ${what} with this name from your IP address`, seconds);
    },
    /** An address from which many names failed waits for its turn, one a second, so no one behind it is blocked; refuses the 31st. */
    async slowDown(address: string) {
      const network = networkOf(address);
      if ((await addresses.left(network)).count > 0) return;
      const now = clock.elapsed();
      const turn = Math.max(now, nextTurns.get(network) ?? 0);
      const waitMs = turn - now;
      if (waitMs > turnsAhead * turnMs) {
        throw rateLimited(`Too many ${what} from your IP address are waiting`, Math.ceil(waitMs / 1000));
      }
      nextTurns.set(network, turn + turnMs);
      if (waitMs > 0) await new Promise<void>((resolve) => void clock.after(waitMs, resolve));
      if (nextTurns.get(network) === turn + turnMs) clock.after(turnMs, () => forgetTurn(network, turn + turnMs));
    },
    async failed(address: string, name: string) {
      await Promise.all([addresses.take(networkOf(address)), pairs.take(pair(address, name))]);
    },
    succeeded: (address: string, name: string) => pairs.clear(pair(address, name)),
  };

  function forgetTurn(network: string, turn: number): void {
    if (nextTurns.get(network) === turn) nextTurns.delete(network);
  }
}
