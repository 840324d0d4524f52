// Outcomes of events for users: of each event in the delivery log, and counts for monitors, applications, and the operator.
import type { Selectable } from 'kysely';
import type { EvidenceKind, Outcome, Verification } from '@rainbell/contract/service-api';
import { formatTimestamp } from '@rainbell/shared';
import { isAmong } from '../database/id-list.ts';
import type { Database } from '../database/open-database.ts';
import { bigint, double, integer, orNull, type RowsOf, table, text } from '../database/table.ts';
import type { Db, Tables } from '../database/tables.ts';
import { medianOf } from './estimates.ts';

export const verificationTables = {
  /** Recorded by sweeps, only if an event waits for its outcome or a miss is possible. Kept for a day. */
  evidence: table(
    {
      /** Source, place if the source has many, and time, so that an observation is stored once. */
      id: text('PRIMARY KEY'),
      kind: text<EvidenceKind>(),
      source: text(),
      latitude: double(),
      longitude: double(),
      observed_at: bigint(),
      counts_at: bigint(),
      is_wet: integer(),
      mm_per_hour: orNull(double()),
      text: text(),
      /** 1: precipitation not yet checked for a missed event. */
      is_open: integer(),
    },
    { indexes: { evidence_by_time: '(counts_at)', evidence_open: '(counts_at) WHERE is_open = 1' } },
  ),
  /** One row per event, once decided, and one per miss. */
  outcomes: table(
    {
      /** The event's ID, or one that starts with `miss_`. Both grow with time. */
      id: text('PRIMARY KEY'),
      monitor_id: text(),
      application_id: text(),
      /** Time of the event, or of the missed precipitation. */
      occurred_at: bigint(),
      verdict: text<Outcome['verdict'] | 'missed'>(),
      /** What created the event; empty if unknown, and for misses. */
      source: text(),
      /** The country of the monitor; empty if it is in none or unknown. */
      region: text(),
      evidence_kind: orNull(text<EvidenceKind>()),
      evidence_source: orNull(text()),
      evidence_at: orNull(bigint()),
      evidence_km: orNull(double()),
      evidence_text: orNull(text()),
      lead_ms: orNull(bigint()),
      /** 1: no precipitation was observed in the hour before. */
      is_onset: integer(),
    },
    { indexes: { outcomes_by_monitor: '(monitor_id, occurred_at)', outcomes_by_application: '(application_id)' } },
  ),
};

declare module '../database/tables.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only interfaces merge
  interface Tables extends RowsOf<typeof verificationTables> {}
}

/** Outcomes by what created the events, and by country. `source` is empty for misses, `region` if unknown. */
export type SourceOutcomes = { source: string; region: string } & Omit<Verification, 'median_lead_time_seconds'>;

export type OutcomeLog = ReturnType<typeof createOutcomeLog>;

/** Beyond this number, the median uses the newest. */
const maxLeads = 10_000;
const maxSources = 500;

export function createOutcomeLog({ db, engine }: Pick<Database, 'db' | 'engine'>) {
  return {
    /** Returns the outcomes of the decided ones among these events. */
    async outcomesOf(eventIds: readonly string[]): Promise<Map<string, Outcome>> {
      if (eventIds.length === 0) return new Map();
      const rows = await db
        .selectFrom('outcomes')
        .selectAll()
        .where(isAmong(engine, 'id', eventIds))
        .execute();
      return new Map(rows.flatMap((row) => (row.verdict === 'missed' ? [] : [[row.id, outcomeOf(row, row.verdict)]])));
    },
    ofMonitor: (monitorId: string) => summarize(db, 'monitor_id', monitorId),
    ofApplication: (applicationId: string) => summarize(db, 'application_id', applicationId),
    /** For the whole service, most frequent first. */
    async bySource(): Promise<SourceOutcomes[]> {
      const rows = await db
        .selectFrom('outcomes')
        .select(['source', 'region', 'verdict', 'is_onset'])
        .select((select) => select.fn.countAll().as('count'))
        .groupBy(['source', 'region', 'verdict', 'is_onset'])
        .execute();
      const groups = Map.groupBy(rows, ({ source, region }) => JSON.stringify([providerOf(source), region]));
      return [...groups]
        .map(([key, group]) => {
          const [source, region] = JSON.parse(key) as [string, string];
          return { source, region, ...countsOf(group) };
        })
        .toSorted((one, other) => total(other) - total(one))
        .slice(0, maxSources);
    },
  };
}

/** All stations are one source. */
function providerOf(source: string): string {
  return source.split(':', 1)[0] ?? '';
}

async function summarize(db: Db, column: 'monitor_id' | 'application_id', id: string): Promise<Verification> {
  const counts = await db
    .selectFrom('outcomes')
    .select(['verdict', 'is_onset'])
    .select((select) => select.fn.countAll().as('count'))
    .where(column, '=', id)
    .groupBy(['verdict', 'is_onset'])
    .execute();
  const leads = await db
    .selectFrom('outcomes')
    .select('lead_ms')
    .where(column, '=', id)
    .where('lead_ms', 'is not', null)
    .orderBy('id', 'desc')
    .limit(maxLeads)
    .execute();
  const median = medianOf(leads.map(({ lead_ms }) => Number(lead_ms)));
  return { ...countsOf(counts), median_lead_time_seconds: median === undefined ? null : Math.round(median / 1000) };
}

type CountRow = { verdict: string; is_onset: number; count: number | string | bigint };

function countsOf(rows: readonly CountRow[]) {
  const { no_evidence: _, ...onsets } = countVerdicts(rows.filter((row) => row.is_onset === 1));
  return { ...countVerdicts(rows), onsets };
}

function countVerdicts(rows: readonly CountRow[]) {
  const count = (verdict: Tables['outcomes']['verdict']) =>
    rows.filter((row) => row.verdict === verdict).reduce((sum, row) => sum + Number(row.count), 0);
  return {
    confirmed: count('confirmed'),
    not_confirmed: count('not_confirmed'),
    no_evidence: count('no_evidence'),
    missed: count('missed'),
  };
}

function total({ confirmed, not_confirmed, no_evidence, missed }: Omit<Verification, 'median_lead_time_seconds'>) {
  return confirmed + not_confirmed + no_evidence + missed;
}

function outcomeOf(row: Selectable<Tables['outcomes']>, verdict: Outcome['verdict']): Outcome {
  const { evidence_kind: kind, evidence_source: source, evidence_at: at, lead_ms: lead } = row;
  const hasEvidence = kind !== null && source !== null && at !== null;
  return {
    verdict,
    evidence: hasEvidence
      ? {
          kind,
          source,
          observed_at: formatTimestamp(Number(at)),
          distance_km: row.evidence_km ?? 0,
          text: row.evidence_text ?? '',
        }
      : null,
    lead_time_seconds: lead === null ? null : Math.round(Number(lead) / 1000),
  };
}
