// Detects that monitors' deliveries were turned off or fail, even if no window is open. Reads the service's delivery states, including
// those that a screen requested, and notifies of what fails together once: within an hour of the first failure, by host.
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
  isQuiet: Notified['isQuiet'];
  /** The callback URL of a monitor, if it is known. */
  callbackOf: (monitorId: string) => string | undefined;
  notify: (notice: UserNotice) => void;
  clock: Clock;
};

const lookEveryMs = 60_000;
/** For a service without a delivery log, or an application without monitors. */
const lookRarelyMs = 5 * 60_000;
/** Failed events, of one monitor or of several. */
const failingFrom = 2;
/** Monitors of one host whose last attempt failed. */
const failingTogether = 10;
/** Retries of events that fail together end up to 11 min apart. */
const gatherMs = 15 * 60_000;
/** Minimum time between reports of a host, or of a monitor that fails on and off. */
const againAfterMs = 60 * 60_000;

/** `host`: the monitor's ID if its callback is unknown. `isCrowded`: of a host where ten monitors or more fail. */
type Problem = { state: MonitorDelivery; kind: 'off' | 'failing'; host: string; isCrowded: boolean };
/** What the user was shown of a monitor; `since`: when a problem was seen that was not reported yet. */
type Known = { kind: Problem['kind'] | undefined; reportedAt: number; since: number };

export function createDeliveryWatch(dependencies: DeliveryWatchDependencies) {
  const { readStates, canLook, connectionId, mayNotify, isQuiet, notify, clock } = dependencies;
  let seenOf: string | undefined;
  /** By monitor: from the first poll of a connection, or a notification. */
  let known = new Map<string, Known>();
  let reportedHosts = new Map<string, number>();
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
    if (isFirst) [known, reportedHosts] = [new Map(), new Map()];
    seenOf = connectionId();
    const problems = problemsOf(states);
    const next: typeof known = new Map();
    const fresh: Problem[] = [];
    for (const { monitor_id: monitorId } of states) {
      const problem = problems.get(monitorId);
      const before = known.get(monitorId) ?? { kind: undefined, reportedAt: -Infinity, since: Infinity };
      const isWorse = problem && problem.kind !== before.kind && before.kind !== 'off';
      const isRepeated = problem?.kind === 'failing' && lookedAt - before.reportedAt < againAfterMs;
      if (isFirst || !isWorse || isRepeated || isQuiet(monitorId)) {
        next.set(monitorId, { ...before, kind: problem?.kind, since: Infinity });
      } else {
        fresh.push(problem);
        next.set(monitorId, { ...before, since: Math.min(before.since, lookedAt) });
      }
    }
    known = next;
    const due = mayNotify() ? dueOf(fresh, [...problems.values()]) : [];
    for (const { state, kind, host } of due) {
      known.set(state.monitor_id, { kind, reportedAt: lookedAt, since: Infinity });
      reportedHosts.set(host, lookedAt);
    }
    if (due.length > 0) notify(noticeOf(due));
  }

  /** A host that answers nothing at all is reported at once; events that failed, together. */
  function dueOf(fresh: readonly Problem[], all: readonly Problem[]): readonly Problem[] {
    const failing = fresh.filter(
      ({ kind, host }) => kind === 'failing' && lookedAt - (reportedHosts.get(host) ?? -Infinity) >= againAfterMs,
    );
    const failed = all.reduce((sum, { state }) => sum + state.failed_in_a_row, 0);
    const since = Math.min(...failing.map(({ state }) => known.get(state.monitor_id)?.since ?? lookedAt));
    const isGathered = failed >= failingFrom && lookedAt - since >= gatherMs;
    const isDue = isGathered || failing.some(({ state }) => state.failed_in_a_row >= failingFrom);
    return fresh.filter(
      (problem) => problem.kind === 'off' || (failing.includes(problem) && (isDue || problem.isCrowded)),
    );
  }

  function problemsOf(states: readonly MonitorDelivery[]): ReadonlyMap<string, Problem> {
    const troubled = states
      .filter((state) => state.off_reason !== pausedReason)
      .filter((state) => !state.is_on || state.failed_in_a_row > 0 || (state.last_attempt?.error ?? null) !== null)
      .map((state) => ({ state, host: hostOf(dependencies.callbackOf(state.monitor_id)) ?? state.monitor_id }));
    const byHost = Map.groupBy(troubled, ({ host }) => host);
    const problems = troubled.map(({ state, host }): Problem => {
      const isCrowded = (byHost.get(host)?.length ?? 0) >= failingTogether;
      return { state, host, isCrowded, kind: state.is_on ? 'failing' : 'off' };
    });
    const isProblem = ({ state, kind, isCrowded }: Problem) => kind === 'off' || state.failed_in_a_row > 0 || isCrowded;
    return new Map(problems.filter(isProblem).map((problem) => [problem.state.monitor_id, problem]));
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

function hostOf(callbackUri: string | undefined): string | undefined {
  return callbackUri !== undefined && URL.canParse(callbackUri) ? new URL(callbackUri).host : undefined;
}

function noticeOf(problems: readonly Problem[]): UserNotice {
  const [first] = problems;
  const target = first ? ({ kind: 'monitor', id: first.state.monitor_id } as const) : null;
  if (first && problems.length === 1) {
    const id = visibleText(first.state.monitor_id, 60);
    const reason = visibleText(first.state.off_reason ?? lastError(first.state), 120);
    if (first.kind === 'failing') {
      const count = plural(first.state.failed_in_a_row, [
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
  const byHost = [...Map.groupBy(problems, ({ host }) => host)].toSorted(
    (one, other) => other[1].length - one[1].length,
  );
  const ids = problems.map(({ state }) => visibleText(state.monitor_id, 60));
  if (problems.some(({ kind }) => kind === 'off')) {
    const isAll = problems.every(({ kind }) => kind === 'off');
    const title = isAll
      ? `Delivery for ${problems.length} monitors is off`
      : `Callbacks for ${problems.length} monitors are failing or off`;
    return { title, body: listIds(ids), target };
  }
  const lastResponse = first ? lastError(first.state) : '';
  if (problems.some(({ state, host }) => host === state.monitor_id)) {
    const title = `Callbacks for ${problems.length} monitors are failing`;
    return { title, body: joinSentences([`${listIds(ids)}.`, lastResponse]), target };
  }
  const hosts = byHost.map(([host]) => visibleText(host, 60));
  const title =
    hosts.length === 1
      ? `Callbacks to ${hosts[0]} are failing: ${problems.length} monitors so far`
      : `Callbacks to ${hosts.length} hosts are failing: ${problems.length} monitors so far`;
  const list =
    hosts.length === 1
      ? plural(ids.length, ['Monitor: {ids}.', 'Monitors: {ids}.'], { ids: listIds(ids) })
      : `${listIds(hosts)}.`;
  return { title, body: joinSentences([list, lastResponse]), target };
}

function joinSentences(sentences: readonly string[]): string {
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

function lastError({ last_attempt: last }: MonitorDelivery): string {
  if (!last) return '';
  if (last.http_status !== null) return `Last response: ${last.http_status}.`;
  return last.error === null ? '' : `Last error: ${last.error}.`;
}
