// The icons of services in app.sqlite, so that a forecast without a network still has its pictures. A cache: bounded, the
// oldest go first, and a database that cannot be read or written costs a request, nothing else.
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { createLockRetry } from '../database/lock-retry.ts';
import type { Log } from '../ports/log.ts';

export type StoredIcon = {
  /** An image type, without parameters. */
  type: string;
  body: Uint8Array;
  etag: string | null;
  /** Epoch milliseconds: until then it is returned without a request (RFC 9111, section 4.2). */
  freshUntil: number;
  /** Epoch milliseconds: until then it is returned while a request is in progress (RFC 5861, section 3). */
  staleUntil: number;
};

export type StoredIcons = ReturnType<typeof openStoredIcons>;

/** A service has about 40 icons of a few KB. */
const limits = { icons: 512, bytes: 8 * 1024 * 1024 };

const rowSchema = z.object({
  type: z.string(),
  body: z.instanceof(Uint8Array),
  etag: z.string().nullable(),
  freshUntil: z.number(),
  staleUntil: z.number(),
});

/** The icons of one connection; two connections share none, even to the same service. */
export function openStoredIcons(db: DatabaseSync, connectionId: string, log: Log) {
  const retryLocked = createLockRetry(db);

  function attempt<Result>(failure: string, run: () => Result): Result | undefined {
    try {
      return run();
    } catch (error) {
      log.warn({ err: error }, failure);
      return undefined;
    }
  }

  return {
    read: (url: string): StoredIcon | undefined =>
      attempt('an icon could not be read', () => {
        const row = db
          .prepare(
            `SELECT type, body, etag, fresh_until AS freshUntil, stale_until AS staleUntil FROM weather_icons
             WHERE connection_id = ? AND url = ?`,
          )
          .get(connectionId, url);
        return row && rowSchema.parse(row);
      }),
    write: (url: string, icon: StoredIcon) => {
      attempt('an icon could not be stored', () =>
        retryLocked(() => {
          db.prepare(
            `INSERT OR REPLACE INTO weather_icons (connection_id, url, type, body, etag, fresh_until, stale_until)
             VALUES (?, ?, ?, ?, ?, ?, ?)`,
          ).run(connectionId, url, icon.type, icon.body, icon.etag, icon.freshUntil, icon.staleUntil);
          db.prepare(
            `DELETE FROM weather_icons WHERE id IN
             (SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id DESC) AS place,
                     sum(length(body)) OVER (ORDER BY id DESC) AS bytes FROM weather_icons)
              WHERE place > ? OR bytes > ?)`,
          ).run(limits.icons, limits.bytes);
        }),
      );
    },
    remove: (url: string) => {
      attempt('removed', () =>
        retryLocked(() =>
          db.prepare('DELETE FROM weather_icons WHERE connection_id = ? AND url = ?').run(connectionId, url),
        ),
      );
    },
  };
}
