// Tables of verification (docs/verification.md): observations near monitors, and outcomes of events.
import type { EvidenceKind, Outcome } from '@rainbell/contract/service-api';

declare module '../database/tables.ts' {
  interface Tables {
    /** Recorded by sweeps, only if an event waits for its outcome or a miss is possible. Kept for a day. */
    evidence: {
      /** Source, place if the source has many, and time, so that an observation is stored once. */
      id: string;
      kind: EvidenceKind;
      source: string;
      latitude: number;
      longitude: number;
      observed_at: number;
      counts_at: number;
      is_wet: number;
      mm_per_hour: number | null;
      text: string;
      /** 1: precipitation not yet checked for a missed event. */
      is_open: number;
    };
    /** One row per event, once decided, and one per miss. */
    outcomes: {
      /** The event's ID, or one that starts with `miss_`. Both grow with time. */
      id: string;
      monitor_id: string;
      application_id: string;
      /** Time of the event, or of the missed precipitation. */
      occurred_at: number;
      verdict: Outcome['verdict'] | 'missed';
      /** What created the event; empty if unknown, and for misses. */
      source: string;
      /** The country of the monitor; empty if it is in none or unknown. */
      region: string;
      evidence_kind: EvidenceKind | null;
      evidence_source: string | null;
      evidence_at: number | null;
      evidence_km: number | null;
      evidence_text: string | null;
      lead_ms: number | null;
      /** 1: no precipitation was observed in the hour before. */
      is_onset: number;
    };
  }
}
