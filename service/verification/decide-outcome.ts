// Whether later observations confirm an event (docs/verification.md). Pure.
import { distanceKm, evidenceKinds, type LatLng, type Outcome } from '@rainbell/contract/service-api';
import { hourMs } from '@rainbell/shared';
import { metagRadiusKm } from '../metags/metag-store.ts';
import type { Evidence, Trigger } from '../weather/reading/reading.ts';

/** How long after an observation an event is late instead of missed. */
export const graceMs = 15 * 60_000;
/** How long after the event an observation counts: an event covers an hour. */
export const windowMs = hourMs;
/** Maximum distance to the monitor: "in the vicinity" in an airport's report (WMO code table 4678). */
export const maxKm = 16;

export type EventToVerify = {
  place: LatLng;
  occurredAt: number;
  /** Absent if it was not stored. */
  trigger: Trigger | undefined;
};

export type FoundEvidence = Evidence & { distanceKm: number };

export type DecidedOutcome = {
  verdict: Outcome['verdict'];
  evidence: FoundEvidence | undefined;
  /** Undefined unless confirmed; 0 if it rained in the hour before. */
  leadMs: number | undefined;
  isOnset: boolean;
};

/**
 * Confirms an event if precipitation was observed near it afterwards. The observation or forecast on which it is based never
 * counts. A provider's analysis counts only if there is no observation.
 */
export function decideOutcome(event: EventToVerify, evidence: readonly Evidence[]): DecidedOutcome {
  const { occurredAt, trigger } = event;
  const near = evidenceNear(event.place, evidence);
  const found = near.filter(
    (each) => each.countsAt >= occurredAt && each.countsAt <= occurredAt + windowMs && !isBasis(each, event.trigger),
  );
  const observed = found.filter(({ kind }) => kind !== 'analysis');
  const used = observed.length > 0 ? observed : found;
  const wet = used.filter(({ isWet }) => isWet).toSorted(byTime);
  const wetAges = near.flatMap(({ isWet, countsAt }) => (isWet ? [occurredAt - countsAt] : []));
  // Precipitation only in the last minutes is an onset, too, because an event may be that late.
  const isOnset = !wetAges.some((age) => age >= graceMs && age < hourMs);
  if (wet[0]) {
    const [first] = wet;
    const wasWet = wetAges.some((age) => age >= 0 && age < hourMs);
    const leadMs = wasWet || trigger?.isObserved === true ? 0 : first.countsAt - occurredAt;
    return { verdict: 'confirmed', evidence: first, leadMs, isOnset };
  }
  const nearest = used.toSorted((one, other) => rank(one) - rank(other) || one.distanceKm - other.distanceKm)[0];
  return { verdict: nearest ? 'not_confirmed' : 'no_evidence', evidence: nearest, leadMs: undefined, isOnset };
}

/** Returns the evidence within the distance; a user's report covers a smaller area than a station. */
export function evidenceNear(place: LatLng, evidence: readonly Evidence[]): FoundEvidence[] {
  return evidence
    .map((each) => ({ ...each, distanceKm: distanceKm(place, each.place) }))
    .filter((each) => each.distanceKm <= (each.kind === 'report' ? metagRadiusKm : maxKm));
}

/** A provider that repeats its forecast amount adds no evidence; without the forecast, this is undecidable. */
function isBasis({ kind, source, at, mmPerHour }: Evidence, trigger: Trigger | undefined): boolean {
  if (kind === 'analysis' && trigger === undefined) return true;
  if (trigger?.source !== source) return false;
  if (trigger.at === at) return true;
  return (
    trigger.amounts?.some((known) => known.from < at && known.until >= at && known.mmPerHour === mmPerHour) === true
  );
}

function byTime(one: FoundEvidence, other: FoundEvidence): number {
  return one.countsAt - other.countsAt || rank(one) - rank(other) || one.distanceKm - other.distanceKm;
}

/** The strongest evidence first. */
function rank({ kind }: Evidence): number {
  return evidenceKinds.indexOf(kind);
}
