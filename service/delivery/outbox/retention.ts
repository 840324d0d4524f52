// What the delivery log deletes (docs/delivery.md S11): attempts older than 30 days, all but the last 200 of a monitor, and events
// that ended as long ago. In small batches, so that nothing else waits; by IDs, which grow with time, so that only deleted or new
// rows are read.
import type { Kysely } from 'kysely';
import { isAmong } from '../../database/id-list.ts';
import type { Database } from '../../database/open-database.ts';
import type { Tables } from '../../database/tables.ts';
import { maxLoggedAttempts } from './delivery-log.ts';
import { retentionMs } from '../schema/retention-time.ts';
import { attemptPrefix, eventPrefixes, firstIdAt } from '../schema/ordered-ids.ts';

const pieceSize = 500;
/** A batch of attempts has IDs with the start time of its first one. */
const maxAttemptMs = 10 * 60_000;

type Retention = Pick<Database, 'db' | 'engine'>;

/** `since`: the previous run; only monitors with later attempts are checked for too many. */
export async function deleteOldDeliveries(database: Retention, now: number, since: number): Promise<void> {
  const { db } = database;
  const before = now - retentionMs;
  await inPieces(() => {
    const old = db
      .selectFrom('deliveries')
      .select('id')
      .where('id', '<', firstIdAt(attemptPrefix, before))
      .orderBy('id')
      .limit(pieceSize);
    return db.deleteFrom('deliveries').where('id', 'in', old).executeTakeFirst();
  });
  for (const prefix of Object.values(eventPrefixes)) {
    await inPieces(() => {
      const old = db
        .selectFrom('events')
        .select('id')
        .where('id', '>=', firstIdAt(prefix, 0))
        .where('id', '<', firstIdAt(prefix, before))
        .where('state', '!=', 'waiting')
        .orderBy('id')
        .limit(pieceSize);
      return db.deleteFrom('events').where('id', 'in', old).executeTakeFirst();
    });
  }
  await db
    .deleteFrom('feed_readers')
    .where('read_at', '<=', now - retentionMs)
    .execute();
  await deleteCrowded(database, firstIdAt(attemptPrefix, since - maxAttemptMs));
}

async function inPieces(deletePiece: () => Promise<{ numDeletedRows: bigint }>): Promise<void> {
  while ((await deletePiece()).numDeletedRows > 0n) {
    // Next batch.
  }
}

/** Reads the attempts from that ID on, and shortens the log of monitors with too many. */
async function deleteCrowded(database: Retention, firstId: string): Promise<void> {
  const { db } = database;
  for (let after = firstId; ;) {
    const rows = await db
      .selectFrom('deliveries')
      .select(['id', 'monitor_id'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(pieceSize)
      .execute();
    const last = rows.at(-1);
    if (!last) return;
    const crowded = await crowdedAmong(database, [...new Set(rows.map((row) => row.monitor_id))]);
    for (const monitorId of crowded) await deleteAllButNewest(db, monitorId);
    after = last.id;
  }
}

async function crowdedAmong({ db, engine }: Retention, monitorIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('deliveries')
    .select('monitor_id')
    .where(isAmong(engine, 'monitor_id', monitorIds))
    .groupBy('monitor_id')
    .having((select) => select.fn.countAll(), '>', maxLoggedAttempts)
    .execute();
  return rows.map((row) => row.monitor_id);
}

async function deleteAllButNewest(db: Kysely<Tables>, monitorId: string): Promise<void> {
  const rows = await db
    .selectFrom('deliveries')
    .select('id')
    .where('monitor_id', '=', monitorId)
    .orderBy('started_at', 'desc')
    .orderBy('attempt', 'desc')
    .offset(maxLoggedAttempts)
    .limit(1_000_000)
    .execute();
  for (let start = 0; start < rows.length; start += pieceSize) {
    const ids = rows.slice(start, start + pieceSize).map((row) => row.id);
    await db.deleteFrom('deliveries').where('id', 'in', ids).execute();
  }
}
