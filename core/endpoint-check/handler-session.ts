// The loop that fixes a webhook handler: relays requests to it and its response to the sender, names its bug, and checks it again when
// it restarts.
import { randomUUID } from 'node:crypto';
import {
  type Callback,
  type CallbackSend,
  type HandlerEntry,
  type HandlerSession as HandlerState,
  isAccepted,
  type ReceiverRules,
} from '@rainbell/contract/app-rpc';
import { rainAt } from '@rainbell/contract/service-api';
import { formatInstant, plural } from '@rainbell/shared';
import type { Parts } from '../app/feature.ts';
import { AppFailure } from '../errors/app-failure.ts';
import { standardWebhooks } from '../senders/sender-rows.ts';
import type { CheckOptions } from './check-cases.ts';
import { createCheckEvents } from './check-events.ts';
import { summaryLine } from './check-report.ts';
import { defaultTiming, openCheck } from './check-sender.ts';
import { diagnoseHandler } from './diagnose-handler.ts';
import { watchPort } from './watch-port.ts';

const devPath = '/dev';
/** Where the sandbox's monitor of this loop is. */
const place = { lat: 45.0703, lng: 7.6869 };
const maxEntries = 200;
/** A diagnosis sends hundreds of events, so its slow body is not as slow as that of the check. */
const diagnosisTiming = { ...defaultTiming, slowBodyMs: 600 };

export type HandlerWanted = { url: string; sender: string | null; secret: string | null };
/** Without what is added to each. */
type NewEntry = HandlerEntry extends infer Entry ? (Entry extends unknown ? Omit<Entry, 'number'> : never) : never;

export class HandlerSession {
  readonly #parts: Parts;
  readonly #wanted: HandlerWanted;
  /** For events that go to the receiver. */
  readonly #sample: CheckOptions;
  readonly #ending: AbortController;
  readonly #relaying = new Set<number>();
  readonly #watch: ReturnType<typeof watchPort>;
  #state: HandlerState;
  #monitorId: string | null;
  #checks = Promise.resolve();
  #waitingChecks = 0;
  #number = 0;
  #wasAccepted: boolean | undefined;

  /** Throws AppFailure INVALID_INPUT, and what making the sandbox's monitor throws. */
  static async start(parts: Parts, wanted: HandlerWanted): Promise<HandlerSession> {
    const { sender, secret } = wanted;
    const { baseUrl } = parts.receiver.state();
    if (baseUrl === null) throw new AppFailure('UNAVAILABLE', 'The callback receiver is not listening.');
    parts.sending.guard.requireAllowed(wanted.url);
    const url = `${baseUrl}${devPath}`;
    const ending = new AbortController();
    const how = { timing: defaultTiming, signal: ending.signal };
    const sample = await openCheck(parts, { url, sender, secret, monitorId: null }, how);
    createCheckEvents(sample);
    // A secret that was typed is not the sandbox's, so the sandbox's events would be refused.
    const isSandbox = sender === null && secret === null && (await parts.activeConnection.current()).isSandbox;
    const monitorId = isSandbox ? await monitorAt(parts, url) : null;
    await parts.addRule(holdingRule);
    return new HandlerSession(parts, wanted, { sample, ending, monitorId });
  }

  private constructor(
    parts: Parts,
    wanted: HandlerWanted,
    { sample, ending, monitorId }: { sample: CheckOptions; ending: AbortController; monitorId: string | null },
  ) {
    const { url, sender } = wanted;
    this.#parts = parts;
    this.#wanted = wanted;
    this.#sample = sample;
    this.#ending = ending;
    this.#monitorId = monitorId;
    this.#state = {
      id: randomUUID(),
      url,
      receiverUrl: sample.url,
      sender,
      canRain: monitorId !== null,
      checking: null,
      accepted: 0,
      refused: 0,
      entries: [],
    };
    parts.events.on('heldChanged', this.#relayHeld);
    this.#watch = watchPort(new URL(url), parts.clock, parts.sending.guard, () => this.#checkSoon(startedReason));
    this.check();
  }

  state(): HandlerState {
    return this.#state;
  }

  check(): void {
    this.#checkSoon('Checking');
  }

  async sendEvent(): Promise<void> {
    const { create, sign } = createCheckEvents(this.#sample);
    if (this.#monitorId !== null) await this.#parts.deliveries.sendTest(this.#monitorId);
    else await this.#sample.send(this.#sample.url, { ...sign(create()), sent: 'A sample event' });
  }

  async rain(): Promise<void> {
    const { deliveries, monitors, sandbox } = this.#parts;
    if (this.#monitorId === null) throw new AppFailure('UNAVAILABLE', 'Only the sandbox can make it rain.');
    const known = await deliveries.states();
    const own = known.isAvailable ? known.states.find((one) => one.monitor_id === this.#monitorId) : undefined;
    // A monitor in cool-down is replaced: if the sandbox's clock moved, right handlers would refuse its signatures.
    if (own?.next_event_allowed_at && own.next_event_allowed_at > (await sandbox.state()).clock.now) {
      await monitors.delete(this.#monitorId);
      this.#monitorId = await monitorAt(this.#parts, this.#state.receiverUrl);
    }
    await sandbox.addScenario(rainAt(place));
    this.#add({ kind: 'note', text: 'It rains in the sandbox.' });
  }

  /** With a new signature and ID; null for the callback's own body. */
  async replay(callbackId: number, bodyBase64: string | null): Promise<void> {
    const { callbacks, sends } = this.#parts;
    const { url: to, sender, secret } = this.#wanted;
    const callback = callbacks.get(callbackId);
    const { method, headers } = callback;
    const edited = bodyBase64 === null ? undefined : { method, headers, bodyBase64 };
    const signAs = secret === null ? undefined : { sender: sender ?? standardWebhooks.id, secret };
    const wanted = { id: callbackId, url: targetFor(to, callback), signing: 'new-id', signAs, edited } as const;
    this.#report(callback, await sends.replay(wanted, this.#ending.signal), true);
  }

  async stop(): Promise<void> {
    const { events, addRule } = this.#parts;
    this.#ending.abort();
    this.#watch.stop();
    events.off('heldChanged', this.#relayHeld);
    await addRule(null);
    this.#changed();
  }

  #changed(): void {
    this.#parts.screens.publish({ topic: 'handler' });
  }

  #add(entry: NewEntry): void {
    this.#number += 1;
    const entries = [...this.#state.entries.slice(1 - maxEntries), { ...entry, number: this.#number }];
    this.#state = { ...this.#state, entries };
    this.#changed();
  }

  /** What runs on its own reports why it failed. */
  #run(task: Promise<unknown>): void {
    task.catch((error: unknown) => {
      if (this.#ending.signal.aborted) return;
      if (!(error instanceof AppFailure)) this.#parts.log.error({ err: error }, 'developing a handler failed');
      this.#add({ kind: 'note', text: error instanceof Error ? error.message : String(error) });
    });
  }

  readonly #relayHeld = (): void => {
    const held = this.#parts.receiver.held().filter(({ rule }) => rule === holdingRule.name);
    for (const id of this.#relaying) if (!held.some(({ callbackId }) => callbackId === id)) this.#relaying.delete(id);
    for (const { callbackId } of held) {
      if (this.#relaying.has(callbackId)) continue;
      this.#relaying.add(callbackId);
      this.#run(this.#relay(callbackId));
    }
  };

  async #relay(callbackId: number): Promise<void> {
    const { callbacks, sends, receiver } = this.#parts;
    const callback = callbacks.get(callbackId);
    const url = targetFor(this.#wanted.url, callback);
    const sent = await sends.replay({ id: callbackId, url }, this.#ending.signal);
    const { outcome } = sent;
    const response =
      outcome.kind === 'answered'
        ? {
            status: outcome.status,
            headers: outcome.headers.filter(([name]) => !ownHeaders.test(name)).slice(0, 50),
            body: Buffer.from(outcome.bodyBase64, 'base64').toString(),
          }
        : { status: 502, headers: [], body: `${outcome.message}\n` };
    // The sender may have given up.
    await receiver.respondToHeld(callbackId, response).catch(() => {});
    const isOk = this.#report(callback, sent, false);
    if (isOk !== (this.#wasAccepted ?? isOk)) this.#checkSoon('The handler’s response changed');
    this.#wasAccepted = isOk;
  }

  /** Whether the handler responded with 2xx. */
  #report(callback: Callback, { outcome, tookMs }: CallbackSend, isReplay: boolean): boolean {
    const isAnswered = outcome.kind === 'answered';
    const isOk = isAccepted({ outcome });
    const { id, method, target, sender, eventType, monitorId, sizeBytes } = callback;
    const what = [sender, eventType ?? monitorId].filter(Boolean).join(' ') || `${sizeBytes} B`;
    const text = isAnswered && !isOk ? Buffer.from(outcome.bodyBase64, 'base64').toString() : '';
    if (!isReplay) this.#state[isOk ? 'accepted' : 'refused'] += 1;
    this.#add({
      kind: 'relayed',
      callbackId: id,
      isReplay,
      request: `${method} ${target.slice(0, 500)}  ${what}`,
      response: isAnswered ? `${outcome.status} after ${Math.round(tookMs)} ms` : outcome.message,
      isOk,
      excerpt: text.trim().slice(0, 200).replaceAll(/\s+/g, ' '),
    });
    return isOk;
  }

  /** After the one that runs; one that waits serves all that asked. */
  #checkSoon(reason: string): void {
    if (this.#waitingChecks > 1) return;
    this.#waitingChecks += 1;
    const { signal } = this.#ending;
    const next = this.#checks
      .then(() => (signal.aborted ? undefined : this.#checkOnce(reason)))
      .finally(() => (this.#waitingChecks -= 1));
    this.#run(next);
    this.#checks = next.catch(() => {});
  }

  async #checkOnce(reason: string): Promise<void> {
    const startedAt = formatInstant(this.#parts.clock.now());
    this.#state = { ...this.#state, checking: reason };
    this.#changed();
    const { signal } = this.#ending;
    const wanted = { ...this.#wanted, secret: this.#sample.secret, monitorId: this.#monitorId };
    const options = await openCheck(this.#parts, wanted, { timing: diagnosisTiming, signal });
    const { problems, cases, example } = await diagnoseHandler({
      ...options,
      responseMs: diagnosisTiming.responseMs,
    }).catch((error: unknown) => {
      if (signal.aborted || !(error instanceof AppFailure)) throw error;
      const problem = { cause: 'not-checked', does: error.message, should: 'Start again, and then check.' };
      return { problems: [problem], cases: [], example: null };
    });
    const isRight = problems.length === 0;
    const isUnreachable = problems[0]?.cause === 'unreachable';
    // A port that is open and ends connections would be checked for ever.
    if (isUnreachable && reason !== startedReason) this.#watch.sawDown();
    const counts = cases.length === 0 ? '' : ` ${summaryLine(cases)}.`;
    const found = isUnreachable
      ? 'no response'
      : isRight
        ? 'no bug found'
        : plural(problems.length, ['# bug found', '# bugs found']);
    const summary = `${reason}: ${found}.${counts}`;
    this.#state = { ...this.#state, checking: null };
    this.#add({ kind: 'checked', startedAt, isRight, summary, problems, example, cases });
  }
}

const startedReason = 'The handler started';

/** Holds requests to the path until the handler responds. A rule of the user that matches, too, comes first. */
const holdingRule: ReceiverRules['rules'][number] = {
  name: 'rainbell dev',
  isOn: true,
  method: null,
  path: `${devPath}*`,
  condition: '',
  limit: null,
  failure: null,
  steps: [{ kind: 'hold', delayMs: 30_000 }],
  afterLast: 'stay',
};

/** Headers of the connection between Rainbell and the handler. */
const ownHeaders = /^(connection|keep-alive|transfer-encoding|content-length|content-encoding|trailer|upgrade)$/i;

/** With what follows the path of this loop, and the query. */
function targetFor(to: string, { target }: Callback): string {
  const [path = '', query] = target.split(/\?(.*)/s, 2);
  const url = new URL(to);
  url.pathname = url.pathname.replace(/\/$/, '') + path.replace(/^.*?\/dev/, '');
  if (query !== undefined) url.search = query;
  return url.href;
}

/** Returns the ID of the sandbox's monitor with this callback URL: an existing one, or a new one. */
async function monitorAt({ monitors }: Parts, url: string): Promise<string> {
  const { monitors: known } = await monitors.list();
  const found = known.find(({ callbackUri }) => callbackUri === url);
  return (found ?? (await monitors.create({ geo: place, callback: { kind: 'address', uri: url } }))).id;
}
