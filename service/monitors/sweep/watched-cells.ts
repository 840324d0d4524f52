// The cells with monitors, in the database: which are due for a check, and which process checks them. One lookup per cell, for any
// number of monitors; processes that share the database share the cells.
import {
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type Selectable,
  sql,
  type SqlBool,
  type Updateable,
} from 'kysely';
import { type Area, isAround } from '../../database/area.ts';
import { isAmong } from '../../database/id-list.ts';
import { leaseEnd, leaseNow } from '../../database/lease-clock.ts';
import type { Database } from '../../database/open-database.ts';
import { retryOnDeadlock } from '../../database/retry-on-deadlock.ts';
import type { Tables } from '../../database/tables.ts';
import { placeOf } from '../monitor-json.ts';

export type WatchedCell = Pick<Selectable<Tables['watch_cells']>, 'cell' | 'latitude' | 'longitude'>;

type CellCondition = (where: ExpressionBuilder<Tables, 'watch_cells'>) => Expression<SqlBool>;

/** How long, by the lease clock, until a process that has not finished with a cell is considered dead. */
export const holdMs = 60_000;

export type WatchedCells = ReturnType<typeof createWatchedCells>;

export function createWatchedCells({ db, engine }: Pick<Database, 'db' | 'engine'>) {
  // SQLite's own key spares a search for each text.
  const key = sql.ref<string>(engine === 'sqlite' ? 'rowid' : 'cell');

  /** On PostgreSQL, locks the cells in the order of their keys, like moved and deleted monitors, so that none deadlock. */
  async function change(
    values: Updateable<Tables['watch_cells']>,
    which: CellCondition = () => sql.lit(true),
  ): Promise<void> {
    const locked = db
      .selectFrom('watch_cells')
      .select('cell')
      .where(which)
      .orderBy(sql`cell collate "C"`)
      .forUpdate();
    const changed = db.updateTable('watch_cells').set(values);
    const chosen = engine === 'postgres' ? changed.where('cell', 'in', locked) : changed.where(which);
    await retryOnDeadlock(() => chosen.execute());
  }

  return {
    /** Makes plans after a time, which cannot be right, due now. */
    resetAfter: (latest: number, now: number) =>
      change({ next_look_at: now }, (where) => where('next_look_at', '>', latest)),

    /** Leases up to `limit` due cells to this process. */
    async take(now: number, limit: number): Promise<WatchedCell[]> {
      const leaseTime = leaseNow(engine);
      const end = leaseEnd(leaseTime, holdMs);
      const due = db
        .selectFrom('watch_cells')
        .select(key.as('key'))
        .where('next_look_at', '<=', now)
        // A lease that ends later than a new one would is from before a reboot, or before the server's clock was set back.
        .where((where) => where.or([where('held_until', '<=', leaseTime), where('held_until', '>', end)]))
        .orderBy('next_look_at')
        .limit(limit)
        .$if(engine === 'postgres', (query) => query.forUpdate().skipLocked());
      const taken = db
        .updateTable('watch_cells')
        .set({ held_until: end })
        .where(key, 'in', due)
        .returning(['cell', 'latitude', 'longitude']);
      return retryOnDeadlock(() => taken.execute());
    },

    /** Returns the monitors in these cells that are not in cool-down, without those that have episodes. */
    async openMonitors(cells: readonly string[], now: number) {
      const rows = await db
        .selectFrom('monitors')
        .select(['id', 'cell', 'latitude', 'longitude'])
        .where(isAmong(engine, 'cell', cells))
        .where('gate_opens_at', '<=', now)
        .where('rules', 'is', null)
        .execute();
      return rows.map((row) => ({ id: row.id, cell: row.cell, place: placeOf(row) }));
    },

    /** Releases cells and sets when each is due again. */
    async plan(checks: readonly { cell: string; at: number }[]): Promise<void> {
      const cellsByInstant = Map.groupBy(checks, ({ at }) => at);
      for (const [at, same] of cellsByInstant) {
        const cells = same.map(({ cell }) => cell);
        await change({ next_look_at: at, held_until: 0 }, () => isAmong(engine, 'cell', cells));
      }
    },

    /** Makes cells due now, because the weather or the clock was changed manually: those in the area, or all. */
    markDue: (now: number, area: Area | undefined) =>
      change({ next_look_at: now, held_until: 0 }, area && (() => isAround(area))),
  };
}

/** Returns the delay of the most overdue cell check, and the number of watched cells. */
export async function readSweep(db: Kysely<Tables>, now: number): Promise<{ lagSeconds: number; cells: number }> {
  const { due, cells } = await db
    .selectFrom('watch_cells')
    .select((select) => [select.fn.min('next_look_at').as('due'), sql<number>`count(*)`.as('cells')])
    .executeTakeFirstOrThrow();
  return { lagSeconds: due === null ? 0 : Math.max(0, now - Number(due)) / 1000, cells: Number(cells) };
}
