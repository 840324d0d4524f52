// Stores observations that may decide an outcome (docs/verification.md): any near a recent event, and observed precipitation that
// the sweep missed. Writes nothing if there is neither.
import { createCache } from '../cache/create-cache.ts';
import type { Insertable } from 'kysely';
import { distanceKm } from '@rainbell/contract/service-api';
import type { Database } from '../database/open-database.ts';
import { createRowInsert } from '../database/row-insert.ts';
import type { Tables } from '../database/tables.ts';
import { eventPrefix, firstIdAt } from '../monitors/delivery/tables.ts';
import { cellSpanKm } from '../weather/reading/cells.ts';
import type { Evidence } from '../weather/reading/reading.ts';
import type { Check } from '../monitors/sweep/sweep.ts';
import { maxKm, windowMs } from './decide-outcome.ts';
import { verificationTables } from './outcome-log.ts';

type Row = Insertable<Tables['evidence']>;

/** How often events of other processes are read. */
const readEveryMs = 60_000;
/** Maximum delay between an event's time and its commit. */
const lateMs = 120_000;
const maxEvents = 20_000;
const maxRemembered = 50_000;

export function createEvidenceRecorder({ db, engine }: Pick<Database, 'db' | 'engine'>) {
  const insertEvidence = createRowInsert(engine, 'evidence', verificationTables.evidence.columns, { skipsKnown: true });
  /** When each cell stops to matter. */
  const expected = createCache<string, number>(maxRemembered);
  /** Observations already stored, so that they are not written again. */
  const stored = createCache<string, true>(maxRemembered);
  let readUntil = 0;
  let lastRead = -Infinity;

  /** Reads events that other processes created, or this one before it started. */
  async function readEvents(now: number): Promise<void> {
    if (Math.abs(now - lastRead) < readEveryMs) return;
    const since = Math.max(now - windowMs, Math.min(readUntil, now) - lateMs);
    const rows = await db
      .selectFrom('events')
      .innerJoin('monitors', 'monitors.id', 'events.monitor_id')
      .select(['monitors.cell', 'events.occurred_at'])
      .where('events.id', '>=', firstIdAt(eventPrefix, since))
      .where('events.id', '<', firstIdAt(eventPrefix, now + lateMs))
      .orderBy('events.id')
      .limit(maxEvents)
      .execute();
    for (const { cell, occurred_at } of rows) expected.set(cell, Number(occurred_at) + windowMs);
    [readUntil, lastRead] = [now, now];
  }

  return {
    /** Events were created in these cells: observations there matter. */
    expect(cells: readonly string[], now: number) {
      for (const cell of cells) expected.set(cell, now + windowMs);
    },
    async record(checks: readonly Check[], now: number) {
      await readEvents(now);
      const rows = new Map<string, Row>();
      for (const { cell, place, isPrecipitating, observed = [] } of checks) {
        const isExpected = (expected.get(cell) ?? 0) > now;
        for (const evidence of observed) {
          const isSurprise = evidence.isWet && !isPrecipitating && evidence.kind !== 'analysis';
          if (!isExpected && !isSurprise) continue;
          if (Math.abs(now - evidence.countsAt) > 2 * windowMs) continue;
          const id = idOf(evidence);
          if (stored.has(id) || distanceKm(place, evidence.place) > maxKm + cellSpanKm) continue;
          rows.set(id, rowOf(id, evidence));
        }
      }
      if (rows.size === 0) return;
      // A commit for each piece would be slow on SQLite.
      await db.transaction().execute((trx) => insertEvidence(trx, [...rows.values()]));
      for (const id of rows.keys()) stored.set(id, true);
    },
  };
}

function idOf({ kind, source, place, at }: Evidence): string {
  const where = kind === 'station' ? '' : ` ${place.lat},${place.lng}`;
  return `${source}${where} ${at}`;
}

function rowOf(id: string, evidence: Evidence): Row {
  const { kind, source, place, at, countsAt, isWet, text, mmPerHour } = evidence;
  return {
    id,
    kind,
    source,
    latitude: place.lat,
    longitude: place.lng,
    observed_at: at,
    counts_at: countsAt,
    is_wet: isWet ? 1 : 0,
    mm_per_hour: mmPerHour ?? null,
    text: text.slice(0, 100),
    is_open: isWet && kind !== 'analysis' ? 1 : 0,
  };
}
