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
import { isAmong } from '../../database/id-list.ts';
import { createLeaseClock, leaseEnd } from '../../database/lease-clock.ts';
import type { Database } from '../../database/open-database.ts';
import { retryOnDeadlock } from '../../database/retry-on-deadlock.ts';
import type { Tables } from '../../database/tables.ts';
import { placeOf } from '../monitor-json.ts';
import type { MonitorTables } from '../tables.ts';
import type { LatLng } from '@rainbell/contract/service-api';

export type WatchedCell = Pick<Selectable<MonitorTables['watch_cells']>, 'cell' | 'latitude' | 'longitude'>;

type CellCondition = (where: ExpressionBuilder<Tables, 'watch_cells'>) => Expression<SqlBool>;

/** How long, by the lease clock, until a process that has not finished with a cell is considered dead. */
export const holdMs = 60_000;

export type WatchedCells = ReturnType<typeof createWatchedCells>;

export function createWatchedCells({ db, engine }: Pick<Database, 'db' | 'engine'>) {
  const leaseClock = createLeaseClock(engine);

  /** Locks the cells in the order of their keys, like moved and deleted monitors, so that none deadlock. */
  async function change(
    values: Updateable<MonitorTables['watch_cells']>,
    which: CellCondition = () => sql.lit(true),
  ): Promise<void> {
    const cells = db
      .selectFrom('watch_cells')
      .select('cell')
      .where(which)
      .$if(engine === 'postgres', (query) => query.orderBy(sql`cell collate "C"`).forUpdate());
    const changed = db.updateTable('watch_cells').set(values).where('cell', 'in', cells);
    await retryOnDeadlock(() => changed.execute());
  }

  return {
    /** Makes plans after a time, which cannot be right, due now. */
    resetAfter: (latest: number, now: number) =>
      change({ next_look_at: now }, (where) => where('next_look_at', '>', latest)),

    /** Leases up to `limit` due cells to this process. */
    async take(now: number, limit: number): Promise<WatchedCell[]> {
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
      const taken = db
        .updateTable('watch_cells')
        .set({ held_until: end })
        .where('cell', 'in', due)
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
      change({ next_look_at: now, held_until: 0 }, area && isInBox(area)),
  };
}

/** Matches the cells of the box around the area, which contains the whole area; across 180° it has two parts. */
function isInBox(area: Area): CellCondition {
  return (where) => {
    const { south, north, spans } = boxAround(area);
    return where.and([
      where.between('latitude', south, north),
      where.or(spans.map(([west, east]) => where.between('longitude', west, east))),
    ]);
  };
}

/** A circle on the globe. */
export type Area = { center: LatLng; radiusKm: number };

export type Box = {
  south: number;
  north: number;
  /** West and east of one part, or of two if the box crosses 180°. */
  spans: readonly (readonly [number, number])[];
};

const kmPerDegree = 111.19;

/** Returns the box of latitudes and longitudes, which a database can search, with every point of the area; near a pole, all longitudes. */
export function boxAround({ center, radiusKm }: Area): Box {
  const reach = radiusKm / kmPerDegree;
  const [south, north] = [Math.max(-90, center.lat - reach), Math.min(90, center.lat + reach)];
  const farthest = Math.max(Math.abs(south), Math.abs(north));
  const narrowest = Math.cos((Math.min(farthest, 90) * Math.PI) / 180);
  const width = narrowest < 0.01 ? 180 : Math.min(180, reach / narrowest);
  return { south, north, spans: spansOf(center.lng - width, center.lng + width) };
}

function spansOf(west: number, east: number): (readonly [number, number])[] {
  if (east - west >= 360) return [[-180, 180]];
  // 180° and −180° are the same line, so touching it counts.
  if (west <= -180)
    return [
      [-180, east],
      [west + 360, 180],
    ];
  if (east >= 180)
    return [
      [west, 180],
      [-180, east - 360],
    ];
  return [[west, east]];
}

/** Returns the delay of the most overdue cell check, and the number of watched cells. */
export async function readSweep(db: Kysely<Tables>, now: number): Promise<{ lagSeconds: number; cells: number }> {
  const { due, cells } = await db
    .selectFrom('watch_cells')
    .select((select) => [select.fn.min('next_look_at').as('due'), sql<number>`count(*)`.as('cells')])
    .executeTakeFirstOrThrow();
  return { lagSeconds: due === null ? 0 : Math.max(0, now - Number(due)) / 1000, cells: Number(cells) };
}
