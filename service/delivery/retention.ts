// What the delivery log forgets (docs/delivery.md S11): attempts older than 30 days, all but the last 200 of a monitor,
// and events that have been over for as long. In small pieces, so that nothing else waits.
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { attemptsKept } from './delivery-log.ts';

const keptMs = 30 * 24 * 3_600_000;
const pieceSize = 500;

export async function deleteOldDeliveries(db: Kysely<Tables>, now: number): Promise<void> {
  const before = now - keptMs;
  await inPieces(() => {
    const old = db.selectFrom('deliveries').select('id').where('started_at', '<', before).limit(pieceSize);
    return db.deleteFrom('deliveries').where('id', 'in', old).executeTakeFirst();
  });
  await inPieces(() => {
    const old = db
      .selectFrom('events')
      .select('id')
      .where('occurred_at', '<', before)
      .where('state', '!=', 'waiting')
      .limit(pieceSize);
    return db.deleteFrom('events').where('id', 'in', old).executeTakeFirst();
  });
  for (const monitorId of await crowdedMonitors(db)) await deleteAllButNewest(db, monitorId);
}

async function inPieces(deletePiece: () => Promise<{ numDeletedRows: bigint }>): Promise<void> {
  while ((await deletePiece()).numDeletedRows > 0n) {
    // The next piece.
  }
}

async function crowdedMonitors(db: Kysely<Tables>): Promise<string[]> {
  const rows = await db
    .selectFrom('deliveries')
    .select('monitor_id')
    .groupBy('monitor_id')
    .having((select) => select.fn.countAll(), '>', attemptsKept)
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
    .offset(attemptsKept)
    .limit(1_000_000)
    .execute();
  for (let start = 0; start < rows.length; start += pieceSize) {
    const ids = rows.slice(start, start + pieceSize).map((row) => row.id);
    await db.deleteFrom('deliveries').where('id', 'in', ids).execute();
  }
}
