// Limits failures and counted actions, for all processes on one PostgreSQL together. A limit affects only the client that caused it:
// keys contain the network of an address, and the name or client ID if known (docs/decisions/limits.md).
import { hashOf } from '#service/secrets/random-text.ts';
import { ServiceError } from '#service/errors/service-error.ts';
import type { FleetCount, LimitContext } from './fleet-counters.ts';

/** The oldest window is evicted for a new one, so that a flood of keys cannot fill the memory. */
const keysLimit = 20_000;

/** `name`: of the limit, unique among all, for the counters that processes share. */
export type FailureLimit = { name: string; failures: number; windowSeconds: number };

export type Throttle = {
  /** Returns the seconds until the key may try again, by what this process knows; 0: now. */
  waitSeconds(key: string): number;
  /** Reads what other processes have counted. */
  learn(key: string): Promise<void>;
  /** Counts at once for this process; resolves with the count of all, this one included, and the seconds until the window ends. */
  failed(key: string): Promise<{ count: number; secondsLeft: number }>;
  succeeded(key: string): void;
};

/** `endsAt`: by `elapsed()`, so that clock jumps have no effect. */
type Window = { failures: number; endsAt: number };

export function createThrottle({ clock, counters }: LimitContext, limit: FailureLimit): Throttle {
  const { name, failures, windowSeconds } = limit;
  const windows = new Map<string, Window>();
  // Names may contain anything that someone typed, so only their hashes are stored.
  const sharedKey = (key: string) => `${name} ${hashOf(key)}`;
  const current = (key: string) => {
    const window = windows.get(key);
    return window && window.endsAt > clock.elapsed() ? window : undefined;
  };
  return {
    waitSeconds(key) {
      const window = current(key);
      return window && window.failures >= failures ? Math.ceil((window.endsAt - clock.elapsed()) / 1000) : 0;
    },
    async learn(key) {
      const known = await counters?.read(sharedKey(key));
      if (known) merge(key, known);
    },
    async failed(key) {
      const own = current(key) ?? open(key, 0, windowSeconds * 1000);
      own.failures += 1;
      // A full window stays full, so a flood of refused attempts costs the database nothing.
      const known =
        own.failures > failures ? undefined : await counters?.addSince(sharedKey(key), windowSeconds * 1000);
      const window = known ? merge(key, known) : own;
      const count = known ? known.used : window.failures;
      return { count, secondsLeft: Math.ceil((window.endsAt - clock.elapsed()) / 1000) };
    },
    succeeded(key) {
      if (windows.delete(key)) counters?.clear(sharedKey(key));
    },
  };

  function open(key: string, counted: number, leftMs: number): Window {
    const oldest = windows.size >= keysLimit ? windows.keys().next() : undefined;
    if (oldest && !oldest.done) windows.delete(oldest.value);
    // Delete first, so that the map stays in the order of window starts.
    windows.delete(key);
    const window = { failures: counted, endsAt: clock.elapsed() + leftMs };
    windows.set(key, window);
    return window;
  }

  function merge(key: string, { used, leftMs }: FleetCount): Window {
    const window = current(key);
    if (!window) return open(key, used, leftMs);
    window.failures = Math.max(window.failures, used);
    return window;
  }
}

/** Returns the network of an address: the owner of an IPv6 address also has the 2⁶⁴ around it. */
export function networkOf(address: string): string {
  // An IPv4 address may be written as IPv6: ::ffff:192.0.2.1.
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail = ''] = address.split('::').map((part) => part.split('%')[0] ?? '');
  const [front, back] = [head, tail].map((part) => part.split(':').filter((group) => group !== '')) as [
    string[],
    string[],
  ];
  const zeros = Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0');
  return [...front, ...zeros, ...back].slice(0, 4).join(':');
}

function rateLimited(what: string, waitSeconds: number): ServiceError {
  return new ServiceError('rate_limited', `${what}; try again in ${waitSeconds} s.`, {
    headers: { 'retry-after': String(waitSeconds) },
  });
}

/** Counts an address's actions, successful or not; throws `rate_limited` with Retry-After beyond the limit. */
export type CountGuard = (address: string) => Promise<void>;

export function createCountGuard(context: LimitContext, limit: FailureLimit, what: string): CountGuard {
  const throttle = createThrottle(context, limit);
  return async (address) => {
    const network = networkOf(address);
    const wait = await countOne(throttle, network, limit);
    if (wait > 0) throw rateLimited(`Too many ${what} from your IP address`, wait);
  };
}

/** Counts one; returns the seconds to wait if it was one too many. */
async function countOne(throttle: Throttle, key: string, { failures }: FailureLimit): Promise<number> {
  const wait = throttle.waitSeconds(key);
  if (wait > 0) return wait;
  const { count, secondsLeft } = await throttle.failed(key);
  return count > failures ? secondsLeft : 0;
}

/** 25 refusals among 170 requests from one address in half a minute are normal; this leaves room above that. */
const perName = { failures: 40, windowSeconds: 300 };

/**
 * Counts a failed client authentication and throws `rate_limited` if there were too many. Runs after a secret was found to be
 * wrong, so it never rejects a correct one. Failures count per known client ID and address; all unknown client IDs share one count
 * per address. `clientId`: undefined if the application does not exist.
 */
export type CountClientFailure = (address: string, clientId: string | undefined) => Promise<void>;

export function createClientFailureCount(context: LimitContext): CountClientFailure {
  const limit = { name: 'client', ...perName };
  const throttle = createThrottle(context, limit);
  return async (address, clientId) => {
    // Client IDs are letters and digits, so none equals the key of unknown ones.
    const wait = await countOne(throttle, `${networkOf(address)} ${clientId ?? '?'}`, limit);
    if (wait > 0)
      throw rateLimited('Too many failed client authentications with this client ID from your IP address', wait);
  };
}

export type AttemptGuard = {
  /** Reads what other processes have counted of this name and address. */
  learn(address: string, name: string): Promise<void>;
  /** Throws `rate_limited` with Retry-After if this name failed too often from this address. */
  check(address: string, name: string): void;
  /**
   * Resolves at once for most. An address from which many usernames failed waits for its turn, one a second, so that trying one
   * password on many usernames is slow but no one behind that address is blocked; throws `rate_limited` if 30 already wait.
   */
  slowDown(address: string): Promise<void>;
  failed(address: string, name: string): Promise<void>;
  succeeded(address: string, name: string): void;
};

const perAddress = { failures: 80, windowSeconds: 300 };
const turnMs = 1_000;
const turnsAhead = 30;

/** Guards passwords, which are too expensive to verify first: rejects a name that failed too often before verifying. */
export function createAttemptGuard(context: LimitContext, what: string): AttemptGuard {
  const { clock } = context;
  const addresses = createThrottle(context, { name: `${what} address`, ...perAddress });
  const pairs = createThrottle(context, { name: `${what} name`, ...perName });
  /** When the next turn of a slowed address is. */
  const nextTurns = new Map<string, number>();
  const pair = (address: string, name: string) => `${networkOf(address)} ${name.slice(0, 200)}`;
  return {
    async learn(address, name) {
      await Promise.all([addresses.learn(networkOf(address)), pairs.learn(pair(address, name))]);
    },
    check(address, name) {
      const wait = pairs.waitSeconds(pair(address, name));
      if (wait > 0) throw rateLimited(`Too many failed ${what} with this name from your IP address`, wait);
    },
    async slowDown(address) {
      const network = networkOf(address);
      if (addresses.waitSeconds(network) === 0) return;
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
    async failed(address, name) {
      await Promise.all([addresses.failed(networkOf(address)), pairs.failed(pair(address, name))]);
    },
    succeeded: (address, name) => pairs.succeeded(pair(address, name)),
  };

  function forgetTurn(network: string, turn: number): void {
    if (nextTurns.get(network) === turn) nextTurns.delete(network);
  }
}
