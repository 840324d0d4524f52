// Keeps anonymous requests from starving the API. Opening a page costs a thousand times what a stored forecast costs, so a few
// dozen connections could keep the one thread busy with pages alone. Requests with a token that was checked before pass at
// once. The others take turns, one per turn of the event loop and one address after the other, so an API request never waits
// for more than one of them. Requests without any credentials also count against a limit per address.
import type { FastifyRequest, onRequestHookHandler, onSendHookHandler } from 'fastify';
import { LRUCache } from 'lru-cache';
import { networkOf } from '../accounts/throttle.ts';
import { ServiceError } from './service-error.ts';

/**
 * What one address may do without credentials: `burst` requests at once, then `perSecond`. Behind it is the number of sign-ins
 * that must pass from one address in 30 s: 75, each with four pages and, in a new browser, three files.
 */
export type AddressLimit = { burst: number; perSecond: number };
const usualLimit: AddressLimit = { burst: 600, perSecond: 20 };

const rememberedAddresses = 20_000;
/** Each waiting request holds a connection open; more than this is refused at once. */
const waitingLimit = 4_000;

export type AdmissionOptions = {
  /** Whether this access token was found valid before, without looking it up. */
  isKnownToken: (token: string) => boolean;
  limit?: AddressLimit;
  /** Monotonic milliseconds. */
  now?: () => number;
  /** Calls back in the next turn of the event loop. */
  defer?: (run: () => void) => void;
};

/**
 * Page views, and other requests without a body, that may use the database at once. On PostgreSQL its ten connections are
 * shared with the API, so more would only wait there, in front of requests with a token. Forms are not counted: some wait for
 * their turn with a password for many seconds, and would keep everyone else out.
 */
const viewsAtOnce = 4;

export type Admission = {
  admit: onRequestHookHandler;
  /** Runs for every response, before it is sent. */
  release: onSendHookHandler;
};

/** The hooks for every server of the service that answers anonymous requests; they share one admission. */
export function createAdmission({
  isKnownToken,
  limit = usualLimit,
  now = () => performance.now(),
  defer = setImmediate,
}: AdmissionOptions): Admission {
  const turns = createTurns(defer);
  /** Those whose handler has not answered yet. */
  const views = new WeakSet<FastifyRequest>();
  const secondsToWait = createAddressLimit(limit, now);
  const admit: onRequestHookHandler = (request, _reply, done) => {
    const { authorization } = request.headers;
    const token = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    if (token !== undefined && isKnownToken(token)) {
      done();
      return;
    }
    const network = networkOf(request.ip);
    const isWaiting = turns.take(network, () => {
      // Whoever hung up meanwhile is not answered.
      if (request.raw.socket.destroyed) return;
      const seconds = hasCredentials(request) ? 0 : secondsToWait(network);
      if (seconds > 0) {
        done(tooMany(seconds));
        return;
      }
      if (request.method === 'GET' || request.method === 'HEAD') {
        views.add(request);
        turns.viewBegins();
      }
      done();
    });
    if (!isWaiting) done(busy());
  };
  return {
    admit,
    release(request, _reply, payload, done) {
      if (views.delete(request)) turns.viewEnds();
      done(null, payload);
    },
  };
}

/** The token endpoint reads its credentials from the body, and counts its own failures. A preflight can carry none. */
function hasCredentials({ headers, method, url }: FastifyRequest): boolean {
  return headers.authorization !== undefined || method === 'OPTIONS' || /^\/token(\/|\?|$)/.test(url);
}

type Turns = {
  /** Runs the work in its turn; false if too many wait already. */
  take(network: string, work: () => void): boolean;
  viewBegins(): void;
  viewEnds(): void;
};

/** Runs one piece of work per turn of the event loop, taking the networks in turn; none while too many views are open. */
function createTurns(defer: (run: () => void) => void): Turns {
  /** In the order of turns: the first network is next, and moves to the end when it had its turn. */
  const waiting = new Map<string, (() => void)[]>();
  let count = 0;
  let views = 0;
  /** A turn is planned or was just taken. */
  let isTurnTaken = false;

  function runNext(): void {
    const [first] = waiting;
    if (!first || views >= viewsAtOnce) {
      isTurnTaken = false;
      return;
    }
    defer(runNext);
    const [network, works] = first;
    const work = works.shift();
    count -= 1;
    waiting.delete(network);
    if (works.length > 0) waiting.set(network, works);
    work?.();
  }

  return {
    take(network, work) {
      if (isTurnTaken || views >= viewsAtOnce) {
        if (count >= waitingLimit) return false;
        count += 1;
        const works = waiting.get(network);
        if (works) works.push(work);
        else waiting.set(network, [work]);
        return true;
      }
      isTurnTaken = true;
      defer(runNext);
      work();
      return true;
    },
    viewBegins: () => void (views += 1),
    viewEnds() {
      views -= 1;
      if (isTurnTaken || waiting.size === 0) return;
      isTurnTaken = true;
      defer(runNext);
    },
  };
}

/** A token bucket per network. Returns the whole seconds until the next request; 0 counts it. */
function createAddressLimit({ burst, perSecond }: AddressLimit, now: () => number): (network: string) => number {
  const buckets = new LRUCache<string, { left: number; at: number }>({ max: rememberedAddresses });
  return (network) => {
    const at = now();
    const bucket = buckets.get(network) ?? { left: burst, at };
    const left = Math.min(burst, bucket.left + ((at - bucket.at) / 1000) * perSecond);
    const isAllowed = left >= 1;
    buckets.set(network, { left: isAllowed ? left - 1 : left, at });
    return isAllowed ? 0 : Math.ceil((1 - left) / perSecond);
  };
}

function tooMany(seconds: number): ServiceError {
  return new ServiceError(
    'rate_limited',
    'Too many requests came from your network address. Wait a few seconds, then try again.',
    { headers: { 'retry-after': String(seconds) } },
  );
}

function busy(): ServiceError {
  return new ServiceError('temporarily_unavailable', 'The service is busy. Wait a few seconds, then try again.', {
    headers: { 'retry-after': '5' },
  });
}
