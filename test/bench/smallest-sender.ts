// The least that a durable delivery can be: signed callbacks by raw undici dispatch, and the outcome of each stored, a group per
// transaction. It has no lines per host, breaker, retries, time limits, address guard or answers' texts, and shows what delivery
// costs on this machine before it has any.
import { DatabaseSync } from 'node:sqlite';
import { createSignedPost } from './signed-post.ts';

export type SmallestEvent = { id: string; url: string; body: string };

const groupMs = 25;

/** `send` sends every event of the outbox that was filled, and resolves when all results are on disk. */
export function createSmallestSender(file: string, events: readonly SmallestEvent[]) {
  const db = new DatabaseSync(file);
  db.exec(`
    PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE events (id TEXT PRIMARY KEY, callback_uri TEXT, body TEXT, state TEXT, attempts INTEGER, next_attempt_at INTEGER);
    CREATE INDEX events_due ON events (next_attempt_at) WHERE state = 'waiting';
    CREATE TABLE deliveries (id TEXT PRIMARY KEY, event_id TEXT, attempt INTEGER, started_at INTEGER, latency_ms INTEGER, http_status INTEGER);
    CREATE INDEX deliveries_by_event ON deliveries (event_id);
    BEGIN;
  `);
  const put = db.prepare("INSERT INTO events VALUES (?, ?, ?, 'waiting', 0, 0)");
  for (const { id, url, body } of events) put.run(id, url, body);
  db.exec('COMMIT');

  const log = db.prepare('INSERT INTO deliveries VALUES (?, ?, 1, ?, ?, ?)');
  const close = db.prepare("UPDATE events SET state = 'delivered', attempts = 1, next_attempt_at = NULL WHERE id = ?");
  const sender = createSignedPost();
  let results: { id: string; startedAt: number; latencyMs: number; status: number }[] = [];

  function writeDown(): void {
    db.exec('BEGIN IMMEDIATE');
    for (const { id, startedAt, latencyMs, status } of results) {
      log.run(`att_${id}`, id, startedAt, latencyMs, status);
      close.run(id);
    }
    db.exec('COMMIT');
    results = [];
  }

  return {
    async send(): Promise<void> {
      const writing = setInterval(() => results.length > 0 && writeDown(), groupMs);
      const remaining = events.values();
      const lane = async () => {
        for (const event of remaining) {
          const startedAt = Date.now();
          const status = await sender.post(event);
          results.push({ id: event.id, startedAt, latencyMs: Date.now() - startedAt, status });
        }
      };
      await Promise.all(Array.from({ length: 16 }, lane));
      clearInterval(writing);
      writeDown();
    },
    async close(): Promise<void> {
      await sender.close();
      db.close();
    },
  };
}
