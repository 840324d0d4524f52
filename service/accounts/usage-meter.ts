// Counts each application's requests against its plan (docs/interface.md §8), per minute and per UTC day. The minute's are counted by
// each process for itself; the day's are written down every few seconds, for all processes and so that a restart does not reset them.
import type { Logger } from 'pino';
import { type Clock, dayMs, minuteMs } from '@rainbell/shared';
import type { Db } from '../database/tables.ts';
import type { Plan } from './plans.ts';

const writeEveryMs = 5_000;

export type RateLimitExceeded = { window: 'minute' | 'day'; limit: number; retryAfterSeconds: number };

/** As in draft-ietf-httpapi-ratelimit-headers-10. Empty for a plan without limits. */
export type RateLimitFields = { readonly 'ratelimit-policy'?: string; readonly ratelimit?: string };
const none: RateLimitFields = {};

export type UsageMeter = ReturnType<typeof createUsageMeter>;

type Counter = {
  applicationId: string;
  minute: number;
  inMinute: number;
  day: number;
  /** As written by all processes, and not yet by this one. */
  inDay: number;
  unwritten: number;
};

type Dependencies = { db: Db; clock: Clock; log: Logger };

export function createUsageMeter({ db, clock, log }: Dependencies) {
  const loads = new Map<string, Promise<void>>();
  const counters = new Map<string, Counter>();
  /** Also those of an earlier day, which are no longer in `counters`. */
  const notWritten = new Set<Counter>();
  let cancelTimer: (() => void) | undefined;
  let isClosed = false;

  const today = () => Math.floor(clock.now() / dayMs);

  const isLoaded = (applicationId: string) => counters.get(applicationId)?.day === today();

  async function readDay(applicationId: string): Promise<void> {
    const day = today();
    // A day can begin while the database is unavailable. Until the first write, this process then goes by its own count.
    const inDay = await storedRequests(db, applicationId, day).catch(() => 0);
    const { minute = 0, inMinute = 0 } = counters.get(applicationId) ?? {};
    counters.set(applicationId, { applicationId, minute, inMinute, day, inDay, unwritten: 0 });
  }

  function load(applicationId: string): Promise<void> {
    const running = loads.get(applicationId);
    const loading = running ?? readDay(applicationId).finally(() => loads.delete(applicationId));
    loads.set(applicationId, loading);
    return loading;
  }

  function usedNow(counter: Counter, now: number): number {
    return counter.minute === Math.floor(now / minuteMs) ? counter.inMinute : 0;
  }

  async function write(): Promise<void> {
    // What is counted during a write belongs to the next one.
    const batch = [...notWritten];
    for (const counter of batch) {
      // Another call may have written it meanwhile.
      if (!notWritten.delete(counter)) continue;
      const { applicationId, unwritten, day } = counter;
      counter.unwritten = 0;
      try {
        const total = await addRequests(db, applicationId, day, unwritten);
        counter.inDay = total + counter.unwritten;
      } catch (error) {
        // Written at the next attempt.
        counter.unwritten += unwritten;
        notWritten.add(counter);
        throw error;
      }
    }
    for (const { applicationId, day } of counters.values()) if (day !== today()) counters.delete(applicationId);
  }

  function writeSoon(): void {
    if (cancelTimer || isClosed) return;
    cancelTimer = clock.after(writeEveryMs, () => {
      cancelTimer = undefined;
      write().catch((error: unknown) => {
        log.error({ err: error }, 'usage could not be saved; trying again soon');
        writeSoon();
      });
    });
  }

  return {
    /** Whether this process can count a request of the application now; otherwise, await `load` first. */
    isLoaded,
    load,
    write,
    /** Counts one request; if it returns a value, reject the request (it was not counted). */
    count(applicationId: string, plan: Plan): RateLimitExceeded | undefined {
      const counter = counters.get(applicationId);
      if (!counter) return undefined;
      const now = clock.now();
      const { requestsPerMinute, requestsPerDay } = plan;
      const inMinute = usedNow(counter, now);
      if (requestsPerMinute > 0 && inMinute >= requestsPerMinute) {
        return { window: 'minute', limit: requestsPerMinute, retryAfterSeconds: secondsLeft(now, minuteMs) };
      }
      if (requestsPerDay > 0 && counter.inDay >= requestsPerDay) {
        return { window: 'day', limit: requestsPerDay, retryAfterSeconds: secondsLeft(now, dayMs) };
      }
      counter.minute = Math.floor(now / minuteMs);
      counter.inMinute = inMinute + 1;
      counter.inDay += 1;
      counter.unwritten += 1;
      notWritten.add(counter);
      writeSoon();
      return undefined;
    },
    /** Returns what remains of the plan's limits, as far as this process knows, as response fields. Call it after `count`. */
    fields(applicationId: string, plan: Plan): RateLimitFields {
      const { requestsPerMinute, requestsPerDay } = plan;
      if (requestsPerMinute === 0 && requestsPerDay === 0) return none;
      const now = clock.now();
      const counter = counters.get(applicationId);
      const windows = [
        { name: 'minute', ms: minuteMs, max: requestsPerMinute, used: counter ? usedNow(counter, now) : 0 },
        { name: 'day', ms: dayMs, max: requestsPerDay, used: counter?.inDay ?? 0 },
      ].filter(({ max }) => max > 0);
      return {
        'ratelimit-policy': windows.map(({ name, ms, max }) => `"${name}";q=${max};w=${ms / 1000}`).join(', '),
        ratelimit: windows
          .map(({ name, ms, max, used }) => `"${name}";r=${Math.max(0, max - used)};t=${secondsLeft(now, ms)}`)
          .join(', '),
      };
    },
    async days(applicationId: string): Promise<{ day: number; requests: number }[]> {
      await write();
      return db
        .selectFrom('usage')
        .select(['day', 'requests'])
        .where('application_id', '=', applicationId)
        .orderBy('day', 'desc')
        .limit(30)
        .execute();
    },
    async close() {
      isClosed = true;
      cancelTimer?.();
      await write();
    },
  };
}

function secondsLeft(now: number, windowMs: number): number {
  return Math.ceil((windowMs - (now % windowMs)) / 1000);
}

async function storedRequests(db: Db, applicationId: string, day: number): Promise<number> {
  const row = await db
    .selectFrom('usage')
    .select('requests')
    .where('application_id', '=', applicationId)
    .where('day', '=', day)
    .executeTakeFirst();
  return row?.requests ?? 0;
}

/** Adds nothing if the application was deleted meanwhile, so that its deletion leaves nothing behind. */
async function addRequests(db: Db, applicationId: string, day: number, requests: number): Promise<number> {
  const row = await db
    .insertInto('usage')
    .columns(['application_id', 'day', 'requests'])
    .expression((query) =>
      query
        .selectFrom('applications')
        .select((select) => [
          'id',
          select.cast<number>(select.val(day), 'integer').as('day'),
          select.cast<number>(select.val(requests), 'integer').as('requests'),
        ])
        .where('id', '=', applicationId),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['application_id', 'day'])
        .doUpdateSet((row) => ({ requests: row('usage.requests', '+', requests) })),
    )
    .returning('requests')
    .executeTakeFirst();
  return row?.requests ?? 0;
}
