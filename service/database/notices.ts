// Short notices between processes that share a PostgreSQL (LISTEN and NOTIFY), so that each learns at once what it would otherwise
// find later. They are hints: a lost one only causes a delay, and after a gap each listener runs. SQLite needs none.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import { type CancelTimer, type Clock, systemCode } from '@rainbell/shared';
import type { Db } from './tables.ts';

/** `events`: some are ready. `feed`: events were written. `cells`: some are due, because a monitor is new or was moved. */
export type NoticeTopic = 'events' | 'feed' | 'cells';

export type Notices = ReturnType<typeof createNotices>;

const channel = 'rainbell';
const reconnectMs = 1_000;
/** Finds a silently dropped connection; TCP's own probes don't find one behind a proxy. */
const checkEveryMs = 15_000;
const connectTimeoutMs = 5_000;

type Options = { db: Db; url: string; clock: Clock; log: Logger };

/** Listens through a separate connection, which the first listener opens. */
export function createNotices({ db, url, clock, log }: Options) {
  const self: string = randomUUID();
  const listeners = new Map<string, (() => void)[]>();
  const waiting = new Set<NoticeTopic>();
  let client: pg.Client | undefined;
  let cancelTimer: CancelTimer = () => {};
  let isStarted = false;
  let hadConnection = false;
  let isClosed = false;

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: connectTimeoutMs,
      keepAlive: true,
    });
    client = next;
    next.on('notification', ({ payload }) => receive(payload ?? ''));
    next.on('error', () => {});
    next.once('end', () => reconnectSoon(next));
    try {
      await next.connect();
      await next.query(`listen ${channel}`);
      if (hadConnection) for (const run of [...listeners.values()].flat()) run();
      hadConnection = true;
      check(next);
    } catch (error) {
      log.warn({ code: systemCode(error) }, 'notices from other processes cannot be received; trying again');
      void next.end().catch(() => {});
      reconnectSoon(next);
    }
  }

  function reconnectSoon(lost: pg.Client): void {
    if (isClosed || client !== lost) return;
    client = undefined;
    cancelTimer();
    cancelTimer = clock.after(reconnectMs, () => void connect());
  }

  function check(checked: pg.Client): void {
    cancelTimer = clock.after(checkEveryMs, () => {
      checked
        .query('select 1')
        .then(() => client === checked && !isClosed && check(checked))
        .catch(() => {
          void checked.end().catch(() => {});
          reconnectSoon(checked);
        });
    });
  }

  function receive(payload: string): void {
    const [sender, ...topics] = payload.split('\n');
    if (sender === self) return;
    for (const topic of topics) for (const run of listeners.get(topic) ?? []) run();
  }

  async function sendWaiting(): Promise<void> {
    while (waiting.size > 0) {
      const payload = [self, ...waiting].join('\n');
      waiting.clear();
      await sql`select pg_notify(${channel}, ${payload})`.execute(db);
    }
  }

  let sending: Promise<void> | undefined;

  return {
    /** Notifies all other processes; returns at once. */
    send(topic: NoticeTopic) {
      waiting.add(topic);
      // Notices published together, or while one is being sent, go out together.
      sending ??= Promise.resolve()
        .then(sendWaiting)
        .catch((error: unknown) => {
          waiting.clear();
          log.warn({ code: systemCode(error) }, 'other processes could not be notified');
        })
        .finally(() => (sending = undefined));
    },
    /** Runs `run` at each notice, and if some may have been missed. */
    listen(topic: NoticeTopic, run: () => void) {
      listeners.set(topic, [...(listeners.get(topic) ?? []), run]);
      if (isStarted) return;
      isStarted = true;
      void connect();
    },
    async close() {
      isClosed = true;
      cancelTimer();
      await sending;
      await client?.end().catch(() => {});
    },
  };
}
