// The episodes of opt-in monitors (docs/events.md) in the database: the state is in the monitor's row, and changes with its events in one
// transaction, only if no other process has changed it since it was read.
import type { Kysely, Transaction } from 'kysely';
import {
  eventIntervalSeconds,
  type EventRules,
  eventRulesOf,
  type LatLng,
  type MonitorOptions,
} from '@rainbell/contract/service-api';
import { isAmong } from '../../database/id-list.ts';
import type { Database } from '../../database/open-database.ts';
import { retryOnDeadlock } from '../../database/retry-on-deadlock.ts';
import type { Tables } from '../../database/tables.ts';
import { accountOfMonitor, addRainEvents, getsEvents, type RainEventToSend } from '../delivery/events.ts';
import { type EpisodeEvent, orderedIds } from '../delivery/tables.ts';
import { type MonitorRow, placeOf } from '../monitor-json.ts';
import type { Timeline, TimelineStep } from '../../weather/timeline.ts';
import { closed, type Decision, decideEpisode, type EpisodeState, lookAt, noEpisode } from './decide-episode.ts';
import { triggerAt } from './precipitation.ts';
import { bodyOf, rainEventOf } from './rain-event-body.ts';

const intervalMs = eventIntervalSeconds * 1000;
/** While it is not dry, the state is written at least this often: what happened since the last write is lost with the process. */
const writeEveryMs = 5 * 60_000;
const monitorsPerWrite = 500;

/** By cell, for each place in it; undefined: the weather was unavailable. */
export type Timelines = ReadonlyMap<string, ((place: LatLng) => Timeline) | undefined>;

export function rulesOf({ rules }: Pick<MonitorRow, 'rules'>): EventRules | undefined {
  return rules === null ? undefined : eventRulesOf(JSON.parse(rules) as MonitorOptions);
}

export function episodeOf({ episode }: Pick<MonitorRow, 'episode'>): EpisodeState {
  return episode === null ? noEpisode : { ...noEpisode, ...(JSON.parse(episode) as EpisodeState) };
}

type Watched = MonitorRow & { account_id: string | null };
type Change = Decision & { monitor: Watched; rules: EventRules; timeline: Timeline | undefined };

export async function hasEpisodes(db: Kysely<Tables>): Promise<boolean> {
  const found = await db.selectFrom('monitors').select('id').where('rules', 'is not', null).limit(1).executeTakeFirst();
  return found !== undefined;
}

/** Decides for the opt-in monitors of these cells; returns how many events it wrote. */
export async function watchEpisodes(
  { db, engine }: Pick<Database, 'db' | 'engine'>,
  timelines: Timelines,
  now: number,
): Promise<number> {
  if (timelines.size === 0) return 0;
  const monitors: Watched[] = await db
    .selectFrom('monitors')
    .selectAll()
    .select(accountOfMonitor)
    .where(isAmong(engine, 'cell', [...timelines.keys()]))
    .where('rules', 'is not', null)
    .where(getsEvents(now))
    .orderBy('id')
    .execute();
  const changes = monitors.flatMap((monitor) => decide(monitor, timelines.get(monitor.cell)?.(placeOf(monitor)), now));
  let events = 0;
  for (let start = 0; start < changes.length; start += monitorsPerWrite) {
    const some = changes.slice(start, start + monitorsPerWrite);
    events += await retryOnDeadlock(() => db.transaction().execute((trx) => write(trx, engine, some, now)));
  }
  return events;
}

function decide(monitor: Watched, timeline: Timeline | undefined, now: number): Change[] {
  const rules = rulesOf(monitor);
  if (!rules) return [];
  const before = episodeOf(monitor);
  const decision = decideEpisode(before, lookAt(timeline, rules, now), {
    rules,
    startGate: startGateOf(monitor, now),
    newId: () => orderedIds('ep_', now, 1)[0] ?? '',
  });
  const { state } = decision;
  const isSame =
    state.phase === before.phase &&
    state.misses === before.misses &&
    (state.wetSince === null) === (before.wetSince === null) &&
    (state.drySince === null) === (before.drySince === null);
  const isDue = state.phase !== 'dry' && now >= before.lookedAt + writeEveryMs;
  if (isSame && !isDue && !decision.event) return [];
  // Dry looks write nothing.
  if (state.phase === 'dry' && before.phase === 'dry' && state.wetSince === before.wetSince) return [];
  return [{ ...decision, monitor, rules, timeline }];
}

/** Starts are an hour apart, also by their times if the clock was ahead meanwhile (as in delivery/events.ts). */
function startGateOf({ gate_opens_at: gate, latest_event_at: latest }: MonitorRow, now: number): number {
  return latest > now - intervalMs && latest <= now ? Math.max(gate, latest + intervalMs) : gate;
}

async function write(
  trx: Transaction<Tables>,
  engine: Database['engine'],
  changes: readonly Change[],
  now: number,
): Promise<number> {
  const events: RainEventToSend[] = [];
  for (const change of changes) {
    const { monitor, state, event } = change;
    const { numUpdatedRows } = await trx
      .updateTable('monitors')
      .set({
        episode: JSON.stringify(state),
        ...(event?.kind === 'started' ? { gate_opens_at: now + intervalMs, latest_event_at: now } : {}),
      })
      .where('id', '=', monitor.id)
      .where('cell', '=', monitor.cell)
      .where('rules', '=', monitor.rules)
      .where('episode', monitor.episode === null ? 'is' : '=', monitor.episode)
      .executeTakeFirst();
    if (numUpdatedRows === 1n && event && isChosen(event.kind, change.rules))
      events.push(eventToSend(change, event, now));
  }
  await addRainEvents(trx, engine, events, now);
  return events.length;
}

/** `canceled` comes with `expected`. */
function isChosen(kind: EpisodeEvent, { events }: EventRules): boolean {
  return events.includes(`precipitation.${kind === 'canceled' ? 'expected' : kind}`);
}

function eventToSend(
  { monitor, rules, timeline }: Pick<Change, 'monitor' | 'rules' | 'timeline'>,
  event: NonNullable<Decision['event']>,
  now: number,
): RainEventToSend {
  const body = bodyOf(rainEventOf({ ...event, timeline, monitor, rules, now }), rules.payload);
  const { wet, ahead } = lookAt(timeline, rules, now);
  const step = event.kind === 'started' ? wet : event.kind === 'expected' ? ahead : undefined;
  const trigger = { ...(step && triggerAt(step, timeline?.grid)), episode: event.episode.id };
  return { monitor, kind: event.kind, body, trigger };
}

/** The monitor's members or place changed: its episode ends. Returns the state to store. */
export async function closeEpisode(
  trx: Transaction<Tables>,
  engine: Database['engine'],
  before: MonitorRow,
  after: MonitorRow,
  now: number,
): Promise<string | null> {
  const rules = rulesOf(after);
  const state = episodeOf(before);
  if (!rules) return null;
  const kind = state.phase === 'expected' ? 'canceled' : 'ended';
  if (state.phase !== 'dry' && isChosen(kind, rules)) {
    const episode = { ...state, sequence: state.sequence + 1 };
    const event = { kind, reason: 'monitor_changed', episode } as const;
    const monitor = { ...after, account_id: null };
    await addRainEvents(trx, engine, [eventToSend({ monitor, rules, timeline: undefined }, event, now)], now);
  }
  return JSON.stringify(closed(state));
}

export function testBodyOf(monitor: MonitorRow, kind: EpisodeEvent, now: number): string | undefined {
  const rules = rulesOf(monitor);
  if (!rules) return undefined;
  const isOver = kind === 'ended' || kind === 'canceled';
  const minuteMs = 60_000;
  const from = kind === 'expected' ? now + rules.leadMinutes * minuteMs : now - minuteMs;
  const type = rules.types.find((each) => each === 'rain') ?? rules.types[0] ?? 'rain';
  const step: TimelineStep = {
    from,
    until: from + 90 * minuteMs,
    mmPerHour: Math.max(2.4, rules.leastMmPerHour),
    kind: type,
    basis: 'scenario',
    source: 'scenario',
    updatedAt: now,
    place: null,
    slackMs: 0,
  };
  const expected = { at: from, earliest: from, latest: from };
  const maxRate = step.mmPerHour;
  const parts: Readonly<Record<EpisodeEvent, Partial<EpisodeState>>> = {
    expected: { sequence: 1, expected },
    started: { sequence: 2, startedAt: now },
    canceled: { sequence: 2, expected },
    ended: {
      sequence: 3,
      startedAt: now - (rules.dryMinutes + 60) * minuteMs,
      lastWetAt: now - rules.dryMinutes * minuteMs,
      amount: maxRate,
      maxRate,
    },
  };
  const episode = { ...noEpisode, id: orderedIds('ep_', now, 1)[0] ?? '', kind: type, ...parts[kind] };
  const timeline = { steps: isOver ? [] : [step], ruling: undefined, isKnown: true, updatedAt: now };
  const reason = kind === 'ended' ? 'dry' : kind === 'canceled' ? 'forecast_changed' : null;
  return bodyOf(rainEventOf({ kind, reason, episode, timeline, monitor, rules, now, isTest: true }), rules.payload);
}
