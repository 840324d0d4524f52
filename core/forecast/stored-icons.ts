// The icons of services in app.sqlite, so that a forecast without a network still has its pictures. A cache: bounded, the
// oldest go first, and a database that cannot be read or written costs a request, nothing else.
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { Log } from '../ports/log.ts';

export type StoredIcon = {
  /** An image type, without parameters. */
  type: string;
  body: Uint8Array;
  /** Epoch milliseconds: until then it is returned without a request. */
  freshUntil: number;
};

export type StoredIcons = ReturnType<typeof openStoredIcons>;

/** A service has about 40 icons of a few KB. */
const limits = { icons: 512, bytes: 8 * 1024 * 1024 };

const rowSchema = z.object({ type: z.string(), body: z.instanceof(Uint8Array), freshUntil: z.number() });

/** The icons of one connection; two connections share none, even to the same service. */
export function openStoredIcons(db: DatabaseSync, connectionId: string, log: Log) {
  return {
    read(url: string): StoredIcon | undefined {
      try {
        const sql =
          'SELECT type, body, fresh_until AS freshUntil FROM weather_icons WHERE connection_id = ? AND url = ?';
        const row = db.prepare(sql).get(connectionId, url);
        return row && rowSchema.parse(row);
      } catch (error) {
        log.warn({ err: error }, 'an icon could not be read');
        return undefined;
      }
    },
    write(url: string, { type, body, freshUntil }: StoredIcon) {
      try {
        db.prepare(
          'INSERT OR REPLACE INTO weather_icons (connection_id, url, type, body, fresh_until) VALUES (?, ?, ?, ?, ?)',
        ).run(connectionId, url, type, body, freshUntil);
        db.prepare(
          `DELETE FROM weather_icons WHERE id IN
           (SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id DESC) AS place,
                   sum(length(body)) OVER (ORDER BY id DESC) AS bytes FROM weather_icons)
            WHERE place > ? OR bytes > ?)`,
        ).run(limits.icons, limits.bytes);
      } catch (error) {
        log.warn({ err: error }, 'an icon could not be stored');
      }
    },
  };
}
