// A delivery queue without a database or network: the test decides what is due, and how and when each send ends.
import { pino } from 'pino';
import type { FullLine, Outbox } from '#service/monitors/delivery/outbox.ts';
import type { AttemptRecord } from '#service/monitors/delivery/attempt-recorder.ts';
import type { WaitingEvent } from '#service/monitors/delivery/tables.ts';
import type { SendResult } from '#service/monitors/delivery/send-callback.ts';
import { Delivery } from '#service/monitors/delivery/deliver.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

type Options = Partial<ConstructorParameters<typeof Delivery>[0]>;

export const startMs = Date.parse('2026-11-21T06:00:00Z');

/** An event on a host of its own. */
export function waitingEvent(id: string, changes: Partial<WaitingEvent> = {}): WaitingEvent {
  return {
    id,
    monitor_id: `monitor of ${id}`,
    application_id: 'app',
    kind: 'precipitation',
    occurred_at: startMs,
    triggered_by: null,
    callback_uri: `https://${id}.example/hook`,
    is_guarded: 0,
    host: `https://${id}.example`,
    body: `{"id":"${id}"}`,
    attempts: 0,
    is_resend: 0,
    account_id: changes.application_id ?? 'app',
    ...changes,
  };
}

export function sendResult(status: number | null, changes: Partial<SendResult> = {}): SendResult {
  const error = status === null ? 'timeout' : status < 300 ? null : `http ${status}`;
  return { status, error, latencyMs: 12, answer: '', retryAfterSeconds: undefined, ...changes };
}

export const settle = () => new Promise<void>((resolve) => void setImmediate(resolve));

type Sent = { id: string; uri: string; body: string; at: string; authorization?: string };

export async function startQueue(due: WaitingEvent[] = [], options: Options = {}) {
  const clock = createManualClock(startMs);
  const records: AttemptRecord[] = [];
  const state = {
    due,
    claimed: { count: 0, held: [] as WaitingEvent[] },
    record: async (written: readonly AttemptRecord[]) => void records.push(...written),
    secrets: async (_applicationId: string) => [`whsec_${'A'.repeat(32)}`],
  };
  const calls = {
    take: [] as { after: number; limit: number; full: readonly FullLine[] }[],
    claim: [] as unknown[][],
    hold: [] as (readonly string[])[],
    release: [] as (readonly string[])[],
    expire: [] as number[],
    replan: [] as number[],
    closed: 0,
  };
  const attempts: [string, number][] = [];
  const logged: string[] = [];
  const sent: Sent[] = [];
  const open = new Map<string, (result: SendResult) => void>();

  const outbox: Outbox = {
    async claim(cells, now, { room, triggers, onHeld } = {}) {
      calls.claim.push([cells, now, room, triggers]);
      onHeld?.(state.claimed.held);
      return state.claimed.count;
    },
    async take(now, limit, full) {
      calls.take.push({ after: now - startMs, limit, full });
      const isFull = ({ application_id, host }: WaitingEvent) =>
        full.some((line) => line.application_id === application_id && (line.host ?? host) === host);
      const taken = state.due.filter((event) => !isFull(event)).slice(0, limit);
      const ids = new Set(taken.map(({ id }) => id));
      state.due = state.due.filter(({ id }) => !ids.has(id));
      return taken;
    },
    hold: async (ids) => void calls.hold.push(ids),
    release: async (ids) => void calls.release.push(ids),
    expire: async (now) => void calls.expire.push(now - startMs),
    replan: async (now) => void calls.replan.push(now() - startMs),
    record: (written) => state.record(written),
  };
  const queue = new Delivery({
    clock,
    machineClock: clock,
    log: pino({ level: 'warn' }, { write: (line) => void logged.push(line) }),
    outbox,
    sender: {
      send(uri, body, headers, authorization) {
        const id = headers['webhook-id'];
        const extra = authorization === undefined ? {} : { authorization };
        sent.push({ id, uri, body, at: headers['webhook-timestamp'], ...extra });
        return new Promise((resolve) => void open.set(id, resolve));
      },
      async close() {
        calls.closed += 1;
        for (const end of open.values()) end(sendResult(null, { error: 'aborted' }));
        open.clear();
      },
    },
    secrets: { activeFor: (id) => state.secrets(id) },
    credentialsOf: async ({ monitor_id }) => `Basic ${monitor_id}`,
    addressOf: (host) => host,
    rules: { retries: 4, timeoutMs: 10_000, random: () => 0.5 },
    onAttempt: (...attempt) => void attempts.push(attempt),
    ...options,
  });

  /** Ends sends that are open, all with the same result. */
  async function answer(ids: string | readonly string[], result: SendResult): Promise<void> {
    for (const id of [ids].flat()) {
      const end = open.get(id);
      open.delete(id);
      end?.(result);
    }
    await settle();
  }
  async function pass(ms: number): Promise<void> {
    clock.advance(ms);
    await settle();
  }
  /** Makes events due, and returns the IDs that the queue then sends. */
  async function offer(...events: WaitingEvent[]): Promise<string[]> {
    const before = sent.length;
    state.due.push(...events);
    queue.wake();
    await settle();
    return sent.slice(before).map(({ id }) => id);
  }
  const ids = () => sent.map(({ id }) => id);
  await settle();
  return { clock, queue, outbox, state, calls, records, attempts, logged, sent, open, ids, answer, pass, offer };
}
