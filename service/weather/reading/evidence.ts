// Observations near a place, and what created an event: the terms of docs/verification.md. Only types, because weather creates
// them, the watch passes them on, and verification compares them.
import type { EvidenceKind, LatLng } from '@rainbell/contract/service-api';

export type Evidence = {
  kind: EvidenceKind;
  /** As in a point's `sources`: `metar:LIMF`. */
  source: string;
  place: LatLng;
  /** When it was observed. Identifies the observation together with the source and, if the source has many, the place. */
  at: number;
  /** The time it is evidence for: earlier than `at` if the report is about the past. */
  countsAt: number;
  isWet: boolean;
  /** For users: the weather groups of a METAR (`-RA BR`), or an amount. */
  text: string;
  /** For an amount: the provider may have forecast the same before the event. */
  mmPerHour?: number | undefined;
};

/** The basis of an event: its source, and which observation or forecast of it. */
export type Trigger = {
  source: string;
  /** When the observation was made, or the forecast was fetched. */
  at: number;
  /** An observation already showed rain. */
  isObserved?: true;
  /** The forecast amounts that caused the event. */
  amounts?: readonly { from: number; until: number; mmPerHour: number }[];
};
