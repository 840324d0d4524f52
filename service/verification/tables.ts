// Tables of verification (docs/verification.md): observations near monitors, and outcomes of events.
import type { EvidenceKind, Outcome } from '@rainbell/contract/service-api';
import { bigint, double, integer, orNull, type RowsOf, table, text } from '../database/table.ts';

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
  interface Tables extends RowsOf<typeof verificationTables> {}
}
