// The cells with monitors, in the database: which are due for a check, and which process checks them. One lookup per cell, for any
// number of monitors; processes that share the database share the cells.
import type { ExpressionBuilder, Selectable } from 'kysely';
import { isAmong } from '../database/id-list.ts';
import { createLeaseClock, leaseEnd } from '../database/lease-clock.ts';
import type { Database } from '../database/open-database.ts';
import type { Tables } from '../database/tables.ts';
import type { MonitorTables } from '../monitors/tables.ts';
import { boxAround, type Area } from './area.ts';

export type WatchedCell = Pick<Selectable<MonitorTables['watch_cells']>, 'cell' | 'latitude' | 'longitude'>;

export type WatchStore = {
  /** Makes plans after `latest`, which cannot be right, due now. */
  distrust(now: number, latest: number): Promise<void>;
  /** Leases up to `limit` due cells to this process. */
  take(now: number, limit: number): Promise<WatchedCell[]>;
  /** Releases cells and sets when each is due again. */
  plan(looks: readonly { cell: string; at: number }[]): Promise<void>;
  /** Makes cells due now, because the weather or the clock was changed manually: those in the area, or all. */
  markDue(now: number, area: Area | undefined): Promise<void>;
};

/** How long, by the lease clock, until a process that has not finished with a cell is considered dead. */
export const holdMs = 60_000;

export function createWatchStore({ db, engine }: Pick<Database, 'db' | 'engine'>): WatchStore {
  const leaseClock = createLeaseClock(engine);
  return {
    async distrust(now, latest) {
      await db.updateTable('watch_cells').set({ next_look_at: now }).where('next_look_at', '>', latest).execute();
    },

    async take(now, limit) {
      const leaseNow = leaseClock();
      const end = leaseEnd(leaseNow, holdMs);
      const due = db
        .selectFrom('watch_cells')
        .select('cell')
        .where('next_look_at', '<=', now)
        // A lease that ends later than a new one would is from before a reboot, or before the server's clock was set back.
        .where((where) => where.or([where('held_until', '<=', leaseNow), where('held_until', '>', end)]))
        .orderBy('next_look_at')
        .limit(limit)
        .$if(engine === 'postgres', (query) => query.forUpdate().skipLocked());
      return db
        .updateTable('watch_cells')
        .set({ held_until: end })
        .where('cell', 'in', due)
        .returning(['cell', 'latitude', 'longitude'])
        .execute();
    },

    async plan(looks) {
      const cellsByInstant = Map.groupBy(looks, (look) => look.at);
      for (const [at, same] of cellsByInstant) {
        const cells = same.map((look) => look.cell);
        await db
          .updateTable('watch_cells')
          .set({ next_look_at: at, held_until: 0 })
          .where(isAmong(engine, 'cell', cells))
          .execute();
      }
    },

    async markDue(now, area) {
      const update = db.updateTable('watch_cells').set({ next_look_at: now, held_until: 0 });
      await (area ? update.where(isInBox(area)) : update).execute();
    },
  };
}

/** Matches the cells of the box around the area, which contains the whole area; across 180° it has two parts. */
function isInBox(area: Area) {
  return (where: ExpressionBuilder<Tables, 'watch_cells'>) => {
    const { south, north, spans } = boxAround(area);
    return where.and([
      where.between('latitude', south, north),
      where.or(spans.map(([west, east]) => where.between('longitude', west, east))),
    ]);
  };
}
