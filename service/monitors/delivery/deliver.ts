// How an event becomes a delivery, or gets its next try, from top to bottom: it is claimed or taken, signed, sent, recorded, and if
// that failed, planned again. hosts.ts decides whose turn it is, outbox.ts holds what waits, attempt-recorder.ts writes the results.
import type { Logger } from 'pino';
import { type CancelTimer, type Clock, within } from '@rainbell/shared';
import { eventIntervalSeconds } from '@rainbell/contract/service-api';
import { type AttemptRecord, createAttemptRecorder } from './attempt-recorder.ts';
import { evidenceHeaders } from './event-basis.ts';
import type { Triggers } from './events.ts';
import { createHostBreaker, HostQueues, type LineLimits } from './hosts.ts';
import type { FullLine, Outbox } from './outbox.ts';
import { type CallbackSender, failure, type SendResult } from './send-callback.ts';
import { type AsymmetricSigner, type CallbackCredentials, signWebhook, type WebhookSecrets } from './signing.ts';
import type { WaitingEvent } from './tables.ts';

type Needs = {
  clock: Clock;
  /** The machine's clock, for what must not follow a moved one. */
  machineClock: Clock;
  log: Logger;
  outbox: Outbox;
  sender: CallbackSender;
  secrets: Pick<WebhookSecrets, 'activeFor'>;
  credentialsOf: CallbackCredentials;
  /** Also signs, in addition to the applications' secrets. */
  asymmetricSigner?: AsymmetricSigner | undefined;
  rules: RetryRules;
  /** Events were claimed that exceed this process's capacity. */
  onLeft?: () => void;
  limits?: LineLimits;
  /** Returns the network address of a host, as far as it is known. */
  addressOf: (host: string) => string;
  /** Called after each attempt or postponement. */
  onAttempt?: (state: AttemptRecord['state'], ms: number) => void;
};

/** A killed sender repeats up to `unrecorded` events, and its slow attempts; larger groups of results cost less. */
const defaultLimits: LineLimits = { fresh: 128, open: 4_096, perHost: 4, unrecorded: 200 };
/** The share of `unrecorded` that is written together; the rest is sent meanwhile. Each commit costs as much as some ten attempts. */
const groupShare = 0.8;
const batchSize = 1_024;
/** Events in memory. One account's applications cannot fill it with events that were taken (hosts.ts). */
const maxStored = 16_384;
/** After this time, an attempt gives its turn to another. */
const slowAfterMs = 100;
/** A due retry is sent at most this much later. */
const checkEveryMs = 2_000;
/** Expired events are not sent in the meantime; marking them reads all due events. */
const expireEveryMs = 30_000;
/** Also runs at the start and after each clock jump; another process on the same database may have a wrong clock. */
const replanEveryMs = 3_600_000;

/** Wakes when an event is claimed, and every 2 s for retries and the events of processes that died. */
export class Delivery {
  readonly #needs: Needs;
  readonly #breaker = createHostBreaker();
  readonly #lines;
  readonly #recorder;
  readonly #cancelOnJump: () => void;
  #isClosing = false;
  /** A shutdown has stopped waiting: an aborted attempt is not recorded; the next start sends it. */
  #isAborting = false;
  /** `wake` was called after the current poll started. */
  #isWanted = false;
  /** The last poll took nothing, because the queue was full. */
  #isMoreDue = false;
  /** What the last complete poll left out: only that has due events. Undefined once others may have some. */
  #backlog: readonly FullLine[] | undefined;
  #expiredAt = -Infinity;
  #polling: Promise<void> | undefined;
  #onLastEnded = () => {};
  #cancelCheck: CancelTimer = () => {};
  #checking = Promise.resolve();
  #cancelReplan: CancelTimer = () => {};
  #replanning = Promise.resolve();

  constructor(needs: Needs) {
    const { clock, machineClock, log, outbox, addressOf, limits = defaultLimits } = needs;
    this.#needs = needs;
    this.#lines = new HostQueues({ isDoubtful: this.#breaker.isDoubtful, addressOf, ...limits });
    this.#recorder = createAttemptRecorder({
      write: outbox.record,
      onDone: (records) => this.#recorded(records),
      groupSize: Math.ceil(limits.unrecorded * groupShare),
      clock: machineClock,
      log,
    });
    this.#cancelOnJump = clock.onJump(() => this.#replan());
    this.#replan();
    this.#check();
  }

  // 1. Claim: the sweep found rain, and its monitors get events; or events wait in the outbox, and this process takes them.

  /**
   * Claims an event for every monitor of these cells that is not in cool-down (docs/interface.md §6), or for `only` some, and starts
   * sending; returns how many.
   */
  async claim(cells: readonly string[], now: number, triggers?: Triggers, only?: readonly string[]): Promise<number> {
    await this.#replanning;
    const room = this.#isClosing ? 0 : Math.max(0, maxStored - this.#lines.waitingCount());
    let held = 0;
    const onHeld = (part: readonly WaitingEvent[]) => {
      held += part.length;
      this.#lines.add(part);
      this.#sendReady();
    };
    const count = await this.#needs.outbox.claim(cells, now, { room, onHeld, triggers, only });
    if (count > held) {
      this.wake();
      this.#needs.onLeft?.();
    }
    return count;
  }

  wake(): void {
    this.#backlog = undefined;
    this.#poll();
  }

  #poll(): void {
    this.#isWanted = true;
    if (this.#isClosing) return;
    this.#polling ??= this.#takeDue()
      .catch((error: unknown) => {
        this.#needs.log.error({ err: error }, 'due events could not be claimed; trying again soon');
        this.#isWanted = false;
      })
      .finally(() => {
        this.#polling = undefined;
        // It was called during the last lines of `takeDue`.
        if (this.#isWanted) this.#poll();
      });
  }

  async #takeDue(): Promise<void> {
    const { clock, outbox } = this.#needs;
    while (this.#isWanted && !this.#isClosing) {
      this.#isWanted = false;
      this.#isMoreDue = this.#lines.crowdCount() >= maxStored;
      const leftOut = this.#lines.fullLines();
      // Finding nothing reads the whole backlog.
      if (!this.#isMoreDue && this.#backlog?.every((line) => leftOut.includes(line)) !== true) {
        const events = await outbox.take(clock.now(), batchSize, leftOut);
        this.#lines.add(events);
        if (events.length === batchSize) this.#isWanted = true;
        else if (!this.#isWanted) this.#backlog = leftOut;
      }
      this.#sendReady();
    }
  }

  /** Sends what may be sent now, and fetches events left behind for lack of capacity, once there is some. */
  #sendReady(): void {
    const { clock } = this.#needs;
    for (let event = this.#isClosing ? undefined : this.#lines.next(); event; event = this.#lines.next()) {
      const startedAt = clock.now();
      if (this.#isPostponed(event, startedAt)) this.#ended(event, startedAt, hostSilent);
      else void this.#send(event, startedAt);
    }
    const hasRoom = this.#lines.hasRoomAgain() || (this.#isMoreDue && this.#lines.crowdCount() < maxStored / 2);
    if (hasRoom) this.#poll();
  }

  /** Manual attempts are always made, and so is an event's last one if the host may recover. */
  #isPostponed(event: WaitingEvent, now: number): boolean {
    const elapsed = this.#needs.clock.elapsed();
    const line = this.#lines.lineOf(event);
    if (!this.#breaker.isResting(line, elapsed) || isByHand(event)) return false;
    return this.#nextTry(event, now, undefined) !== undefined || this.#breaker.isDead(line, elapsed);
  }

  // 2. Sign and send.

  async #send(event: WaitingEvent, startedAt: number): Promise<void> {
    const cancelSlow = this.#needs.machineClock.after(slowAfterMs, () => {
      this.#lines.becameSlow(event);
      this.#sendReady();
    });
    /** Stays undefined after an internal error: its lease expires, and it is tried again. */
    let result: SendResult | undefined;
    try {
      result = await this.#signAndPost(event, startedAt);
    } catch (error) {
      this.#needs.log.error({ err: error, event: event.id }, 'an attempt failed with an internal error');
    }
    cancelSlow();
    if (result && !this.#isAborting && result.error !== 'forbidden') {
      const line = this.#lines.lineOf(event);
      if (result.status === null) this.#breaker.failedToRespond(line, this.#needs.clock.elapsed());
      else this.#breaker.responded(line);
    }
    this.#ended(event, startedAt, result);
    this.#sendReady();
  }

  async #signAndPost(event: WaitingEvent, startedAt: number): Promise<SendResult | undefined> {
    const { secrets, credentialsOf, sender, asymmetricSigner } = this.#needs;
    const active = await secrets.activeFor(event.application_id);
    // Without a secret, the application was deleted, and its events with it.
    if (active.length === 0) return undefined;
    const signature = signWebhook(event.id, Math.floor(startedAt / 1000), event.body, active, asymmetricSigner);
    const headers = { ...signature, ...evidenceHeaders(event.triggered_by) };
    const authorization = event.is_guarded === 0 ? undefined : await credentialsOf(event);
    return sender.send(event.callback_uri, event.body, headers, authorization);
  }

  // 3. Record, with the next try.

  #ended(event: WaitingEvent, startedAt: number, result: SendResult | undefined): void {
    this.#lines.responded(event);
    if (this.#lines.openCount() === 0) this.#onLastEnded();
    // Keep attempts that the shutdown aborted, so that they are released.
    if (this.#isAborting) return;
    if (!result) return this.#lines.done(event);
    const { monitor_id: monitor, id, attempts, host } = event;
    this.#needs.log.info(
      { event: id, monitor, host, attempt: attempts + 1, status: result.status, error: result.error },
      'delivery attempt ended',
    );
    const record = { event, startedAt, result, ...this.#decide(event, result) };
    this.#needs.onAttempt?.(record.state, result.latencyMs);
    this.#recorder.add(record);
  }

  #decide(event: WaitingEvent, result: SendResult): Pick<AttemptRecord, 'state' | 'nextAttemptAt'> {
    const found = classifyAttempt(result);
    if (found === 'delivered' || found === 'gone') return { state: found, nextAttemptAt: undefined };
    const { clock } = this.#needs;
    const isRetried = found === 'retry' || (found === 'once' && event.attempts === 0);
    const pause = found === 'once' ? onceAfterSeconds : result.retryAfterSeconds;
    const at = isRetried ? this.#nextTry(event, clock.now(), pause) : undefined;
    return { state: at === undefined ? 'failed' : 'waiting', nextAttemptAt: at };
  }

  /** Returns when the attempt after this one is due; undefined if this is the last. */
  #nextTry(event: WaitingEvent, now: number, retryAfterSeconds: number | undefined): number | undefined {
    if (isByHand(event)) return undefined;
    const question = { attempts: event.attempts + 1, occurredAt: event.occurred_at, now, retryAfterSeconds };
    return nextAttemptAt(question, this.#needs.rules);
  }

  #recorded(records: readonly AttemptRecord[]): void {
    for (const { event } of records) this.#lines.done(event);
    this.#sendReady();
  }

  // Beside that: leases, expiry, clock jumps, and the end of the process.

  #check(): void {
    const { outbox, machineClock, log } = this.#needs;
    this.#cancelCheck = machineClock.after(checkEveryMs, () => this.#check());
    this.#checking = outbox
      .hold(this.#lines.ids())
      .then(() => this.#expire())
      .catch((error: unknown) => log.error({ err: error }, 'event leases could not be extended'))
      .finally(() => this.wake());
  }

  async #expire(): Promise<void> {
    const { outbox, machineClock, clock } = this.#needs;
    if (machineClock.elapsed() - this.#expiredAt < expireEveryMs) return;
    this.#expiredAt = machineClock.elapsed();
    await outbox.expire(clock.now());
  }

  #replan(): void {
    const { outbox, machineClock, clock, log } = this.#needs;
    this.#cancelReplan();
    this.#expiredAt = -Infinity;
    this.#cancelReplan = machineClock.after(replanEveryMs, () => this.#replan());
    // One at a time, and no claim meanwhile: one by the clock before a jump would date events after it.
    this.#replanning = this.#replanning
      .then(() => outbox.replan(clock.now))
      .catch((error: unknown) => log.error({ err: error }, 'scheduled times could not be checked after a clock jump'))
      .finally(() => this.wake());
  }

  /** Takes no more events, waits for ongoing attempts at most `drainMs`, and releases the rest (docs/delivery.md S14). */
  async close(drainMs: number): Promise<void> {
    const { outbox, machineClock, sender } = this.#needs;
    this.#isClosing = true;
    this.#cancelOnJump();
    this.#cancelReplan();
    await this.#replanning;
    await this.#polling;
    await outbox.release(this.#lines.waitingIds());
    await within(machineClock, drainMs, this.#allEnded());
    this.#isAborting = true;
    this.#cancelCheck();
    await this.#checking;
    await sender.close();
    await this.#allEnded();
    await this.#recorder.flush();
    await outbox.release(this.#lines.ids());
  }

  #allEnded(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#lines.openCount() === 0) resolve();
      else this.#onLastEnded = resolve;
    });
  }
}

const hostSilent = failure('host-silent', 0);

function isByHand(event: WaitingEvent): boolean {
  return event.is_resend !== 0 || event.kind === 'test';
}

/**
 * `gone`: 410, the receiver wants no more callbacks (docs/delivery.md S10). `final`: a retry cannot help. `once`: it helps if the
 * receiver is just being deployed.
 */
export type AttemptClass = 'delivered' | 'retry' | 'once' | 'final' | 'gone';

const retriedStatuses: readonly number[] = [408, 425, 429];
const retriedOnce: readonly number[] = [401, 403, 404];
const onceAfterSeconds = 60;

export function classifyAttempt({ status, error }: Pick<SendResult, 'status' | 'error'>): AttemptClass {
  if (status === null) return error === 'forbidden' ? 'final' : 'retry';
  if (status >= 200 && status < 300) return 'delivered';
  if (status === 410) return 'gone';
  if (retriedOnce.includes(status)) return 'once';
  return retriedStatuses.includes(status) || status >= 500 ? 'retry' : 'final';
}

const pausesMs = [10_000, 60_000, 300_000, 1_200_000];
const jitter = 0.2;

/** `attempts`: made so far, this one included. */
type RetryQuestion = { attempts: number; occurredAt: number; now: number; retryAfterSeconds: number | undefined };

/** `retries`: maximum attempts after the first. `timeoutMs`: maximum duration of an attempt. */
export type RetryRules = { retries: number; timeoutMs: number; random: () => number };

/**
 * Returns the time of the next attempt (docs/delivery.md S3), or undefined if there is none. All attempts end before the monitor's
 * next event is possible.
 */
export function nextAttemptAt(question: RetryQuestion, { retries, timeoutMs, random }: RetryRules): number | undefined {
  const pauseMs = pausesMs[question.attempts - 1];
  if (pauseMs === undefined || question.attempts > retries) return undefined;
  // Until it is sent, at most a fifth shorter or longer.
  const ownPauseMs = Math.round(pauseMs * (1 - jitter) + random() * (2 * jitter * pauseMs - checkEveryMs));
  const requestedPauseMs = (question.retryAfterSeconds ?? 0) * 1000;
  const at = question.now + Math.max(ownPauseMs, requestedPauseMs);
  const windowEnd = question.occurredAt + eventIntervalSeconds * 1000;
  return at + checkEveryMs + timeoutMs < windowEnd ? at : undefined;
}
