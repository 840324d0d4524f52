// /health/live and /health/ready, for proxies and process supervisors. Available as soon as the port is bound, before any route
// exists; they reveal only states.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Clock, within } from '@rainbell/shared';
import { noteRoute } from './request-trace.ts';

/** `pending`: the database lacks migrations of this version. `newer`: it has some of a newer one, which still works. */
export type MigrationState = 'current' | 'newer' | 'pending';

export type Health = ReturnType<typeof createHealth>;

type Status = 'starting' | 'ready' | 'degraded' | 'unavailable' | 'draining';

/** Cached tokens give access to cached weather for as long without the database (oauth/access-check.ts). */
const servesWithoutDatabaseMs = 60_000;
const checkTimeoutMs = 2_000;
/** However many proxies send checks. */
const checkEveryMs = 500;

export function createHealth({ clock, role }: { clock: Clock; role: string }) {
  let readMigrations: (() => Promise<MigrationState>) | undefined;
  let isDraining = false;
  let lastSeen: { at: number; migrations: MigrationState } | undefined;
  let checking: Promise<void> | undefined;
  let checkedAt = -Infinity;
  let isAway = false;

  async function check(read: () => Promise<MigrationState>): Promise<void> {
    const migrations = await within(
      clock,
      checkTimeoutMs,
      read().catch(() => undefined),
    );
    checkedAt = clock.elapsed();
    isAway = migrations === undefined;
    if (migrations !== undefined) lastSeen = { at: checkedAt, migrations };
  }

  async function readiness() {
    if (readMigrations && clock.elapsed() - checkedAt >= checkEveryMs) {
      await (checking ??= check(readMigrations).finally(() => (checking = undefined)));
    }
    const database = lastSeen === undefined ? 'unknown' : isAway ? 'away' : 'ok';
    const migrations = lastSeen?.migrations ?? 'unknown';
    return { status: status(), database, migrations };
  }

  function status(): Status {
    if (isDraining) return 'draining';
    if (!readMigrations) return 'starting';
    if (!lastSeen || lastSeen.migrations === 'pending') return 'unavailable';
    if (!isAway) return 'ready';
    return clock.elapsed() - lastSeen.at < servesWithoutDatabaseMs ? 'degraded' : 'unavailable';
  }

  async function respondReady(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readiness();
    const isReady = body.status === 'ready' || body.status === 'degraded';
    send(request, response, isReady ? 200 : 503, { ...body, role });
  }

  return {
    answer(request: IncomingMessage, response: ServerResponse): boolean {
      if (request.method !== 'GET' && request.method !== 'HEAD') return false;
      const path = (request.url ?? '').split('?', 1)[0];
      if (path === '/health/live') send(request, response, 200, { status: 'live', role });
      else if (path === '/health/ready') void respondReady(request, response);
      else return false;
      noteRoute(request, path);
      return true;
    },
    /** Everything is open. `readMigrations` queries the database; it rejects if that is unavailable. */
    started(read: () => Promise<MigrationState>) {
      readMigrations = read;
    },
    /** The process is shutting down, so proxies must send nothing new here. */
    drain() {
      isDraining = true;
    },
  };
}

function send(request: IncomingMessage, response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    ...(status === 503 ? { 'retry-after': '1' } : {}),
  });
  response.end(request.method === 'HEAD' ? undefined : text);
}
