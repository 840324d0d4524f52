// Explains why a monitor is silent (contract/service-api/monitor-explanation.ts), from its row, its pending event, its cell, and
// if those don't say, from the weather there, as the next check would find it. Writes nothing.
import type { Kysely } from 'kysely';
import { type Clock, formatTimestamp } from '@rainbell/shared';
import {
  distanceKm,
  eventIntervalSeconds,
  type EventRecord,
  formatExplanation,
  formatUtcTime,
  type LatLng,
  type MonitorExplanation,
  pausedReason,
  summarizeEvent,
  type Verification,
} from '@rainbell/contract/service-api';
import type { Tables } from '../../database/tables.ts';
import { withoutSlot } from '../../http/request-slot.ts';
import { goneReason } from '../delivery/endpoint-health.ts';
import { type MonitorRow, placeOf } from '../monitor-json.ts';
import { waitingEventOf } from '../events/event-record.ts';
import { longestMs } from './decide-episode.ts';
import { episodeOf, rulesOf } from './episodes.ts';
import type { Finding, PrecipitationAt } from './sweep.ts';
import type { ProviderPause } from '../../weather/sources/weather-source.ts';
import { holdMs } from './watched-cells.ts';

type Dependencies = {
  db: Kysely<Tables>;
  clock: Clock;
  intervalMs: number;
  newestOf: (monitorId: string, eventId?: string) => Promise<EventRecord | undefined>;
  verificationOf: (monitorId: string) => Promise<Verification>;
  isAtSea: (place: LatLng) => Promise<boolean>;
  precipitationAt: PrecipitationAt;
  providerPause: () => ProviderPause | undefined;
};

type Facts = {
  now: number;
  intervalMs: number;
  monitor: MonitorRow;
  lastAttempt: EventRecord['attempts'][number] | null;
  pending: Awaited<ReturnType<typeof waitingEventOf>>;
  /** Undefined while the monitor is being deleted. */
  dueAt: number | undefined;
  last: EventRecord | undefined;
  verification: Verification;
  isAtSea: boolean;
};

type Cause = {
  cause: MonitorExplanation['cause'];
  since: number;
  until?: number | null;
  reason?: string | null;
};

export function createMonitorExplainer({ db, clock, intervalMs, ...needs }: Dependencies) {
  return async (monitor: MonitorRow): Promise<MonitorExplanation> => {
    const now = clock.now();
    const pending = await waitingEventOf(db, monitor.id, now);
    const [cell, newest, verification, isAtSea] = await Promise.all([
      db.selectFrom('watch_cells').select('next_look_at').where('cell', '=', monitor.cell).executeTakeFirst(),
      needs.newestOf(monitor.id, pending?.event_id),
      needs.verificationOf(monitor.id),
      needs.isAtSea(placeOf(monitor)),
    ]);
    const dueAt = cell?.next_look_at;
    const lastAttempt = newest?.attempts.at(-1) ?? null;
    // One whose hour is over is marked so within half a minute.
    const last = newest && (newest.state === 'waiting' && !pending ? { ...newest, state: 'expired' as const } : newest);
    const facts = { now, intervalMs, monitor, lastAttempt, pending, dueAt, last, verification, isAtSea };
    const cause =
      offCause(facts) ?? eventCause(facts) ?? episodeCause(facts) ?? coolDownCause(facts) ?? lateCause(facts);
    if (cause) return describe(cause, facts);
    const check = await checkNow(needs.precipitationAt, placeOf(monitor));
    return describe(weatherCause(facts, check, needs.providerPause()), facts, check);
  };
}

async function checkNow(precipitationAt: PrecipitationAt, place: LatLng): Promise<Finding> {
  try {
    return await withoutSlot(() => precipitationAt(place));
  } catch (error) {
    return { isPrecipitating: null, reason: error instanceof Error ? error.message : 'unknown' };
  }
}

function offCause({ monitor: { off_since: since, off_reason: reason } }: Facts): Cause | undefined {
  if (since === null) return undefined;
  if (reason === pausedReason) return { cause: 'paused', since };
  return { cause: reason === goneReason ? 'callback_gone' : 'delivery_off', since, reason };
}

function eventCause({ now, pending, lastAttempt }: Facts): Cause | undefined {
  if (!pending) return undefined;
  const { occurred_at: since, attempts, due_at: until } = pending;
  if (attempts === 0 || pending.is_resend === 1) return { cause: 'sending', since };
  return { cause: 'retrying', since, until: Math.max(now, until), reason: lastAttempt?.error ?? null };
}

function episodeCause({ now, monitor }: Facts): Cause | undefined {
  const rules = rulesOf(monitor);
  const { phase, knownAt, startedAt, expected, drySince, lastWetAt, forecastAt } = episodeOf(monitor);
  if (!rules || phase === 'dry') return undefined;
  const reason = now > knownAt + 15 * 60_000 ? 'no current weather now' : null;
  if (phase === 'expected') return { cause: 'expecting', since: forecastAt, until: expected?.at ?? null, reason };
  const start = startedAt ?? 0;
  if (phase === 'wet') return { cause: 'wet', since: start, until: start + longestMs, reason };
  const since = drySince ?? lastWetAt ?? start;
  return { cause: 'drying', since, until: since + rules.dryMinutes * 60_000, reason };
}

function coolDownCause({ now, monitor: { gate_opens_at: until } }: Facts): Cause | undefined {
  return until > now ? { cause: 'cool_down', since: until - eventIntervalSeconds * 1000, until } : undefined;
}

function lateCause({ now, intervalMs, monitor, dueAt }: Facts): Cause | undefined {
  const since = dueAt ?? monitor.created_at;
  return now > since + 2 * intervalMs + holdMs ? { cause: 'checks_late', since } : undefined;
}

function weatherCause(
  { now: since, monitor, dueAt }: Facts,
  { seen, reason, isPrecipitating }: Finding,
  pause: ProviderPause | undefined,
): Cause {
  if (isPrecipitating === true && monitor.rules !== null) return { cause: 'below_conditions', since };
  if (isPrecipitating === true) return { cause: 'event_due', since, until: Math.max(since, dueAt ?? since) };
  if (seen?.dryScenarioUntil !== undefined) return { cause: 'dry_scenario', since, until: seen.dryScenarioUntil };
  if (pause) {
    return { cause: 'provider_paused', since: pause.since, until: since + pause.restMs, reason: pause.reason };
  }
  if (isPrecipitating === null) return { cause: 'no_weather', since, reason: reason ?? null };
  return { cause: 'dry', since };
}

function describe(
  { cause, since, until = null, reason = null }: Cause,
  { now, monitor, dueAt, last, verification, isAtSea }: Facts,
  check?: Finding,
): MonitorExplanation {
  const seen = check?.seen;
  const explanation = {
    monitor_id: monitor.id,
    cause,
    since: formatTimestamp(since),
    until: until === null ? null : formatTimestamp(until),
    reason,
    checked_at: check === undefined ? null : formatTimestamp(now),
    next_check_at: dueAt === undefined ? null : formatTimestamp(Math.max(now, dueAt)),
    weather: seen
      ? {
          source: seen.source,
          mm_per_hour: seen.mmPerHour,
          distance_km: Math.round(distanceKm(placeOf(monitor), seen.grid) * 10) / 10,
          ...(seen.status === undefined ? {} : { status: seen.status }),
        }
      : null,
    last_event: last ? summarizeEvent(last) : null,
    is_at_sea: isAtSea,
    verification,
    now: formatTimestamp(now),
  };
  return { ...explanation, sentence: formatExplanation(explanation, (instant) => formatUtcTime(instant, now)) };
}
