// Limits on failures and on counted actions, in memory and per process. A limit only ever refuses what the same client did:
// keys hold the network of an address, and a name or client ID where there is one (docs/decisions/limits.md).
import type { Clock } from '#shared/time/clock.ts';
import { ServiceError } from '#service/errors/service-error.ts';

/** The oldest window makes room for a new one, so that no flood of keys fills the memory. */
const keysLimit = 20_000;

export type FailureLimit = { failures: number; windowSeconds: number };

export type Throttle = {
  /** Seconds until the key may try again; 0: now. */
  waitSeconds(key: string): number;
  failed(key: string): void;
  succeeded(key: string): void;
};

/** `endsAt`: by `elapsed()`, so that a clock that jumps neither locks out nor lets in. */
type Window = { failures: number; endsAt: number };

export function createThrottle(clock: Clock, { failures, windowSeconds }: FailureLimit): Throttle {
  const windows = new Map<string, Window>();
  const current = (key: string) => {
    const window = windows.get(key);
    return window && window.endsAt > clock.elapsed() ? window : undefined;
  };
  return {
    waitSeconds(key) {
      const window = current(key);
      return window && window.failures >= failures ? Math.ceil((window.endsAt - clock.elapsed()) / 1000) : 0;
    },
    failed(key) {
      const window = current(key);
      if (window) {
        window.failures += 1;
        return;
      }
      const oldest = windows.size >= keysLimit ? windows.keys().next() : undefined;
      if (oldest && !oldest.done) windows.delete(oldest.value);
      // Deleted first, so that the map stays in the order in which windows began.
      windows.delete(key);
      windows.set(key, { failures: 1, endsAt: clock.elapsed() + windowSeconds * 1000 });
    },
    succeeded: (key) => void windows.delete(key),
  };
}

/** What counts as one address: the owner of an IPv6 address has the 2⁶⁴ around it as well. */
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
  return new ServiceError('rate_limited', `${what}; try again in ${waitSeconds} seconds.`, {
    headers: { 'retry-after': String(waitSeconds) },
  });
}

/** Counts what an address does, whatever comes of it; throws `rate_limited` with Retry-After if it was too much. */
export function createCountGuard(clock: Clock, limit: FailureLimit, what: string): (address: string) => void {
  const throttle = createThrottle(clock, limit);
  return (address) => {
    const network = networkOf(address);
    const wait = throttle.waitSeconds(network);
    if (wait > 0) throw rateLimited(`Many ${what} came from your address`, wait);
    throttle.failed(network);
  };
}

/** 25 refusals among 170 requests from one address in half a minute are normal; this leaves room above that. */
const perName: FailureLimit = { failures: 40, windowSeconds: 300 };

/**
 * Counts a failed client authentication and throws `rate_limited` if there were too many. It is asked after the secret was
 * found to be wrong, so it never refuses a right one. Failures count per known client ID and address; all client IDs that
 * do not exist share one count per address. `clientId`: undefined if there is no such application.
 */
export type CountClientFailure = (address: string, clientId: string | undefined) => void;

export function createClientFailureCount(clock: Clock): CountClientFailure {
  const throttle = createThrottle(clock, perName);
  return (address, clientId) => {
    // Client IDs are letters and digits, so none is written like the key of the unknown ones.
    const key = `${networkOf(address)} ${clientId ?? '?'}`;
    const wait = throttle.waitSeconds(key);
    if (wait > 0)
      throw rateLimited('Too many failed client authentications with this client ID from your address', wait);
    throttle.failed(key);
  };
}

export type AttemptGuard = {
  /** Throws `rate_limited` with Retry-After if this name failed too often from this address. */
  check(address: string, name: string): void;
  /**
   * Resolves at once for most. An address from which many names failed waits for its turn, one a second, so that trying one
   * password on many names is slow and nobody behind that address is refused; throws `rate_limited` if 30 wait already.
   */
  slowDown(address: string): Promise<void>;
  failed(address: string, name: string): void;
  succeeded(address: string, name: string): void;
};

const perAddress: FailureLimit = { failures: 80, windowSeconds: 300 };
const turnMs = 1_000;
const turnsAhead = 30;

/** Guards passwords, which are too expensive to verify first: a name that failed too often is refused before. */
export function createAttemptGuard(clock: Clock, what: string): AttemptGuard {
  const addresses = createThrottle(clock, perAddress);
  const pairs = createThrottle(clock, perName);
  /** When the next turn of a slowed address is. */
  const nextTurns = new Map<string, number>();
  const pair = (address: string, name: string) => `${networkOf(address)} ${name.slice(0, 200)}`;
  return {
    check(address, name) {
      const wait = pairs.waitSeconds(pair(address, name));
      if (wait > 0) throw rateLimited(`Too many failed ${what} with this name from your address`, wait);
    },
    async slowDown(address) {
      const network = networkOf(address);
      if (addresses.waitSeconds(network) === 0) return;
      const now = clock.elapsed();
      const turn = Math.max(now, nextTurns.get(network) ?? 0);
      const waitMs = turn - now;
      if (waitMs > turnsAhead * turnMs) {
        throw rateLimited(`Too many ${what} from your address are waiting`, Math.ceil(waitMs / 1000));
      }
      nextTurns.set(network, turn + turnMs);
      if (waitMs > 0) await new Promise<void>((resolve) => void clock.after(waitMs, resolve));
      if (nextTurns.get(network) === turn + turnMs) clock.after(turnMs, () => forgetTurn(network, turn + turnMs));
    },
    failed(address, name) {
      addresses.failed(networkOf(address));
      pairs.failed(pair(address, name));
    },
    succeeded: (address, name) => pairs.succeeded(pair(address, name)),
  };

  function forgetTurn(network: string, turn: number): void {
    if (nextTurns.get(network) === turn) nextTurns.delete(network);
  }
}
