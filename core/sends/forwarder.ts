// Forwards new callbacks to the enabled targets, and again after a failure if the target has retries. It reads them from the store after
// their senders got their responses, so no target delays a sender, and a slow target only falls behind. Forwarded callbacks carry a header
// and are not forwarded again, so two apps cannot loop.
import { isDeepStrictEqual } from 'node:util';
import { type Clock, formatInstant } from '@rainbell/shared';
import { pause } from '@rainbell/shared/node';
import {
  type ForwardState,
  type ForwardTarget,
  type HeaderList,
  isAccepted,
  type SendOutcome,
} from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import type { Log } from '../ports/log.ts';
import { headerOf } from '../http/http-headers.ts';
import type { CallbackPages } from '../receiver/records/callback-pages.ts';
import type { StoredCallback } from '../receiver/records/stored-callback.ts';
import { fitsPath, originForm, pathOf } from '../receiver/requests/path-pattern.ts';
import { type CallbackIndex, hasOtherWay } from '../callbacks/callback-index.ts';
import type { SenderFacts } from '../callbacks/sender-facts.ts';
import type { CallbackSends, NewSend } from '../callbacks/callback-sends.ts';
import type { RequestSender } from '../http/send-request.ts';

const forwardedMark = 'x-rainbell-forwarded';
const inFlightPerTarget = 4;
/** How many callbacks are read before other work gets its turn. */
const maxSeen = 1000;
const responseLimitBytes = 4096;
/** Delay before the first retry; it doubles with each. */
const firstRetryMs = 1000;

type Lane = {
  target: ForwardTarget;
  /** All up to here are sent, in progress, or unwanted. */
  cursor: number;
  inFlight: number;
  counts: Pick<ForwardState, 'sent' | 'accepted' | 'failed'>;
  last: ForwardState['last'];
};

type ForwarderDependencies = {
  targets: () => readonly ForwardTarget[];
  pages: Pick<CallbackPages, 'get' | 'counts'>;
  index: Pick<CallbackIndex, 'sameEvent'>;
  sender: RequestSender;
  facts: Pick<SenderFacts, 'sign'>;
  /** Of a target with a sender; empty if there is none, or none can be read. */
  secretOf: (target: ForwardTarget) => string;
  sends: CallbackSends;
  clock: Clock;
  log: Log;
  onChanged: () => void;
};

export function createForwarder(dependencies: ForwarderDependencies) {
  const { clock, pages } = dependencies;
  // Notices come somewhat later than callbacks are stored.
  let { newestId } = pages.counts();
  const closing = new AbortController();
  const isClosed = () => closing.signal.aborted;
  const lanes = new Map<string, Lane>();
  apply();

  function apply(): void {
    const targets = dependencies.targets();
    for (const id of lanes.keys()) if (!targets.some((target) => target.id === id)) lanes.delete(id);
    for (const target of targets) {
      const known = lanes.get(target.id);
      if (known && isDeepStrictEqual(known.target, target)) continue;
      newestId = Math.max(newestId, pages.counts().newestId);
      const counts = { sent: 0, accepted: 0, failed: 0 };
      lanes.set(target.id, { target, cursor: newestId, inFlight: 0, counts, last: null });
    }
  }

  function pump(lane: Lane): void {
    if (isClosed() || !lane.target.isOn || lanes.get(lane.target.id) !== lane) return;
    for (let seen = 0; lane.inFlight < inFlightPerTarget && lane.cursor < newestId; seen += 1) {
      if (seen === maxSeen) return void clock.after(0, () => pump(lane));
      lane.cursor += 1;
      const callback = pages.get(lane.cursor);
      // An event received by the feed and as a request is forwarded once.
      const isNew = callback && isWanted(lane.target, callback) && !hasOtherWay(callback, dependencies);
      if (isNew) void forward(lane, callback);
    }
  }

  async function forward(lane: Lane, callback: StoredCallback): Promise<void> {
    lane.inFlight += 1;
    lane.counts.sent += 1;
    const send = await sendUntilAccepted(lane, callback);
    if (isClosed()) return;
    lane.inFlight -= 1;
    const isOk = isAccepted(send);
    lane.counts[isOk ? 'accepted' : 'failed'] += 1;
    lane.last = { at: formatInstant(clock.now()), message: formatOutcome(send), isOk };
    pump(lane);
  }

  /** Resolves with the last attempt; each is kept. */
  async function sendUntilAccepted(lane: Lane, callback: StoredCallback): Promise<NewSend> {
    let lastHeaders: HeaderList | undefined;
    for (let attempt = 0; ; attempt += 1) {
      const send = await sendOne(lane.target, callback, dependencies, lastHeaders);
      lastHeaders = send.headers;
      if (isClosed()) return send;
      dependencies.sends.add(send);
      dependencies.onChanged();
      if (attempt >= lane.target.retries || !isRetried(send.outcome)) return send;
      await pause(clock, firstRetryMs * 2 ** attempt, closing.signal);
      // A target that was changed, turned off or removed meanwhile gets nothing more.
      if (isClosed() || lanes.get(lane.target.id) !== lane) return send;
    }
  }

  return {
    arrived(id: number) {
      newestId = Math.max(newestId, id);
      for (const lane of lanes.values()) pump(lane);
    },
    /** The targets as `targets()` gives them now. One that is new, changed or switched on begins with the next callback. */
    apply,
    states: (): ForwardState[] =>
      [...lanes.values()].map(({ target, cursor, inFlight, counts, last }) => ({
        ...target,
        ...counts,
        waiting: target.isOn ? newestId - cursor + inFlight : 0,
        hasSecret: dependencies.secretOf(target) !== '',
        last,
      })),
    close() {
      closing.abort();
    },
  };
}

function withAdded(headers: HeaderList, added: HeaderList): HeaderList {
  const names = new Set(added.map(([name]) => name.toLowerCase()));
  return [...headers.filter(([name]) => !names.has(name.toLowerCase())), ...added];
}

/** `lastHeaders`: of the previous attempt, so that a retry has the same ID. */
async function sendOne(
  target: ForwardTarget,
  callback: StoredCallback,
  { clock, facts, log, secretOf, sender }: ForwarderDependencies,
  lastHeaders?: HeaderList,
): Promise<NewSend> {
  const { id: callbackId, method, body } = callback;
  const url = forwardUrl(target, callback.target);
  const sent = { kind: 'forward', callbackId, method, url } as const;
  let headers = lastHeaders ?? withAdded(callback.headers, [...target.headers, [forwardedMark, '1']]);
  const startedAt = clock.now();
  const elapsedAtStart = clock.elapsed();
  try {
    const { signing } = target;
    const signAs = target.sender === null ? undefined : { sender: target.sender, secret: secretOf(target) };
    if (signing !== 'as-received' && !lastHeaders)
      headers = await facts.sign(callback, { headers, body, url }, signing, clock, signAs);
    const finished = await sender.send({ method, url, headers, body }, responseLimitBytes);
    return { ...finished, ...sent };
  } catch (error) {
    const message = error instanceof AppFailure ? error.message : 'Internal error in Rainbell; see the log file.';
    if (!(error instanceof AppFailure)) log.error({ err: error }, 'a callback could not be forwarded');
    const tookMs = clock.elapsed() - elapsedAtStart;
    const kind = error instanceof AppFailure ? 'skipped' : 'failed';
    return { ...sent, headers, startedAt, tookMs, outcome: { kind, message } };
  }
}

/** Nothing was received, or the target is busy or broken for now. */
function isRetried(outcome: SendOutcome): boolean {
  if (outcome.kind !== 'answered') return outcome.kind === 'failed';
  return outcome.status >= 500 || [408, 425, 429].includes(outcome.status);
}

function isWanted(target: ForwardTarget, callback: StoredCallback): boolean {
  return (
    !callback.isImported &&
    !callback.refusal &&
    headerOf(callback.headers, forwardedMark) === undefined &&
    fitsPath(target.path, pathOf(callback.target))
  );
}

/** With `keepsPath`, appends the callback's path and query to the target's URL. */
export function forwardUrl(
  { url, keepsPath }: Pick<ForwardTarget, 'url' | 'keepsPath'>,
  callbackTarget: string,
): string {
  const base = URL.parse(url);
  const path = originForm(callbackTarget);
  if (!keepsPath || !base || !path.startsWith('/')) return url;
  // Everything that was received is path or query.
  return `${base.origin}${base.pathname.replace(/\/$/, '')}${path.replaceAll('#', '%23')}`;
}

function formatOutcome({ outcome, tookMs }: NewSend): string {
  return outcome.kind === 'answered'
    ? `Responded with ${outcome.status} in ${Math.round(tookMs)} ms.`
    : outcome.message;
}
