// Keeps anyone from starving the API: a page or a long list costs a thousand times as much as a stored forecast, so a few dozen
// connections could keep the only thread busy. Requests are queued: those with a token that was checked before by the account of its
// application, the others by network. Of each kind, one starts per turn of the event loop, and few handlers run at once. The least
// recently served is next, and long responses count as more turns, so a flood mostly delays itself. Requests without credentials
// also count against a limit per address.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createCache } from '../cache/create-cache.ts';
import { createFairQueue, type FairQueue } from './fair-queue.ts';
import { networkOf } from './throttle.ts';
import { type RequestSlot, runInSlot, waitsForProviders } from '../http/request-slot.ts';
import { ServiceError } from '../errors/service-error.ts';

/**
 * Limit of one address without credentials: a burst of `burst` requests, then `perSecond`. Based on the sign-ins that must pass
 * from one address in 30 s: 75, each with four pages and, in a new browser, three files.
 */
export type AddressLimit = { burst: number; perSecond: number };
const defaultLimit: AddressLimit = { burst: 600, perSecond: 20 };

const rememberedAddresses = 20_000;
/** Each waiting request holds a connection open. */
const waitingLimit = 4_000;
const busy = 'The service is busy. Wait a few seconds, then try again.';
const bytesPerTurn = 64 * 1024;

export type AdmissionOptions = {
  /** Returns the account of a token that was valid earlier, without a lookup. */
  accountOf: (token: string) => string | undefined;
  limit?: AddressLimit;
  /** Monotonic milliseconds. */
  now?: () => number;
  defer?: (run: () => void) => void;
};

/**
 * Maximum concurrent handlers that use the database: together as many as its connections on PostgreSQL. A handler that waits for
 * something else releases its slot (request-slot.ts).
 */
const handlersAtOnce = { anonymous: 4, known: 6 };

export type Admission = ReturnType<typeof createAdmission>;

export function createAdmission({
  accountOf,
  limit = defaultLimit,
  now = () => performance.now(),
  defer = setImmediate,
}: AdmissionOptions) {
  const queueOf = (atOnce: number) => createFairQueue({ atOnce, waitingLimit, busy, now, defer });
  const anonymous = queueOf(handlersAtOnce.anonymous);
  const known = queueOf(handlersAtOnce.known);
  /** Waits for no handler that uses the database, which may not respond. */
  const forecasts = queueOf(Infinity);
  const slots = new WeakMap<FastifyRequest, Slot>();
  const secondsToWait = createAddressLimit(limit, now);

  function placeOf(request: FastifyRequest): Place {
    const token = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    const account = token === undefined ? undefined : accountOf(token);
    if (account === undefined) return { queue: anonymous, network: networkOf(request.ip) };
    return { queue: waitsForProviders(request) ? forecasts : known, network: account };
  }

  function handle(request: FastifyRequest, place: Place, done: () => void): void {
    const slot = createSlot(place);
    slots.set(request, slot);
    runInSlot(slot, done);
  }

  return {
    guard(server: FastifyInstance) {
      server.addHook('onRequest', (request, _reply, done) => {
        const place = placeOf(request);
        const { queue, network } = place;
        const begin = () => {
          // No response if the client disconnected meanwhile.
          if (request.raw.socket.destroyed) return queue.end();
          const seconds = queue === anonymous && !hasCredentials(request) ? secondsToWait(network) : 0;
          if (seconds === 0 && !hasBody(request)) return handle(request, place, done);
          queue.end();
          return seconds > 0 ? done(tooMany(seconds)) : done();
        };
        queue.start(network, begin, done);
      });
      // Only after the whole body has arrived: a client that sends it slowly must not hold a slot.
      server.addHook('preHandler', (request, _reply, done) => {
        if (slots.has(request)) return done();
        const place = placeOf(request);
        const begin = () => (request.raw.socket.destroyed ? place.queue.end() : handle(request, place, done));
        place.queue.start(place.network, begin, done);
      });
      server.addHook('onSend', (request, _reply, payload, done) => {
        const isSized = typeof payload === 'string' || Buffer.isBuffer(payload);
        slots.get(request)?.end(isSized ? payload.length / bytesPerTurn : 0);
        done(null, payload);
      });
    },
  };
}

/** Names whose turn a request takes: `network` is an account for a token that was checked before. */
type Place = { queue: FairQueue; network: string };
type Slot = RequestSlot & { /** `cost`: in turns. */ end(cost: number): void };

function createSlot({ queue, network }: Place): Slot {
  let isHeld = true;
  function leave(): void {
    if (isHeld) queue.end();
    isHeld = false;
  }
  return {
    get isHeld() {
      return isHeld;
    },
    leave,
    async takeAgain() {
      await new Promise<void>((resolve) => queue.start(network, resolve));
      isHeld = true;
    },
    end(cost) {
      leave();
      queue.count(network, cost);
    },
  };
}

function hasBody({ method }: FastifyRequest): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

/** The token endpoint reads credentials from the body, and counts its own failures. A preflight has none. */
function hasCredentials({ headers, method, url }: FastifyRequest): boolean {
  return headers.authorization !== undefined || method === 'OPTIONS' || /^\/token(\/|\?|$)/.test(url);
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
  const text = 'Too many requests from your IP address. Wait a few seconds, then try again.';
  return new ServiceError('rate_limited', text, { retryAfter: seconds });
}
