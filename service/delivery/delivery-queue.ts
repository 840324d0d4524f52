// Sends what is due: takes events from the outbox, posts them, and writes down what came of it. It wakes when an event was
// claimed, when a retry falls due by the clock, and every now and then for the events of processes that died.
import type { Logger } from 'pino';
import type { CancelTimer, Clock } from '#contract/clock.ts';
import { createHostLines, type LineLimits } from './host-lines.ts';
import type { AttemptRecord, Outbox, WaitingEvent } from './outbox.ts';
import { nextAttemptAt, verdictOf, type RetryRules } from './retry-plan.ts';
import type { CallbackSender, SendResult } from './send-callback.ts';
import { webhookHeaders } from './standard-webhooks.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';

export type DeliveryQueue = {
  /** Something may be due. */
  wake(): void;
  /** Stops taking, waits for what is being sent at most `drainMs`, and lets go of the rest (S14). */
  close(drainMs: number): Promise<void>;
};

type Needs = {
  clock: Clock;
  /** The machine's own clock, for what must not follow a moved one. */
  machineClock: Clock;
  log: Logger;
  outbox: Outbox;
  sender: CallbackSender;
  secrets: WebhookSecrets;
  rules: RetryRules;
  limits?: LineLimits;
};

const defaultLimits: LineLimits = { fresh: 64, open: 2_048, perHost: 4 };
const takenAtOnce = 512;
const takenAtMost = 2_048;
/** After so long a send gives its place to another. */
const slowAfterMs = 200;
const checkEveryMs = 2_000;

export function createDeliveryQueue(needs: Needs): DeliveryQueue {
  const { clock, machineClock, log, outbox, sender } = needs;
  const lines = createHostLines(needs.limits ?? defaultLimits);
  const sends = new Set<Promise<void>>();
  let isClosing = false;
  let wanted = false;
  let taking: Promise<void> | undefined;
  let cancelDue: CancelTimer = () => {};
  let cancelCheck: CancelTimer = () => {};
  const recorder = createRecorder(outbox, log);

  function wake(): void {
    wanted = true;
    if (isClosing) return;
    taking ??= takeDue()
      .catch((error: unknown) => log.error({ err: error }, 'taking due events failed; trying again soon'))
      .finally(() => {
        taking = undefined;
      });
  }

  async function takeDue(): Promise<void> {
    while (wanted && !isClosing) {
      wanted = false;
      if (lines.waitingCount() < takenAtMost) {
        const events = await outbox.take(clock.now(), takenAtOnce, lines.fullHosts());
        lines.add(events);
        // A full catch means that more may be due.
        if (events.length === takenAtOnce) wanted = true;
      }
      sendReady();
      if (lines.waitingCount() >= takenAtMost) wanted = false;
    }
    await planNextLook();
  }

  async function planNextLook(): Promise<void> {
    const dueAt = await outbox.nextDueAt();
    cancelDue();
    if (dueAt !== undefined && dueAt > clock.now() && !isClosing) cancelDue = clock.after(dueAt - clock.now(), wake);
  }

  function sendReady(): void {
    for (let event = lines.next(); event && !isClosing; event = lines.next()) {
      const sending = send(event);
      sends.add(sending);
      void sending.finally(() => sends.delete(sending));
    }
  }

  async function send(event: WaitingEvent): Promise<void> {
    const cancelSlow = machineClock.after(slowAfterMs, () => {
      lines.becameSlow(event);
      sendReady();
    });
    try {
      const startedAt = clock.now();
      const secrets = await needs.secrets.activeFor(event.application_id);
      const headers = webhookHeaders(event.id, Math.floor(startedAt / 1000), event.body, secrets);
      const result = await sender.send(event.callback_uri, event.body, headers);
      cancelSlow();
      // After a shutdown has given up waiting, an aborted attempt is no attempt: the next start sends it.
      if (!recorder.isClosed()) await recorder.add(judge(event, startedAt, result));
    } catch (error) {
      log.error({ err: error, event: event.id }, 'an attempt could not be written down');
    } finally {
      cancelSlow();
      lines.done(event);
      if (lines.waitingCount() > 0) sendReady();
      else wake();
    }
  }

  function judge(event: WaitingEvent, startedAt: number, result: SendResult): AttemptRecord {
    const verdict = verdictOf(result);
    const { monitor_id: monitor, id, attempts } = event;
    log.info(
      { event: id, monitor, attempt: attempts + 1, status: result.status, error: result.error },
      'callback sent',
    );
    if (verdict === 'delivered') return { event, startedAt, result, outcome: 'delivered', nextAttemptAt: undefined };
    if (verdict === 'gone') return { event, startedAt, result, outcome: 'gone', nextAttemptAt: undefined };
    const isRepeated = verdict === 'retry' && event.is_resend === 0 && event.kind === 'precipitation';
    const at = isRepeated
      ? nextAttemptAt(
          {
            attempts: attempts + 1,
            occurredAt: event.occurred_at,
            now: clock.now(),
            retryAfterSeconds: result.retryAfterSeconds,
          },
          needs.rules,
        )
      : undefined;
    return { event, startedAt, result, outcome: at === undefined ? 'failed' : 'waiting', nextAttemptAt: at };
  }

  function check(): void {
    cancelCheck = machineClock.after(checkEveryMs, check);
    outbox
      .hold(lines.ids(), clock.now())
      .then(() => outbox.expire(clock.now()))
      .catch((error: unknown) => log.error({ err: error }, 'holding events failed'))
      .finally(wake);
  }
  check();
  wake();

  return {
    wake,
    async close(drainMs) {
      isClosing = true;
      cancelDue();
      await taking;
      await outbox.release(lines.waitingIds());
      await Promise.race([
        Promise.all(sends),
        new Promise<void>((resolve) => void machineClock.after(drainMs, resolve)),
      ]);
      cancelCheck();
      const unfinished = lines.ids();
      recorder.close();
      await sender.close();
      await Promise.all(sends);
      await recorder.idle();
      await outbox.release(unfinished);
    },
  };
}

type Recorder = {
  add(record: AttemptRecord): Promise<void>;
  close(): void;
  isClosed(): boolean;
  idle(): Promise<void>;
};

/** Writes results in groups: what comes in while one transaction runs goes into the next. */
function createRecorder(outbox: Outbox, log: Logger): Recorder {
  let pending: AttemptRecord[] = [];
  let writing: Promise<void> | undefined;
  let isClosed = false;

  async function write(): Promise<void> {
    // A turn of the loop, so that answers which are already here share one commit.
    await new Promise<void>((resolve) => void setImmediate(resolve));
    while (pending.length > 0) {
      const records = pending;
      pending = [];
      await outbox.record(records).catch((error: unknown) => {
        log.error(
          { err: error, events: records.length },
          'results of callbacks could not be written; they will be sent again',
        );
      });
    }
    writing = undefined;
  }

  return {
    async add(record) {
      pending.push(record);
      await (writing ??= write());
    },
    close: () => void (isClosed = true),
    isClosed: () => isClosed,
    idle: async () => {
      await writing;
    },
  };
}
