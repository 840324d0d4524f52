// The least that a durable delivery can be: signed callbacks by raw undici dispatch, and the outcome of each stored, a group per
// transaction. It has no lines per host, breaker, retries, time limits, address guard or answers' texts, and shows what delivery
// costs on this machine before it has any.
import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { Agent } from 'undici';

export type SmallestEvent = { callback_uri: string; body: string };

const groupMs = 25;
const idOf = (index: number) => `evt_${String(index).padStart(12, '0')}`;

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
  for (const [index, { callback_uri: callbackUri, body }] of events.entries()) put.run(idOf(index), callbackUri, body);
  db.exec('COMMIT');

  const log = db.prepare('INSERT INTO deliveries VALUES (?, ?, 1, ?, ?, ?)');
  const close = db.prepare("UPDATE events SET state = 'delivered', attempts = 1, next_attempt_at = NULL WHERE id = ?");
  const agent = new Agent({ connections: 4, pipelining: 1 });
  const key = createSecretKey(randomBytes(24));
  let results: { index: number; startedAt: number; latencyMs: number; status: number }[] = [];

  function writeDown(): void {
    db.exec('BEGIN IMMEDIATE');
    for (const { index, startedAt, latencyMs, status } of results) {
      log.run(`att_${String(index).padStart(12, '0')}`, idOf(index), startedAt, latencyMs, status);
      close.run(idOf(index));
    }
    db.exec('COMMIT');
    results = [];
  }

  function post(index: number, { callback_uri: callbackUri, body }: SmallestEvent): Promise<void> {
    const { origin, pathname } = new URL(callbackUri);
    const startedAt = Date.now();
    const timestamp = String(Math.floor(startedAt / 1000));
    const signature = createHmac('sha256', key)
      .update(`${idOf(index)}.${timestamp}.${body}`)
      .digest('base64');
    const headers = {
      'content-type': 'application/json',
      'webhook-id': idOf(index),
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    };
    return new Promise((resolve, reject) => {
      let status = 0;
      agent.dispatch(
        { origin, path: pathname, method: 'POST', headers, body },
        {
          onRequestStart() {},
          onResponseStart: (_, code) => void (status = code),
          onResponseData() {},
          onResponseEnd() {
            results.push({ index, startedAt, latencyMs: Date.now() - startedAt, status });
            resolve();
          },
          onResponseError: (_, error) => reject(error),
        },
      );
    });
  }

  return {
    async send(): Promise<void> {
      const writing = setInterval(() => results.length > 0 && writeDown(), groupMs);
      const remaining = events.entries();
      const lane = async () => {
        for (const [index, event] of remaining) await post(index, event);
      };
      await Promise.all(Array.from({ length: 16 }, lane));
      clearInterval(writing);
      writeDown();
    },
    async close(): Promise<void> {
      await agent.close();
      db.close();
    },
  };
}
