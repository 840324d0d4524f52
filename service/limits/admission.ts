// Keeps anonymous requests from starving the API. A page costs a thousand times as much as a stored forecast, so a few dozen
// connections could keep the only thread busy with pages. Requests with a previously checked token pass at once. The others are
// queued: one starts per turn of the event loop, and few of their handlers run at once. The least recently served network is next,
// so a flood mostly delays its own addresses. Requests without credentials also count against a limit per address.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createCache } from '#service/cache/create-cache.ts';
import { networkOf } from './throttle.ts';
import { createFairTurns } from '#service/http/fair-turns.ts';
import { type RequestSlot, runInSlot } from '#service/http/request-slot.ts';
import { ServiceError } from '#service/errors/service-error.ts';

/**
 * Limit of one address without credentials: a burst of `burst` requests, then `perSecond`. Based on the sign-ins that must pass
 * from one address in 30 s: 75, each with four pages and, in a new browser, three files.
 */
export type AddressLimit = { burst: number; perSecond: number };
const defaultLimit: AddressLimit = { burst: 600, perSecond: 20 };

const rememberedAddresses = 20_000;
/** Each waiting request holds a connection open; more than this are rejected at once. */
const waitingLimit = 4_000;

export type AdmissionOptions = {
  /** Whether this access token was valid earlier, without a lookup. */
  isKnownToken: (token: string) => boolean;
  limit?: AddressLimit;
  /** Monotonic milliseconds. */
  now?: () => number;
  /** Calls back in the next turn of the event loop. */
  defer?: (run: () => void) => void;
};

/**
 * Maximum concurrent handlers of anonymous requests that use the database. On PostgreSQL its ten connections are shared with the
 * API, so more would only block requests with a token. A handler that waits for something else releases its slot (request-slot.ts).
 */
const handlersAtOnce = 4;

/** Shared by all servers of the service that handle anonymous requests. */
export type Admission = {
  /** Adds the hooks to a server, or to a scope of one. */
  guard(server: FastifyInstance): void;
};

export function createAdmission({
  isKnownToken,
  limit = defaultLimit,
  now = () => performance.now(),
  defer = setImmediate,
}: AdmissionOptions): Admission {
  const turns = createTurns(defer, now);
  const slots = new WeakMap<FastifyRequest, RequestSlot>();
  const secondsToWait = createAddressLimit(limit, now);

  const isKnown = ({ headers }: FastifyRequest) => {
    const token = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
    return token !== undefined && isKnownToken(token);
  };

  function handle(request: FastifyRequest, network: string, done: () => void): void {
    const slot = createSlot(turns, network);
    slots.set(request, slot);
    runInSlot(slot, done);
  }

  return {
    guard(server) {
      server.addHook('onRequest', (request, _reply, done) => {
        if (isKnown(request)) {
          done();
          return;
        }
        const network = networkOf(request.ip);
        const isWaiting = turns.take(network, () => {
          // No response if the client disconnected meanwhile.
          if (request.raw.socket.destroyed) return;
          const seconds = hasCredentials(request) ? 0 : secondsToWait(network);
          if (seconds > 0) done(tooMany(seconds));
          else if (hasBody(request)) done();
          else handle(request, network, done);
        });
        if (!isWaiting) done(busy());
      });
      // Only after the whole body has arrived: a client that sends it slowly must not hold a slot.
      server.addHook('preHandler', (request, _reply, done) => {
        if (slots.has(request) || isKnown(request)) {
          done();
          return;
        }
        const network = networkOf(request.ip);
        const isWaiting = turns.take(network, () => {
          if (!request.raw.socket.destroyed) handle(request, network, done);
        });
        if (!isWaiting) done(busy());
      });
      server.addHook('onSend', (request, _reply, payload, done) => {
        const slot = slots.get(request);
        if (slot?.isHeld === true) slot.leave();
        done(null, payload);
      });
    },
  };
}

function createSlot(turns: Turns, network: string): RequestSlot {
  let isHeld = true;
  turns.handlerStarts();
  return {
    get isHeld() {
      return isHeld;
    },
    leave() {
      isHeld = false;
      turns.handlerEnds();
    },
    takeAgain: () =>
      new Promise((resolve) => {
        turns.takeAgain(network, () => {
          isHeld = true;
          turns.handlerStarts();
          resolve();
        });
      }),
  };
}

function hasBody({ method }: FastifyRequest): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

/** The token endpoint reads credentials from the body, and counts its own failures. A preflight has none. */
function hasCredentials({ headers, method, url }: FastifyRequest): boolean {
  return headers.authorization !== undefined || method === 'OPTIONS' || /^\/token(\/|\?|$)/.test(url);
}

type Turns = {
  /** Runs the work in its turn; false if too many wait already. */
  take(network: string, work: () => void): boolean;
  /** Like `take` for work that has started, so it is never rejected. */
  takeAgain(network: string, work: () => void): void;
  handlerStarts(): void;
  handlerEnds(): void;
};

/** Runs one piece of work per turn of the event loop, and none while too many handlers run. */
function createTurns(defer: (run: () => void) => void, now: () => number): Turns {
  /** The network that has waited longest comes first. */
  const waiting = new Map<string, (() => void)[]>();
  const fairTurns = createFairTurns(now);
  let count = 0;
  let handlers = 0;
  /** A turn is planned or was just taken. */
  let isTurnTaken = false;

  function runNext(): void {
    const network = handlers < handlersAtOnce ? fairTurns.next(waiting.keys()) : undefined;
    if (network === undefined) {
      isTurnTaken = false;
      return;
    }
    defer(runNext);
    const works = waiting.get(network) ?? [];
    const work = works.shift();
    count -= 1;
    waiting.delete(network);
    if (works.length > 0) waiting.set(network, works);
    work?.();
  }

  function take(network: string, work: () => void, maxWaiting: number): boolean {
    if (isTurnTaken || handlers >= handlersAtOnce) {
      if (count >= maxWaiting) return false;
      count += 1;
      const works = waiting.get(network);
      // It runs in the turn of another request, with another asynchronous context.
      const own = AsyncLocalStorage.bind(work);
      if (works) works.push(own);
      else waiting.set(network, [own]);
      return true;
    }
    isTurnTaken = true;
    defer(runNext);
    fairTurns.add(network);
    work();
    return true;
  }

  return {
    take: (network, work) => take(network, work, waitingLimit),
    takeAgain: (network, work) => void take(network, work, Infinity),
    handlerStarts: () => void (handlers += 1),
    handlerEnds() {
      handlers -= 1;
      if (isTurnTaken || waiting.size === 0) return;
      isTurnTaken = true;
      defer(runNext);
    },
  };
}

/** A token bucket per network. Returns the whole seconds until the next request; 0 counts it. */
function createAddressLimit({ burst, perSecond }: AddressLimit, now: () => number): (network: string) => number {
  const buckets = createCache<string, { left: number; at: number }>(rememberedAddresses);
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
    'Too many requests from your IP address. Wait a few seconds, then try again.',
    { headers: { 'retry-after': String(seconds) } },
  );
}

function busy(): ServiceError {
  return new ServiceError('temporarily_unavailable', 'The service is busy. Wait a few seconds, then try again.', {
    headers: { 'retry-after': '5' },
  });
}
