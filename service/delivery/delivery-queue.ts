// Sends what is due: takes events from the outbox, posts them, and writes down what came of it. It wakes when an event was
// claimed, when a retry falls due by the clock, and every now and then for the events of processes that died.
import type { Logger } from 'pino';
import type { CancelTimer, Clock } from '#shared/time/clock.ts';
import { within } from '#shared/time/within.ts';
import { createAttemptRecorder } from './attempt-recorder.ts';
import { createWakeTimer } from './wake-timer.ts';
import { createHostBreaker } from './host-breaker.ts';
import { createHostQueues, type LineLimits } from './host-queues.ts';
import type { AttemptRecord, Outbox, WaitingEvent } from './outbox.ts';
import { nextAttemptAt, verdictOf, type RetryRules } from './retry-plan.ts';
import type { CallbackSender, SendResult } from './send-callback.ts';
import { createSlowWatch } from './slow-watch.ts';
import { createWebhookSigner } from './standard-webhooks.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';

export type DeliveryQueue = {
  /**
   * Claims an event for every monitor of these cells whose gate is open (docs/interface.md §6), and begins to send;
   * returns how many.
   */
  claim(cells: readonly string[], now: number): Promise<number>;
  /** Something may be due. */
  wake(): void;
  /** Stops taking, waits for what is being sent at most `drainMs`, and lets go of the rest (docs/delivery.md S14). */
  close(drainMs: number): Promise<void>;
};

type Dependencies = {
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

/** Of 20,000 events whose sender is killed, at most 1 % are sent twice; larger groups of results cost less. */
const defaultLimits: LineLimits = { fresh: 128, open: 2_048, perHost: 4, unrecorded: 200 };
const takenAtOnce = 1_024;
const takenAtMost = 4_096;
/** Of what this process claims itself it keeps more, since taking costs more than remembering. */
const keptAtMost = 16_384;
/** After so long a send gives its place to another. */
const slowAfterMs = 100;
const checkEveryMs = 2_000;
/** Besides at the start and after each jump; another process of the same database may have a wrong clock. */
const replanEveryMs = 3_600_000;

export function createDeliveryQueue(needs: Dependencies): DeliveryQueue {
  const { clock, machineClock, log, outbox, sender, limits = defaultLimits } = needs;
  const breaker = createHostBreaker();
  const lines = createHostQueues({ isDoubtful: breaker.isDoubtful, ...limits });
  const sign = createWebhookSigner();
  const due = createWakeTimer(clock, wake);
  const recorder = createAttemptRecorder({
    write: outbox.record,
    onDone: recorded,
    groupSize: Math.ceil(limits.unrecorded / 3),
    clock: machineClock,
    log,
  });
  const slow = createSlowWatch<WaitingEvent>(machineClock, slowAfterMs, (events) => {
    for (const event of events) lines.becameSlow(event);
    sendReady();
  });
  let isClosing = false;
  /** A shutdown has given up waiting: an aborted attempt is no attempt, the next start sends it. */
  let isAborting = false;
  /** Somebody asked to look since the last look began. */
  let isWanted = false;
  /** The last look took nothing, because enough was taken. */
  let isMoreDue = false;
  let taking: Promise<void> | undefined;
  let onLastEnded = () => {};
  let cancelCheck: CancelTimer = () => {};
  let cancelReplan: CancelTimer = () => {};
  let replanning = Promise.resolve();

  function wake(): void {
    isWanted = true;
    if (isClosing) return;
    taking ??= takeDue()
      .catch((error: unknown) => {
        log.error({ err: error }, 'taking due events failed; trying again soon');
        isWanted = false;
      })
      .finally(() => {
        taking = undefined;
        // Asked for while the last lines of `takeDue` ran.
        if (isWanted) wake();
      });
  }

  async function takeDue(): Promise<void> {
    while (isWanted && !isClosing) {
      isWanted = false;
      isMoreDue = lines.waitingCount() >= takenAtMost;
      if (!isMoreDue) {
        const events = await outbox.take(clock.now(), takenAtOnce, lines.fullHosts());
        lines.add(events);
        isWanted ||= events.length === takenAtOnce;
      }
      sendReady();
    }
    const at = await outbox.nextDueAt();
    if (at !== undefined && !isClosing) due.ringAt(at);
  }

  function sendReady(): void {
    for (let event = isClosing ? undefined : lines.next(); event; event = lines.next()) {
      const startedAt = clock.now();
      const putOffResult = putOff(event, startedAt);
      if (putOffResult) ended(event, startedAt, putOffResult);
      else void send(event, startedAt);
    }
    fetchMore();
  }

  /** Fetches what was left behind for want of room, once there is some. */
  function fetchMore(): void {
    const hasRoom = lines.hasRoomAgain() || (isMoreDue && lines.waitingCount() < takenAtMost / 2);
    if (hasRoom) wake();
  }

  async function send(event: WaitingEvent, startedAt: number): Promise<void> {
    slow.began(event);
    /** Stays undefined if it failed on our side: its hold runs out, and it is tried again. */
    let result: SendResult | undefined;
    try {
      const secrets = await needs.secrets.activeFor(event.application_id);
      // Without a secret, the application was deleted, and its events with it.
      if (secrets.length > 0) {
        const headers = sign(event.id, Math.floor(startedAt / 1000), event.body, secrets);
        result = await sender.send(event.callback_uri, event.body, headers);
      }
    } catch (error) {
      log.error({ err: error, event: event.id }, 'an attempt failed on our side');
    }
    slow.ended(event);
    if (result && !isAborting && result.error !== 'forbidden') {
      if (result.status === null) breaker.gaveNoAnswer(event.host, clock.elapsed());
      else breaker.answered(event.host);
    }
    ended(event, startedAt, result);
    sendReady();
  }

  function ended(event: WaitingEvent, startedAt: number, result: SendResult | undefined): void {
    lines.answered(event);
    if (lines.openCount() === 0) onLastEnded();
    // What an ended shutdown cut off stays known, so that it is let go of.
    if (isAborting) return;
    if (result) recorder.add(judge(event, startedAt, result));
    else lines.done(event);
  }

  /**
   * The breaker's word instead of an attempt. What a person asked for is always tried, and the last attempt of an event as
   * long as the host may come back.
   */
  function putOff(event: WaitingEvent, now: number): SendResult | undefined {
    const elapsed = clock.elapsed();
    if (!breaker.isResting(event.host, elapsed) || isByHand(event)) return undefined;
    if (retryAt(event, now, undefined) === undefined && !breaker.isDead(event.host, elapsed)) return undefined;
    return { status: null, error: 'host-silent', latencyMs: 0, answer: '', retryAfterSeconds: undefined };
  }

  function allEnded(): Promise<void> {
    return new Promise((resolve) => {
      if (lines.openCount() === 0) resolve();
      else onLastEnded = resolve;
    });
  }

  function recorded(records: readonly AttemptRecord[]): void {
    for (const { event, nextAttemptAt: at } of records) {
      lines.done(event);
      if (at !== undefined && !isClosing) due.ringAt(at);
    }
    sendReady();
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
    const at = verdict === 'retry' ? retryAt(event, clock.now(), result.retryAfterSeconds) : undefined;
    return { event, startedAt, result, outcome: at === undefined ? 'failed' : 'waiting', nextAttemptAt: at };
  }

  /** When this attempt would be followed by another; undefined where it is the last. */
  function retryAt(event: WaitingEvent, now: number, retryAfterSeconds: number | undefined): number | undefined {
    if (isByHand(event)) return undefined;
    const question = { attempts: event.attempts + 1, occurredAt: event.occurred_at, now, retryAfterSeconds };
    return nextAttemptAt(question, needs.rules);
  }

  function check(): void {
    cancelCheck = machineClock.after(checkEveryMs, check);
    outbox
      .hold(lines.ids())
      .then(() => outbox.expire(clock.now()))
      .catch((error: unknown) => log.error({ err: error }, 'holding events failed'))
      .finally(wake);
  }

  function replan(): void {
    cancelReplan();
    cancelReplan = machineClock.after(replanEveryMs, replan);
    due.cancel();
    replanning = outbox
      .replan(clock.now())
      .catch((error: unknown) => log.error({ err: error }, 'plans could not be checked after a jump of the clock'))
      .finally(wake);
  }
  const cancelOnJump = clock.onJump(replan);
  replan();
  check();

  return {
    wake,
    async claim(cells, now) {
      const room = isClosing ? 0 : Math.max(0, keptAtMost - lines.waitingCount());
      const { count, held } = await outbox.claim(cells, now, room);
      lines.add(held);
      sendReady();
      if (count > held.length) wake();
      return count;
    },
    async close(drainMs) {
      isClosing = true;
      cancelOnJump();
      cancelReplan();
      due.cancel();
      await replanning;
      await taking;
      await outbox.release(lines.waitingIds());
      await within(machineClock, drainMs, allEnded());
      isAborting = true;
      cancelCheck();
      slow.close();
      await sender.close();
      await allEnded();
      await recorder.flush();
      await outbox.release(lines.ids());
    },
  };
}

function isByHand(event: WaitingEvent): boolean {
  return event.is_resend !== 0 || event.kind === 'test';
}
