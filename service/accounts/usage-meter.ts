// Counts the requests of each application against its plan (docs/interface.md §8): per minute in memory, per UTC day in
// the database too, so that a restart does not begin anew. Several processes add up; each knows of the others' requests
// at its next writing.
import type { Kysely } from 'kysely';
import type { Clock } from '#shared/time/clock.ts';
import type { Logger } from 'pino';
import type { Tables } from '../database/tables.ts';
import type { Plan } from './plans.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;
const writeEveryMs = 5_000;

/** `retryAfterSeconds`: until the window ends in which there were too many. */
export type RateLimitExceeded = { window: 'minute' | 'day'; limit: number; retryAfterSeconds: number };

export type UsageMeter = {
  /** False until `load` has been awaited for this application today. */
  isLoaded(applicationId: string): boolean;
  load(applicationId: string): Promise<void>;
  /** Counts one request; an answer means that it must be refused (and it was not counted). */
  count(applicationId: string, plan: Plan): RateLimitExceeded | undefined;
  /** Requests of the day so far, and of the days before; the newest first. */
  days(applicationId: string): Promise<{ day: number; requests: number }[]>;
  write(): Promise<void>;
  close(): Promise<void>;
};

type Counter = { minute: number; inMinute: number; day: number; inDay: number; unwritten: number };

export function createUsageMeter({ db, clock, log }: { db: Kysely<Tables>; clock: Clock; log: Logger }): UsageMeter {
  const counters = new Map<string, Counter>();
  let cancelTimer: (() => void) | undefined;
  let isClosed = false;

  const today = () => Math.floor(clock.now() / dayMs);
  const isLoaded = (applicationId: string) => counters.get(applicationId)?.day === today();

  async function load(applicationId: string): Promise<void> {
    const day = today();
    const inDay = await storedRequests(db, applicationId, day);
    // Of two loads at once the first one counts already.
    if (!isLoaded(applicationId)) counters.set(applicationId, { minute: 0, inMinute: 0, day, inDay, unwritten: 0 });
  }

  async function write(): Promise<void> {
    for (const [applicationId, counter] of counters) {
      const { unwritten, day } = counter;
      if (unwritten > 0) {
        counter.unwritten = 0;
        try {
          const total = await addRequests(db, applicationId, day, unwritten);
          counter.inDay = total + counter.unwritten;
        } catch (error) {
          // Written next time.
          counter.unwritten += unwritten;
          throw error;
        }
      } else if (day !== today()) counters.delete(applicationId);
    }
  }

  function writeSoon(): void {
    if (cancelTimer || isClosed) return;
    cancelTimer = clock.after(writeEveryMs, () => {
      cancelTimer = undefined;
      write().catch((error: unknown) => {
        log.error({ err: error }, 'the usage could not be written; trying again soon');
        writeSoon();
      });
    });
  }

  return {
    isLoaded,
    load,
    write,
    count(applicationId, plan) {
      const counter = counters.get(applicationId);
      if (!counter) return undefined;
      const now = clock.now();
      const minute = Math.floor(now / minuteMs);
      if (counter.minute !== minute) Object.assign(counter, { minute, inMinute: 0 });
      if (plan.requestsPerMinute > 0 && counter.inMinute >= plan.requestsPerMinute) {
        return { window: 'minute', limit: plan.requestsPerMinute, retryAfterSeconds: secondsLeft(now, minuteMs) };
      }
      if (plan.requestsPerDay > 0 && counter.inDay >= plan.requestsPerDay) {
        return { window: 'day', limit: plan.requestsPerDay, retryAfterSeconds: secondsLeft(now, dayMs) };
      }
      counter.inMinute += 1;
      counter.inDay += 1;
      counter.unwritten += 1;
      writeSoon();
      return undefined;
    },
    async days(applicationId) {
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

async function storedRequests(db: Kysely<Tables>, applicationId: string, day: number): Promise<number> {
  const row = await db
    .selectFrom('usage')
    .select('requests')
    .where('application_id', '=', applicationId)
    .where('day', '=', day)
    .executeTakeFirst();
  return row?.requests ?? 0;
}

/** Adds nothing if the application was deleted meanwhile, so that its deletion leaves nothing behind. */
async function addRequests(db: Kysely<Tables>, applicationId: string, day: number, requests: number): Promise<number> {
  await db
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
    .execute();
  return storedRequests(db, applicationId, day);
}
