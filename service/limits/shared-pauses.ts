// Shares with all processes on one PostgreSQL which hosts and providers do not answer, so that each does not have to find out, and
// a restart does not start over. A pause is written when it changes, and read periodically; a process that reads late only tries
// once more.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { systemCode } from '#shared/errors/system-code.ts';
import type { CancelTimer, Clock } from '#shared/time/clock.ts';
import { createLeaseClock } from '#service/database/lease-clock.ts';
import type { Database } from '#service/database/open-database.ts';
import './tables.ts';

export type PauseKind = 'host' | 'provider';

/** `forMs`: since its first failure. `leftMs`: until the pause ends. `failures` 0: it answers again. */
export type Pause = { failures: number; forMs: number; restMs: number; leftMs: number; reason: string };

export type SharedPauses = {
  /** Tells the other processes; returns at once. */
  send(kind: PauseKind, name: string, pause: Pause): void;
  /** `apply` gets each pause that another process has changed. One listener for each kind. */
  listen(kind: PauseKind, apply: (name: string, pause: Pause) => void): void;
  /** Writes and reads what has changed; runs periodically after `start`. */
  refresh(): Promise<void>;
  start(): void;
  forgetOld(): Promise<void>;
  close(): Promise<void>;
};

export const noPauses: SharedPauses = {
  send: () => {},
  listen: () => {},
  refresh: async () => {},
  start: () => {},
  forgetOld: async () => {},
  close: async () => {},
};

const refreshEveryMs = 2_000;
/** A change may be visible later than one with a later time; so each is read again for a while. */
const overlapMs = 10_000;
const retentionMs = 3_600_000;
/** Changes of one kind and refresh; more are left to each process. */
const maxSent = 5_000;
const maxRead = 20_000;

type Dependencies = Pick<Database, 'db' | 'engine'> & { machineClock: Clock; log: Logger };

export function createSharedPauses({ db, engine, machineClock, log }: Dependencies): SharedPauses {
  if (engine === 'sqlite') return noPauses;
  const writer: string = randomUUID();
  const now = createLeaseClock(engine)();
  const listeners = new Map<string, (name: string, pause: Pause) => void>();
  let changed = new Map<string, { kind: PauseKind; name: string; pause: Pause }>();
  /** When the rows of the last refreshes were changed, by kind and name. */
  let applied = new Map<string, number>();
  let newest = 0;
  let cancelTimer: CancelTimer = () => {};
  let running: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    if (changed.size === 0) return;
    const sent = changed;
    changed = new Map();
    // In the same order in all processes, so that they do not wait for each other.
    const rows = [...sent.keys()].toSorted().flatMap((key) => sent.get(key) ?? []);
    const list = <Value>(read: (row: (typeof rows)[number]) => Value) => rows.map(read);
    await sql`
      insert into pauses (kind, name, failures, failing_since, rest_ms, rests_until, reason, changed_at, writer)
      select kind, name, failures, ${now} - for_ms, rest_ms, ${now} + left_ms, reason, ${now}, ${writer}
      from unnest(${list(({ kind }) => kind)}::text[], ${list(({ name }) => name)}::text[],
        ${list(({ pause }) => pause.failures)}::integer[], ${list(({ pause }) => atLeastNow(pause.forMs))}::bigint[],
        ${list(({ pause }) => pause.restMs)}::bigint[], ${list(({ pause }) => atLeastNow(pause.leftMs))}::bigint[],
        ${list(({ pause }) => pause.reason)}::text[]) as sent(kind, name, failures, for_ms, rest_ms, left_ms, reason)
      on conflict (kind, name) do update set failures = excluded.failures, failing_since = excluded.failing_since,
        rest_ms = excluded.rest_ms, rests_until = excluded.rests_until, reason = excluded.reason, changed_at = excluded.changed_at, writer = excluded.writer`
      .execute(db)
      .catch((error: unknown) => {
        changed = new Map([...sent, ...changed]);
        throw error;
      });
  }

  async function read(): Promise<void> {
    const rows = await db
      .selectFrom('pauses')
      .select(['kind', 'name', 'failures', 'rest_ms', 'reason', 'changed_at', 'writer'])
      .select(sql<number>`rests_until - ${now}`.as('left'))
      .select(sql<number>`${now} - coalesce(failing_since, changed_at)`.as('since'))
      .where('changed_at', '>', newest - overlapMs)
      .orderBy('changed_at')
      .limit(maxRead)
      .execute();
    const seen = new Map<string, number>();
    for (const { kind, name, failures, rest_ms: restMs, reason, changed_at: at, left, since, writer: by } of rows) {
      newest = Math.max(newest, at);
      const key = `${kind} ${name}`;
      seen.set(key, at);
      if (by === writer || applied.get(key) === at || changed.has(key)) continue;
      listeners.get(kind)?.(name, { failures, forMs: since, restMs, leftMs: left, reason });
    }
    applied = seen;
  }

  function refresh(): Promise<void> {
    running = running
      .then(write)
      .then(read)
      .catch((error: unknown) =>
        log.debug({ code: systemCode(error) }, 'pauses could not be shared; trying again soon'),
      );
    return running;
  }

  function refreshLater(): void {
    cancelTimer = machineClock.after(refreshEveryMs, () => void refresh().then(refreshLater));
  }

  return {
    send(kind, name, pause) {
      const key = `${kind} ${name}`;
      if (changed.size < maxSent || changed.has(key)) changed.set(key, { kind, name, pause });
    },
    listen: (kind, apply) => void listeners.set(kind, apply),
    refresh,
    start() {
      let isClosed = false;
      void refresh().then(() => !isClosed && refreshLater());
      cancelTimer = () => (isClosed = true);
    },
    async forgetOld() {
      await db
        .deleteFrom('pauses')
        .where('rests_until', '<', sql<number>`${now} - ${retentionMs}::bigint`)
        .execute();
    },
    async close() {
      cancelTimer();
      await running;
      cancelTimer();
    },
  };
}

function atLeastNow(ms: number): number {
  return Math.max(0, Math.ceil(ms));
}
