// Reads the service's record of events and the state of each monitor's deliveries, an addition of our own service to the
// interface. A request shows whether a service has one: 404, 405, or 501 means no.
import { z } from 'zod';
import { type Clock, formatInstant, parseTimestamp } from '@rainbell/shared';
import {
  backtestExtension,
  deliveryMetaSchema,
  deliveryStateSchema,
  type EventPage,
  type EventRecord,
  eventPageSchema,
  type MonitorExplanation,
  monitorExplanationSchema,
  nowcastExtension,
  sentEventSchema,
} from '@rainbell/contract/service-api';
import type { AppDelivery, DeliveryStates, EventQuery } from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import { type ApiCall, isUnknownAddress, readAs } from '../connection/api-client.ts';
import type { Connection } from '../connection/connection.ts';
import type { ActiveConnection } from '../connection/active-connection.ts';
import type { HttpResponse } from '../http/http-sender.ts';
import { pathOf } from './monitor-wire.ts';

/** `isBackground`: not requested by the user. */
type Background = Pick<ApiCall, 'signal' | 'isBackground'>;

export type Deliveries = ReturnType<typeof createDeliveries>;

/** When each event was first sent; between `from` and `to`, the log is complete. In this machine's time, epoch milliseconds. */
export type KnownLog = { events: ReadonlyMap<string, number>; from: number; to: number };

const maxLogs = 500;

type DeliveriesDependencies = {
  activeConnection: ActiveConnection;
  clock: Clock;
  onChanged: () => void;
  onStates?: (states: DeliveryStates) => void;
  /** More is known of what the service sent: verdicts of callbacks may change, of one monitor if it is named. */
  onLogRead?: (monitorId?: string) => void;
};

/** An attempt is in the log when it ended; none takes longer than its time limit of 15 s. */
const settlingMs = 20_000;

/** Bounded, because they come from outside; a service that lists none offers none. */
const extensionsSchema = z.array(z.string().max(100)).max(100).default([]).catch([]);

const instant = z.string().transform(requiredInstant);
const attemptSchema = deliveryStateSchema.shape.last_attempt.unwrap();

const statesSchema = z.object({
  objects: z.array(
    deliveryStateSchema.extend({
      last_event_at: instant.nullable(),
      next_event_allowed_at: instant.nullable(),
      off_since: instant.nullable(),
      created_at: instant.nullable().default(null),
      last_attempt: attemptSchema.extend({ started_at: instant }).nullable().default(null),
    }),
  ),
  meta: deliveryMetaSchema.partial().extend({ extensions: extensionsSchema }).optional(),
});

export function createDeliveries(dependencies: DeliveriesDependencies) {
  const { activeConnection, clock, onChanged, onStates, onLogRead } = dependencies;
  async function call(wanted: ApiCall): Promise<HttpResponse> {
    const { api } = await activeConnection.current();
    return api.call(wanted);
  }

  async function readStates(): Promise<DeliveryStates> {
    const requestedAt = clock.now();
    const response = await call({ method: 'GET', path: '/v2/delivery/', isBackground: true }).catch(
      undefinedWhereUnknown,
    );
    if (!response) return { isAvailable: false };
    const { objects, meta } = await read(response, statesSchema);
    const reported = parseTimestamp(meta?.now ?? '');
    // The service read its clock between the request and the response.
    const aheadMs = reported === undefined ? 0 : Math.round(reported - (requestedAt + clock.now()) / 2);
    const plan = meta?.plan ? { name: meta.plan.name, monitorLimit: meta.plan.monitor_limit } : null;
    const hasRadarMinutes = meta?.extensions.includes(nowcastExtension) ?? false;
    const hasBacktest = meta?.extensions.includes(backtestExtension) ?? false;
    return { isAvailable: true, aheadMs, states: objects, plan, hasRadarMinutes, hasBacktest };
  }

  /** What is known for one connection whose service has a log; a change of the connection discards it. */
  let known: { of: Connection; aheadMs: number; logs: Map<string, KnownLog> } | undefined;

  function knownOf(of: Connection | undefined) {
    return of && known?.of === of ? known : undefined;
  }

  function noteStates(of: Connection, aheadMs: number | null): void {
    const current = knownOf(of);
    known = aheadMs === null ? undefined : { of, aheadMs, logs: current?.logs ?? new Map() };
    if ((current === undefined) !== (known === undefined)) onLogRead?.();
  }

  /** A test event or a resend is not an event of its own. Only a log that is read whole proves that an event isn't in it. */
  function noteLog(
    of: Connection,
    monitorId: string,
    attempts: readonly AppDelivery[],
    requestedAt: number,
    isWhole: boolean,
  ) {
    const current = knownOf(of);
    if (!current) return;
    const events = new Map<string, number>();
    const instants = attempts.map(({ startedAt }) => (parseTimestamp(startedAt) ?? 0) - current.aheadMs);
    attempts.forEach(({ eventId, kind }, index) => {
      const at = instants[index] ?? 0;
      if (kind !== 'test') events.set(eventId, Math.min(at, events.get(eventId) ?? at));
    });
    // What is being sent just now is not in it yet.
    const from = isWhole ? Math.min(requestedAt, ...instants) : requestedAt;
    const to = requestedAt - settlingMs;
    if (current.logs.size >= maxLogs) current.logs.clear();
    const before = current.logs.get(monitorId);
    current.logs.set(monitorId, { events, from, to });
    if (JSON.stringify([...(before?.events ?? [])]) !== JSON.stringify([...events])) onLogRead?.(monitorId);
  }

  async function readEvents(query: EventQuery, options?: Background): Promise<EventPage> {
    const given = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
    const path = `/v2/events/?${String(new URLSearchParams(given))}`;
    return read(await call({ method: 'GET', path, ...options }), eventPageSchema);
  }

  return {
    /** Whether the active connection's service has reported deliveries. */
    hasDeliveryLog: (): boolean => knownOf(activeConnection.present()) !== undefined,
    /** What was read of a monitor's log with `of`, for the active connection. */
    knownLog: (monitorId: string): KnownLog | undefined => knownOf(activeConnection.present())?.logs.get(monitorId),
    async states(): Promise<DeliveryStates> {
      const of = activeConnection.present();
      const states = await readStates();
      if (of) noteStates(of, states.isAvailable ? states.aheadMs : null);
      onStates?.(states);
      return states;
    },

    /** The attempts for a monitor's newest events, newest first. */
    async of(monitorId: string, options?: Background): Promise<AppDelivery[]> {
      const [of, requestedAt] = [activeConnection.present(), clock.now()];
      const { objects, meta } = await readEvents({ monitor: monitorId }, options);
      const deliveries = objects
        .flatMap(toAppDeliveries)
        .toSorted((one, other) => (one.startedAt < other.startedAt ? 1 : -1));
      if (of) noteLog(of, monitorId, deliveries, requestedAt, meta.next === null);
      return deliveries;
    },

    /** A page of the service's record of events, newest first. Throws NOT_FOUND if the service has none. */
    events: readEvents,

    /** Why the monitor is silent; undefined if the service does not explain, or has no such monitor. */
    async explain(monitorId: string, options?: Background): Promise<MonitorExplanation | undefined> {
      const path = `${pathOf(monitorId)}explanation/`;
      const response = await call({ method: 'GET', path, ...options }).catch(undefinedWhereUnknown);
      return response && read(response, monitorExplanationSchema);
    },

    async resend(monitorId: string, eventId: string) {
      const path = `${pathOf(monitorId)}events/${encodeURIComponent(eventId)}/resend/`;
      await call({ method: 'POST', path });
      onChanged();
    },

    async sendTest(monitorId: string): Promise<{ event_id: string }> {
      const response = await call({ method: 'POST', path: `${pathOf(monitorId)}test-event/` });
      onChanged();
      return read(response, sentEventSchema);
    },

    async setOn(monitorId: string, isOn: boolean) {
      await call({ method: 'PATCH', path: `${pathOf(monitorId)}delivery/`, json: { is_on: isOn } });
      onChanged();
    },
  };
}

function undefinedWhereUnknown(error: unknown): undefined {
  if (isUnknownAddress(error)) return undefined;
  throw error;
}

function read<Schema extends z.ZodType>(response: HttpResponse, schema: Schema): Promise<z.infer<Schema>> {
  return readAs(response, schema, 'a delivery log in an unknown format');
}

function toAppDeliveries({ id, attempts, outcome }: EventRecord): AppDelivery[] {
  return attempts.map((attempt) => ({
    id: `${id}.${attempt.attempt}`,
    eventId: id,
    attempt: attempt.attempt,
    kind: attempt.kind,
    startedAt: requiredInstant(attempt.started_at),
    latencyMs: attempt.latency_ms,
    httpStatus: attempt.http_status,
    error: attempt.error,
    answer: attempt.answer,
    outcome,
  }));
}

function requiredInstant(text: string): string {
  const instant = parseTimestamp(text);
  if (instant !== undefined) return formatInstant(instant);
  throw new AppFailure(
    'PROTOCOL',
    `The service returned a delivery with the time “${text.slice(0, 40)}”, which is not a timestamp.`,
  );
}
