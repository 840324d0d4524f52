// Counts failures by a key and says when it has been enough: guessing is slowed down per address, and per account and
// address together, never per account alone, since that would let anybody lock its owner out.
import type { Clock } from '#contract/clock.ts';
import { ServiceError } from '../http/service-error.ts';

const keysLimit = 20_000;

export type FailureLimit = { failures: number; windowSeconds: number };

export type Throttle = {
  /** Seconds until the key may try again; 0: now. */
  waitSeconds(key: string): number;
  failed(key: string): void;
  succeeded(key: string): void;
};

type Window = { failures: number; endsAt: number };

export function createThrottle(clock: Clock, { failures, windowSeconds }: FailureLimit): Throttle {
  const windows = new Map<string, Window>();
  const current = (key: string) => {
    const window = windows.get(key);
    return window && window.endsAt > clock.now() ? window : undefined;
  };
  return {
    waitSeconds(key) {
      const window = current(key);
      return window && window.failures >= failures ? Math.ceil((window.endsAt - clock.now()) / 1000) : 0;
    },
    failed(key) {
      const window = current(key);
      if (window) {
        window.failures += 1;
        return;
      }
      const oldest = windows.size >= keysLimit ? windows.keys().next() : undefined;
      if (oldest && !oldest.done) windows.delete(oldest.value);
      // Deleted first, so that the map stays in the order of beginnings.
      windows.delete(key);
      windows.set(key, { failures: 1, endsAt: clock.now() + windowSeconds * 1000 });
    },
    succeeded: (key) => void windows.delete(key),
  };
}

/** What counts as one address: whoever has an IPv6 address has the 2⁶⁴ around it as well. */
export function networkOf(address: string): string {
  // An IPv4 address may come in IPv6's clothes, ::ffff:192.0.2.1.
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail = ''] = address.split('::').map((part) => part.split('%')[0] ?? '');
  const [front, back] = [head, tail].map((part) => part.split(':').filter((group) => group !== '')) as [
    string[],
    string[],
  ];
  const zeros = Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0');
  return [...front, ...zeros, ...back].slice(0, 4).join(':');
}

/** Counts what an address does, whatever comes of it; throws `rate_limited` with Retry-After where it was too much. */
export function createCountGuard(clock: Clock, limit: FailureLimit, what: string): (address: string) => void {
  const throttle = createThrottle(clock, limit);
  return (address) => {
    const network = networkOf(address);
    const wait = throttle.waitSeconds(network);
    if (wait > 0) {
      throw new ServiceError('rate_limited', `Many ${what} came from your address; try again in ${wait} seconds.`, {
        headers: { 'retry-after': String(wait) },
      });
    }
    throttle.failed(network);
  };
}

export type AttemptGuard = {
  /** Throws `rate_limited` with Retry-After where too much failed before. */
  check(address: string, name: string): void;
  failed(address: string, name: string): void;
  succeeded(address: string, name: string): void;
};

/** What must pass from one address in half a minute is 25 refusals among 170 calls (oauth.md); this leaves twice as much. */
const perAddress: FailureLimit = { failures: 80, windowSeconds: 300 };
const perNameAndAddress: FailureLimit = { failures: 40, windowSeconds: 300 };

/** One guard for sign-ins, one for client authentication; `what` names it in the sentence. */
export function createAttemptGuard(clock: Clock, what: string): AttemptGuard {
  const addresses = createThrottle(clock, perAddress);
  const pairs = createThrottle(clock, perNameAndAddress);
  const pair = (address: string, name: string) => `${networkOf(address)} ${name.slice(0, 200)}`;
  return {
    check(address, name) {
      const wait = Math.max(addresses.waitSeconds(networkOf(address)), pairs.waitSeconds(pair(address, name)));
      if (wait === 0) return;
      throw new ServiceError(
        'rate_limited',
        `Too many failed ${what} from your address; try again in ${wait} seconds.`,
        {
          headers: { 'retry-after': String(wait) },
        },
      );
    },
    failed(address, name) {
      addresses.failed(networkOf(address));
      pairs.failed(pair(address, name));
    },
    succeeded: (address, name) => pairs.succeeded(pair(address, name)),
  };
}
