// Sends due events: takes them from the outbox, posts them, and writes the results. Wakes when an event is claimed, when a retry is
// due, and periodically for the events of processes that died.
import type { Logger } from 'pino';
import { type CancelTimer, type Clock, within } from '@rainbell/shared';
import type { CallbackCredentials } from '../outbox/callback-credentials.ts';
import type { AsymmetricSigner } from '../signing/asymmetric-signing.ts';
import { createAttemptRecorder } from '../outbox/attempt-recorder.ts';
import { createWakeTimer } from './wake-timer.ts';
import { createHostBreaker } from './host-breaker.ts';
import { createHostQueues, lineOf, type LineLimits } from './host-queues.ts';
import type { Owners } from './owners.ts';
import type { Triggers } from '../outbox/event-claim.ts';
import type { FullLine, Outbox } from '../outbox/outbox.ts';
import type { AttemptRecord } from '../outbox/attempt-writer.ts';
import type { WaitingEvent } from '../schema/tables.ts';
import { nextAttemptAt, verdictOf, type RetryRules } from '../outbox/retry-plan.ts';
import type { CallbackSender, SendResult } from '../outbox/send-callback.ts';
import { createSlowWatch } from './slow-watch.ts';
import { createWebhookSigner } from '../signing/standard-webhooks.ts';
import type { WebhookSecrets } from '../signing/webhook-secrets.ts';

export type DeliveryQueue = {
  /**
   * Claims an event for every monitor of these cells that is not in cool-down (docs/interface.md §6), and starts sending; returns
   * how many.
   */
  claim(cells: readonly string[], now: number, triggers?: Triggers): Promise<number>;
  /** Something may be due. */
  wake(): void;
  /** Takes no more events, waits for ongoing attempts at most `drainMs`, and releases the rest (docs/delivery.md S14). */
  close(drainMs: number): Promise<void>;
};

type Dependencies = {
  clock: Clock;
  /** The machine's clock, for what must not follow a moved one. */
  machineClock: Clock;
  log: Logger;
  outbox: Outbox;
  sender: CallbackSender;
  secrets: WebhookSecrets;
  credentialsOf: CallbackCredentials;
  /** Also signs, in addition to the applications' secrets. */
  asymmetricSigner?: AsymmetricSigner | undefined;
  rules: RetryRules;
  /** Events were claimed that exceed this process's capacity. */
  onLeft?: () => void;
  limits?: LineLimits;
  owners: Owners;
  /** Returns the network address of a host, as far as it is known. */
  addressOf: (host: string) => string;
  /** Called after each attempt or postponement. */
  onAttempt?: (outcome: AttemptRecord['outcome'], ms: number) => void;
};

/** A killed sender repeats up to `unrecorded` events, and its slow attempts; larger groups of results cost less. */
const defaultLimits: LineLimits = { fresh: 128, open: 4_096, perHost: 4, unrecorded: 200 };
const batchSize = 1_024;
/** Events in memory. One account's applications cannot fill it with events that were taken (host-queues.ts). */
const maxStored = 16_384;
/** After this time, an attempt gives its slot to another. */
const slowAfterMs = 100;
const checkEveryMs = 2_000;
/** Expired events are not sent in the meantime; marking them reads all due events. */
const expireEveryMs = 30_000;
/** Also runs at the start and after each clock jump; another process on the same database may have a wrong clock. */
const replanEveryMs = 3_600_000;

export function createDeliveryQueue(needs: Dependencies): DeliveryQueue {
  const { clock, machineClock, log, outbox, sender, limits = defaultLimits } = needs;
  const breaker = createHostBreaker();
  const { owners, addressOf } = needs;
  const lines = createHostQueues({ isDoubtful: breaker.isDoubtful, accountOf: owners.ownerOf, addressOf, ...limits });
  const sign = createWebhookSigner(needs.asymmetricSigner);
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
  /** A shutdown has stopped waiting: an aborted attempt is not recorded; the next start sends it. */
  let isAborting = false;
  /** wake() was called after the current poll started. */
  let isWanted = false;
  /** The last poll took nothing, because the queue was full. */
  let isMoreDue = false;
  /** What the last complete poll left out: only that has due events. Undefined once others may have some. */
  let backlog: readonly FullLine[] | undefined;
  let expiredAt = -Infinity;
  let taking: Promise<void> | undefined;
  let onLastEnded = () => {};
  let cancelCheck: CancelTimer = () => {};
  let checking = Promise.resolve();
  let cancelReplan: CancelTimer = () => {};
  let replanning = Promise.resolve();

  function wake(): void {
    backlog = undefined;
    poll();
  }

  function poll(): void {
    isWanted = true;
    if (isClosing) return;
    taking ??= takeDue()
      .catch((error: unknown) => {
        log.error({ err: error }, 'due events could not be claimed; trying again soon');
        isWanted = false;
      })
      .finally(() => {
        taking = undefined;
        // poll() was called during the last lines of `takeDue`.
        if (isWanted) poll();
      });
  }

  async function takeDue(): Promise<void> {
    while (isWanted && !isClosing) {
      isWanted = false;
      isMoreDue = lines.crowdCount() >= maxStored;
      const leftOut = lines.fullLines();
      // Finding nothing reads the whole backlog.
      if (!isMoreDue && backlog?.every((line) => leftOut.includes(line)) !== true) {
        const events = await outbox.take(clock.now(), batchSize, leftOut);
        await add(events);
        if (events.length === batchSize) isWanted = true;
        else if (!isWanted) backlog = leftOut;
      }
      sendReady();
    }
    const at = await outbox.nextDueAt();
    if (at !== undefined && !isClosing) due.ringAt(at);
  }

  async function add(events: readonly WaitingEvent[]): Promise<void> {
    await owners.learn(events);
    lines.add(events);
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

  /** Fetches events left behind for lack of capacity, once there is some. */
  function fetchMore(): void {
    const hasRoom = lines.hasRoomAgain() || (isMoreDue && lines.crowdCount() < maxStored / 2);
    if (hasRoom) poll();
  }

  async function send(event: WaitingEvent, startedAt: number): Promise<void> {
    slow.began(event);
    /** Stays undefined after an internal error: its lease expires, and it is tried again. */
    let result: SendResult | undefined;
    try {
      const secrets = await needs.secrets.activeFor(event.application_id);
      // Without a secret, the application was deleted, and its events with it.
      if (secrets.length > 0) {
        const headers = sign(event.id, Math.floor(startedAt / 1000), event.body, secrets);
        const authorization = event.is_guarded === 0 ? undefined : await needs.credentialsOf(event);
        result = await sender.send(event.callback_uri, event.body, headers, authorization);
      }
    } catch (error) {
      log.error({ err: error, event: event.id }, 'an attempt failed with an internal error');
    }
    slow.ended(event);
    if (result && !isAborting && result.error !== 'forbidden') {
      if (result.status === null) breaker.failedToRespond(lineOf(event), clock.elapsed());
      else breaker.responded(lineOf(event));
    }
    ended(event, startedAt, result);
    sendReady();
  }

  function ended(event: WaitingEvent, startedAt: number, result: SendResult | undefined): void {
    lines.responded(event);
    if (lines.openCount() === 0) onLastEnded();
    // Keep attempts that the shutdown aborted, so that they are released.
    if (isAborting) return;
    if (!result) return lines.done(event);
    const record = updateHealth(event, startedAt, result);
    needs.onAttempt?.(record.outcome, result.latencyMs);
    recorder.add(record);
  }

  /**
   * Returns the breaker's result instead of an attempt. Always makes manual attempts, and an event's last attempt if the host may
   * recover.
   */
  function putOff(event: WaitingEvent, now: number): SendResult | undefined {
    const elapsed = clock.elapsed();
    if (!breaker.isResting(lineOf(event), elapsed) || isByHand(event)) return undefined;
    if (retryAt(event, now, undefined) === undefined && !breaker.isDead(lineOf(event), elapsed)) return undefined;
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

  function updateHealth(event: WaitingEvent, startedAt: number, result: SendResult): AttemptRecord {
    const verdict = verdictOf(result);
    const { monitor_id: monitor, id, attempts } = event;
    log.info(
      { event: id, monitor, host: event.host, attempt: attempts + 1, status: result.status, error: result.error },
      'delivery attempt ended',
    );
    if (verdict === 'delivered') return { event, startedAt, result, outcome: 'delivered', nextAttemptAt: undefined };
    if (verdict === 'gone') return { event, startedAt, result, outcome: 'gone', nextAttemptAt: undefined };
    const at = verdict === 'retry' ? retryAt(event, clock.now(), result.retryAfterSeconds) : undefined;
    return { event, startedAt, result, outcome: at === undefined ? 'failed' : 'waiting', nextAttemptAt: at };
  }

  /** Returns when the attempt after this one is due; undefined if this is the last. */
  function retryAt(event: WaitingEvent, now: number, retryAfterSeconds: number | undefined): number | undefined {
    if (isByHand(event)) return undefined;
    const question = { attempts: event.attempts + 1, occurredAt: event.occurred_at, now, retryAfterSeconds };
    return nextAttemptAt(question, needs.rules);
  }

  function check(): void {
    cancelCheck = machineClock.after(checkEveryMs, check);
    checking = outbox
      .hold(lines.ids())
      .then(expire)
      .catch((error: unknown) => log.error({ err: error }, 'event leases could not be extended'))
      .finally(wake);
  }

  async function expire(): Promise<void> {
    if (machineClock.elapsed() - expiredAt < expireEveryMs) return;
    expiredAt = machineClock.elapsed();
    await outbox.expire(clock.now());
  }

  function replan(): void {
    cancelReplan();
    expiredAt = -Infinity;
    cancelReplan = machineClock.after(replanEveryMs, replan);
    due.cancel();
    // One at a time, and no claim meanwhile: one by the clock before a jump would date events after it.
    replanning = replanning
      .then(() => outbox.replan(clock.now))
      .catch((error: unknown) => log.error({ err: error }, 'scheduled times could not be checked after a clock jump'))
      .finally(wake);
  }
  const cancelOnJump = clock.onJump(replan);
  replan();
  check();

  return {
    wake,
    async claim(cells, now, triggers) {
      await replanning;
      const room = isClosing ? 0 : Math.max(0, maxStored - lines.waitingCount());
      const adding: Promise<void>[] = [];
      const { count, held } = await outbox.claim(
        cells,
        now,
        room,
        triggers,
        (part) => void adding.push(add(part).then(sendReady)),
      );
      await Promise.all(adding);
      if (count > held.length) {
        wake();
        needs.onLeft?.();
      }
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
      await checking;
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
