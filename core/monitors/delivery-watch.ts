// Detects that a monitor's delivery was turned off or keeps failing, even if no window is open. Reads the service's delivery
// states, including those that a screen requested, and groups the results of one poll into one notification.
import { type Clock, plural, visibleText } from '@rainbell/shared';
import { listIds } from '../notifications/list-ids.ts';
import type { DeliveryStates, MonitorDelivery } from '@rainbell/contract/app-rpc';
import { pausedReason } from '@rainbell/contract/service-api';
import type { Notified } from './open-deliveries.ts';
import type { UserNotice } from '../ports/host.ts';

type DeliveryWatchDependencies = {
  /** Fetches them from the service of the active connection. */
  readStates: () => Promise<DeliveryStates>;
  /** Whether a poll would succeed without signing in or starting anything. */
  canLook: () => boolean;
  /** The active connection; after a change, the first states are compared with nothing. */
  connectionId: () => string;
  mayNotify: () => boolean;
  /** Leaves out silenced monitors, and those of a front that the user was notified of (core/fronts). */
  tell: Notified['filter'];
  notify: (notice: UserNotice) => void;
  clock: Clock;
};

const lookEveryMs = 60_000;
/** For a service without a delivery log, or an application without monitors. */
const lookRarelyMs = 5 * 60_000;
/** Events in a row of which every attempt failed. */
const failingFrom = 2;
/** Minimum time between reports of a callback that fails on and off. */
const againAfterMs = 60 * 60_000;

type Problem = { state: MonitorDelivery; kind: 'off' | 'failing' };

export function createDeliveryWatch(dependencies: DeliveryWatchDependencies) {
  const { readStates, canLook, connectionId, mayNotify, tell, notify, clock } = dependencies;
  let seenOf: string | undefined;
  /** By monitor, what the user was shown: by the first poll of a connection, or by a notification. */
  let known = new Map<string, { kind: Problem['kind'] | undefined; reportedAt: number }>();
  let lookedAt = clock.elapsed();
  let delayMs = lookEveryMs;
  let isClosed = false;
  let cancelTimer = clock.after(delayMs, run);

  function run(): void {
    const isFresh = clock.elapsed() - lookedAt < lookEveryMs / 2;
    const looking = isFresh || !canLook() || !mayNotify() ? Promise.resolve() : readStates().then(look);
    // The screens report what is wrong with the service.
    void looking
      .catch(() => {})
      .finally(() => {
        if (!isClosed) cancelTimer = clock.after(delayMs, run);
      });
  }

  function look(log: DeliveryStates): void {
    lookedAt = clock.elapsed();
    const states = log.isAvailable ? log.states : [];
    delayMs = states.length === 0 ? lookRarelyMs : lookEveryMs;
    const isFirst = seenOf !== connectionId();
    if (isFirst) known = new Map();
    seenOf = connectionId();
    const fresh: Problem[] = [];
    const next: typeof known = new Map();
    for (const state of states) {
      const kind = problemOf(state);
      const before = known.get(state.monitorId) ?? { kind: undefined, reportedAt: -Infinity };
      const isWorse = kind !== undefined && kind !== before.kind && before.kind !== 'off';
      const isRepeated = kind === 'failing' && lookedAt - before.reportedAt < againAfterMs;
      if (isFirst || !isWorse || isRepeated) {
        next.set(state.monitorId, { ...before, kind });
      } else if (mayNotify()) {
        fresh.push({ state, kind });
        next.set(state.monitorId, { kind, reportedAt: lookedAt });
      } else {
        // Reported when quiet hours are over.
        next.set(state.monitorId, before);
      }
    }
    known = next;
    if (fresh.length === 0) return;
    const { states: wanted, frontSize } = tell(fresh.map(({ state }) => state));
    const problems = fresh.filter(({ state }) => wanted.includes(state));
    if (problems.length > 0) notify(noticeOf(problems, frontSize));
  }

  return {
    /** States that were read for another reason; they save the next look. */
    look,
    close() {
      isClosed = true;
      cancelTimer();
    },
  };
}

function problemOf({ isOn, offReason, failedInARow }: MonitorDelivery): Problem['kind'] | undefined {
  if (offReason === pausedReason) return undefined;
  if (!isOn) return 'off';
  return failedInARow >= failingFrom ? 'failing' : undefined;
}

function noticeOf(problems: readonly Problem[], frontSize: number | null): UserNotice {
  const [first] = problems;
  const target = first ? ({ kind: 'monitor', id: first.state.monitorId } as const) : null;
  if (first && problems.length === 1) {
    const id = visibleText(first.state.monitorId, 60);
    const reason = visibleText(first.state.offReason ?? lastError(first.state), 120);
    if (first.kind === 'failing') {
      const count = plural(first.state.failedInARow, [
        '# event has failed in a row.',
        '# events have failed in a row.',
      ]);
      return { title: `Callbacks for ${id} are failing`, body: joinSentences([count, reason]), target };
    }
    return {
      title: `Delivery for ${id} is off`,
      body: joinSentences([reason, 'Turn it back on in Monitors.']),
      target,
    };
  }
  const ids = problems.map(({ state }) => visibleText(state.monitorId, 60));
  return { title: groupTitle(problems, frontSize), body: listIds(ids), target };
}

function groupTitle(problems: readonly Problem[], frontSize: number | null): string {
  const count = problems.length;
  if (problems.every(({ kind }) => kind === 'off')) {
    return frontSize === null
      ? `Delivery for ${count} monitors is off`
      : `Rain front: delivery for ${count} of ${frontSize} monitors is off`;
  }
  if (problems.every(({ kind }) => kind === 'failing')) {
    return frontSize === null
      ? `Callbacks for ${count} monitors are failing`
      : `Rain front: callbacks for ${count} of ${frontSize} monitors are failing`;
  }
  return frontSize === null
    ? `Callbacks for ${count} monitors are failing or off`
    : `Rain front: callbacks for ${count} of ${frontSize} monitors are failing or off`;
}

function joinSentences(sentences: readonly string[]): string {
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

function lastError({ lastAttempt }: MonitorDelivery): string {
  if (!lastAttempt) return '';
  if (lastAttempt.httpStatus !== null) return `Last response: ${lastAttempt.httpStatus}.`;
  return lastAttempt.error === null ? '' : `Last error: ${lastAttempt.error}.`;
}
