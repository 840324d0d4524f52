// Decides the outcomes of events after their window, in ID order, and finds precipitation without an event (docs/verification.md).
// One process does this for all that share a database; each outcome is stored once.
import { type Insertable, type Selectable, sql } from 'kysely';
import {
  eventIntervalSeconds,
  type EventRules,
  type LatLng,
  precipitationTypes,
  statusPrecipitation,
} from '@rainbell/contract/service-api';
import { isAround } from '../database/area.ts';
import { isAmong } from '../database/id-list.ts';
import type { Database } from '../database/open-database.ts';
import { createRowInsert } from '../database/row-insert.ts';
import type { Db, Tables } from '../database/tables.ts';
import { placeIn } from '../monitors/delivery/event-basis.ts';
import { eventPrefix, firstIdAt } from '../monitors/delivery/tables.ts';
import { type MonitorRow, placeOf } from '../monitors/monitor-json.ts';
import { episodeOf, rulesOf } from '../monitors/sweep/episodes.ts';
import { cellSpanKm } from '../weather/reading/cells.ts';
import type { Evidence, Trigger } from '../weather/reading/reading.ts';
import { reportSource } from '../weather/sources/observations.ts';
import { decideOutcome, evidenceNear, type FoundEvidence, graceMs, maxKm, windowMs } from './decide-outcome.ts';
import { verificationTables } from './outcome-log.ts';

/** The country of a place; empty if it is in none or unknown. */
export type RegionOf = (place: LatLng) => Promise<string>;

type Dependencies = Pick<Database, 'db' | 'engine'> & { regionOf: RegionOf };
type OutcomeRow = Insertable<Tables['outcomes']>;

const missPrefix = 'miss_';
/** Maximum delay between an observation and its publication. */
const settleMs = 15 * 60_000;
const intervalMs = eventIntervalSeconds * 1000;
const outcomesKeptMs = 30 * 86_400_000;
const evidenceKeptMs = 86_400_000;
const eventsAtOnce = 500;
const maxEvidence = 20_000;
const maxReports = 5_000;
const maxMonitors = 2_000;

/** Whether anything is due. `since`: the previous run; 0: never. */
export async function hasDueEvents({ db }: Dependencies, now: number, since: number): Promise<boolean> {
  if ((await dueEvents(db, now, 1)).length > 0) return true;
  if (await openEvidence(db, now).select('id').limit(1).executeTakeFirst()) return true;
  const report = await db
    .selectFrom('metags')
    .select('id')
    .where('created_at', '>', Math.max(since, now - evidenceKeptMs) - graceMs)
    .where('created_at', '<=', now - graceMs)
    .limit(1)
    .executeTakeFirst();
  return report !== undefined;
}

/** Decides everything that is due. `since`: the previous run; 0: never. */
export async function verifyEvents(needs: Dependencies, now: number, since: number): Promise<void> {
  const { db } = needs;
  for (;;) {
    const events = await dueEvents(db, now, eventsAtOnce);
    const [first, last] = [events[0], events.at(-1)];
    if (!first || !last) break;
    // The hour before shows whether it rained already.
    const [from, until] = [first.occurredAt - intervalMs, last.occurredAt + windowMs];
    const evidence = [...(await evidenceBetween(db, from, until)), ...(await reportsBetween(db, from, until))];
    const byLatitude = Map.groupBy(evidence, ({ place }) => Math.floor(place.lat));
    const rows = await Promise.all(
      events.map(async (event): Promise<OutcomeRow> => {
        const row = Math.floor(event.place.lat);
        const near = [row - 1, row, row + 1].flatMap((degree) => byLatitude.get(degree) ?? []);
        const { eventRules } = event;
        // By the monitor's own conditions, weaker precipitation is none.
        const counted = eventRules
          ? near.map((found) => ({ ...found, isWet: found.isWet && isEnough(eventRules, found.mmPerHour) }))
          : near;
        const outcome = decideOutcome(event, counted);
        return {
          id: event.id,
          monitor_id: event.monitorId,
          application_id: event.applicationId,
          occurred_at: event.occurredAt,
          verdict: outcome.verdict,
          source: event.trigger?.source ?? '',
          region: await needs.regionOf(event.place),
          ...columnsOf(outcome.evidence),
          lead_ms: outcome.leadMs ?? null,
          is_onset: outcome.isOnset ? 1 : 0,
        };
      }),
    );
    await insertOutcomes(needs, rows);
  }
  await findMisses(needs, now, since);
}

/** Deletes outcomes after 30 days and evidence after one. */
export async function forgetOldOutcomes(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('evidence')
    .where('counts_at', '<', now - evidenceKeptMs)
    .execute();
  for (const prefix of [eventPrefix, missPrefix]) {
    await db
      .deleteFrom('outcomes')
      .where('id', '>=', firstIdAt(prefix, 0))
      .where('id', '<', firstIdAt(prefix, now - outcomesKeptMs))
      .execute();
  }
}

/** Returns events after the last one with an outcome, except those older than the evidence. */
async function dueEvents(db: Db, now: number, max: number) {
  const { latest } = await db
    .selectFrom('outcomes')
    .select((select) => select.fn.max('id').as('latest'))
    .where('id', '>=', firstIdAt(eventPrefix, 0))
    .where('id', '<', firstIdAt(eventPrefix, now))
    .executeTakeFirstOrThrow();
  const earliest = firstIdAt(eventPrefix, now - evidenceKeptMs + windowMs);
  const rows = await db
    .selectFrom('events')
    .innerJoin('monitors', 'monitors.id', 'events.monitor_id')
    .select(['events.id', 'events.monitor_id', 'events.application_id', 'events.occurred_at', 'events.triggered_by'])
    .select(['events.kind', 'events.body', 'monitors.latitude', 'monitors.longitude', 'monitors.rules'])
    .where('events.id', '>', latest !== null && latest > earliest ? latest : earliest)
    .where('events.id', '<', firstIdAt(eventPrefix, now - windowMs - settleMs))
    .where('events.kind', 'in', ['precipitation', 'started'])
    .orderBy('events.id')
    .limit(max)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    monitorId: row.monitor_id,
    applicationId: row.application_id,
    place: placeIn(row.body) ?? placeOf(row),
    occurredAt: Number(row.occurred_at),
    trigger: row.triggered_by === null ? undefined : (JSON.parse(row.triggered_by) as Trigger),
    eventRules: row.kind === 'started' ? rulesOf(row) : undefined,
  }));
}

async function evidenceBetween(db: Db, from: number, until: number): Promise<Evidence[]> {
  const rows = await db
    .selectFrom('evidence')
    .selectAll()
    .where('counts_at', '>', from)
    .where('counts_at', '<=', until)
    .orderBy('counts_at')
    .limit(maxEvidence)
    .execute();
  return rows.map(evidenceOf);
}

function evidenceOf(row: Selectable<Tables['evidence']>): Evidence {
  return {
    kind: row.kind,
    source: row.source,
    place: { lat: row.latitude, lng: row.longitude },
    at: Number(row.observed_at),
    countsAt: Number(row.counts_at),
    isWet: row.is_wet === 1,
    text: row.text,
    mmPerHour: row.mm_per_hour ?? undefined,
  };
}

async function reportsBetween(db: Db, from: number, until: number): Promise<Evidence[]> {
  const reports = await db
    .selectFrom('metags')
    .select(['latitude', 'longitude', 'status', 'created_at'])
    .where('created_at', '>', from)
    .where('created_at', '<=', until)
    .orderBy('created_at')
    .limit(maxReports)
    .execute();
  return reports.flatMap((report): Evidence[] => {
    const isWet = statusPrecipitation(report.status);
    if (typeof isWet !== 'boolean') return [];
    const at = Number(report.created_at);
    const place = { lat: report.latitude, lng: report.longitude };
    return [{ kind: 'report', source: reportSource, place, at, countsAt: at, isWet, text: report.status }];
  });
}

/** Returns precipitation that can now be checked for a missed event. */
function openEvidence(db: Db, now: number) {
  // A literal, not a parameter: SQLite uses the index of open evidence only if it sees the number.
  return db
    .selectFrom('evidence')
    .where('is_open', '=', sql.lit(1))
    .where('counts_at', '<=', now - graceMs);
}

/**
 * Finds precipitation observed near a monitor that was not in cool-down and had no event from an hour before until 15 minutes
 * after. At most one miss per monitor and hour.
 */
async function findMisses(needs: Dependencies, now: number, since: number): Promise<void> {
  const { db, engine } = needs;
  const reports = await reportsBetween(db, Math.max(since, now - evidenceKeptMs) - graceMs, now - graceMs);
  for (const report of reports.filter(({ isWet }) => isWet)) await findMissesOf(needs, report);
  for (;;) {
    const rows = await openEvidence(db, now).selectAll().orderBy('counts_at').limit(eventsAtOnce).execute();
    if (rows.length === 0) return;
    for (const row of rows) await findMissesOf(needs, evidenceOf(row));
    const ids = rows.map(({ id }) => id);
    await db
      .updateTable('evidence')
      .set({ is_open: 0 })
      .where(isAmong(engine, 'id', ids))
      .execute();
  }
}

async function findMissesOf(needs: Dependencies, each: Evidence): Promise<void> {
  const monitors = await silentMonitors(needs, each);
  const near = monitors.flatMap((monitor) =>
    evidenceNear(monitor.place, [each]).map((found) => ({ ...monitor, found })),
  );
  if (near.length === 0) return;
  const before = await evidenceBetween(needs.db, each.countsAt - intervalMs, each.countsAt - 1);
  const wetBefore = before.filter(({ isWet }) => isWet);
  const rows = await Promise.all(
    near.map(async ({ id, applicationId, place, found }): Promise<OutcomeRow> => ({
      id: `${firstIdAt(missPrefix, each.countsAt)}_${id}`,
      monitor_id: id,
      application_id: applicationId,
      occurred_at: each.countsAt,
      verdict: 'missed',
      source: '',
      region: await needs.regionOf(place),
      ...columnsOf(found),
      lead_ms: null,
      is_onset: evidenceNear(place, wetBefore).length === 0 ? 1 : 0,
    })),
  );
  await insertOutcomes(needs, rows);
}

async function silentMonitors({ db, engine }: Dependencies, each: Evidence) {
  const { place, countsAt } = each;
  const cells = await db
    .selectFrom('watch_cells')
    .select('cell')
    .where(isAround({ center: place, radiusKm: maxKm + cellSpanKm }))
    .execute();
  if (cells.length === 0) return [];
  const near = cells.map(({ cell }) => cell);
  const rows = await db
    .selectFrom('monitors')
    .select(['id', 'application_id', 'latitude', 'longitude', 'rules', 'episode'])
    .where(isAmong(engine, 'cell', near))
    .where('created_at', '<', countsAt - graceMs)
    .where('off_since', 'is', null)
    // A start that the monitor did not choose has no event, but begins its cool-down.
    .where(({ not, between }) => not(between('latest_event_at', countsAt - intervalMs + 1, countsAt + graceMs)))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('events')
            .select('events.id')
            .whereRef('events.monitor_id', '=', 'monitors.id')
            .where('events.id', '>', firstIdAt(eventPrefix, countsAt - intervalMs + 1))
            .where('events.id', '<', firstIdAt(eventPrefix, countsAt + graceMs + 1))
            .where('events.kind', 'in', ['precipitation', 'started']),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('outcomes')
            .select('outcomes.id')
            .whereRef('outcomes.monitor_id', '=', 'monitors.id')
            .where('outcomes.verdict', '=', 'missed')
            .where('outcomes.occurred_at', '>', countsAt - intervalMs)
            .where('outcomes.occurred_at', '<', countsAt + intervalMs),
        ),
      ),
    )
    .limit(maxMonitors)
    .execute();
  return rows.flatMap((row) =>
    isMissedBy(row, each) ? [{ id: row.id, applicationId: row.application_id, place: placeOf(row) }] : [],
  );
}

/**
 * Whether this precipitation would have fired a monitor with rules: it has no episode that already covers it, and the amount is known to be
 * enough. Observations don't tell the kind reliably.
 */
function isMissedBy(monitor: Pick<MonitorRow, 'rules' | 'episode'>, { mmPerHour }: Evidence): boolean {
  const rules = rulesOf(monitor);
  if (!rules) return true;
  if (rules.types.length < precipitationTypes.length || episodeOf(monitor).phase !== 'dry') return false;
  return isEnough(rules, mmPerHour);
}

function isEnough({ leastMmPerHour }: Pick<EventRules, 'leastMmPerHour'>, mmPerHour: number | undefined): boolean {
  return mmPerHour === undefined ? leastMmPerHour <= 0.1 : mmPerHour >= leastMmPerHour;
}

function columnsOf(evidence: FoundEvidence | undefined) {
  return {
    evidence_kind: evidence?.kind ?? null,
    evidence_source: evidence?.source ?? null,
    evidence_at: evidence?.at ?? null,
    evidence_km: evidence ? Math.round(evidence.distanceKm * 10) / 10 : null,
    evidence_text: evidence?.text ?? null,
  };
}

function insertOutcomes({ db, engine }: Dependencies, rows: readonly OutcomeRow[]): Promise<void> {
  const insert = createRowInsert(engine, 'outcomes', verificationTables.outcomes.columns, { skipsKnown: true });
  // A commit for each piece would be slow on SQLite.
  return db.transaction().execute((trx) => insert(trx, rows));
}
