// Detects that monitors' deliveries were turned off or fail, even if no window is open. Reads the service's delivery states, including
// those that a screen requested, and notifies of what fails by host, at most once an hour.
import { type Clock, plural, visibleText } from '@rainbell/shared';
import { listIds } from '../notifications/list-ids.ts';
import type { DeliveryStates, MonitorDelivery } from '@rainbell/contract/app-rpc';
import { pausedReason } from '@rainbell/contract/service-api';
import type { Notified } from './open-deliveries.ts';
import type { UserNotice } from '../ports/host.ts';

type DeliveryWatchDependencies = {
  readStates: () => Promise<DeliveryStates>;
  /** Whether a poll would succeed without signing in or starting anything. */
  canLook: () => boolean;
  /** The active connection; after a change, the first states are compared with nothing. */
  connectionId: () => string;
  mayNotify: () => boolean;
  isQuiet: Notified['isQuiet'];
  callbackOf: (monitorId: string) => string | undefined;
  notify: (notice: UserNotice) => void;
  clock: Clock;
};

const lookEveryMs = 60_000;
/** For a service without a delivery log, or an application without monitors. */
const lookRarelyMs = 5 * 60_000;
/** Failed events of the monitors of one host. */
const failingFrom = 2;
/** Monitors of one host whose last attempt failed. */
const failingTogether = 10;
/** Minimum time between reports of a host. */
const againAfterMs = 60 * 60_000;

/** `host`: the monitor's ID if its callback is unknown. `troubled`: their last event or attempt failed. */
type FailingHost = { host: string; troubled: MonitorDelivery[]; failing: MonitorDelivery[] };

export function createDeliveryWatch(dependencies: DeliveryWatchDependencies) {
  const { readStates, canLook, connectionId, mayNotify, isQuiet, notify, clock } = dependencies;
  let seenOf: string | undefined;
  /** What is known to be wrong with a monitor, from the first poll of a connection or a notification. */
  let known: ReadonlyMap<string, 'off' | 'failing'> = new Map();
  const reportedAt = new Map<string, number>();
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
    // What is new then is reported when it may be.
    if (!isFirst && !mayNotify()) return;
    const off = states.filter((state) => !state.is_on && state.off_reason !== pausedReason);
    const hosts = failingHosts(states.filter((state) => state.is_on));
    const next = new Map<string, 'off' | 'failing'>(off.map((state) => [state.monitor_id, 'off']));
    for (const { failing } of hosts) for (const state of failing) next.set(state.monitor_id, 'failing');
    const isNew = ({ monitor_id: id }: MonitorDelivery) =>
      !isQuiet(id) && known.get(id) !== 'off' && known.get(id) !== next.get(id);
    if (!isFirst) {
      const newlyOff = off.filter(isNew);
      if (newlyOff.length > 0) notify(offNotice(newlyOff));
      const fresh = hosts.filter(({ failing }) => failing.some(isNew));
      const isDue = ({ host }: FailingHost) => lookedAt - (reportedAt.get(host) ?? -Infinity) >= againAfterMs;
      const due = fresh.filter(isDue);
      // The others stay new until the hour is over.
      const early = fresh.filter((host) => !isDue(host)).flatMap(({ failing }) => failing.filter(isNew));
      for (const state of early) next.delete(state.monitor_id);
      for (const { host, troubled } of due) {
        reportedAt.set(host, lookedAt);
        for (const state of troubled) next.set(state.monitor_id, 'failing');
      }
      if (due.length > 0) notify(failingNotice(due.map(({ host, troubled }) => [host, troubled.filter(isNew)])));
    }
    seenOf = connectionId();
    known = next;
  }

  function failingHosts(states: readonly MonitorDelivery[]): FailingHost[] {
    const all = states.filter((state) => state.failed_in_a_row > 0 || (state.last_attempt?.error ?? null) !== null);
    const byHost = Map.groupBy(all, ({ monitor_id: id }) => URL.parse(dependencies.callbackOf(id) ?? '')?.host ?? id);
    return [...byHost].flatMap(([host, troubled]) => {
      if (troubled.length >= failingTogether) return { host, troubled, failing: troubled };
      const failed = troubled.reduce((sum, state) => sum + state.failed_in_a_row, 0);
      if (failed < failingFrom) return [];
      return { host, troubled, failing: troubled.filter((state) => state.failed_in_a_row > 0) };
    });
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

function offNotice(states: readonly MonitorDelivery[]): UserNotice {
  const ids = states.map((state) => visibleText(state.monitor_id, 60));
  const [id = ''] = ids;
  const target = targetOf(states);
  if (states.length > 1) return { title: `Delivery for ${ids.length} monitors is off`, body: listIds(ids), target };
  const reason = visibleText(states[0]?.off_reason ?? lastError(states[0]), 120);
  return {
    title: `Delivery for ${id} is off`,
    body: joinSentences([reason, 'Turn it back on in Monitors.']),
    target,
  };
}

/** Hosts, each with its monitors that have newly failed. */
function failingNotice(hosts: readonly (readonly [string, readonly MonitorDelivery[]])[]): UserNotice {
  const states = hosts.flatMap(([, of]) => of);
  const ids = states.map((state) => visibleText(state.monitor_id, 60));
  const names = hosts.map(([host]) => visibleText(host, 60));
  const [id = '', name = ''] = [ids[0], names[0]];
  const lastResponse = lastError(states[0]);
  const target = targetOf(states);
  if (states.length === 1) {
    const failed = plural(states[0]?.failed_in_a_row ?? 0, [
      '# event has failed in a row.',
      '# events have failed in a row.',
    ]);
    return { title: `Callbacks for ${id} are failing`, body: joinSentences([failed, lastResponse]), target };
  }
  return hosts.length === 1
    ? {
        title: `Callbacks to ${name} are failing: ${ids.length} monitors so far`,
        body: joinSentences([`Monitors: ${listIds(ids)}.`, lastResponse]),
        target,
      }
    : {
        title: `Callbacks for ${ids.length} monitors are failing`,
        body: joinSentences([`${listIds(names)}.`, lastResponse]),
        target,
      };
}

function targetOf(states: readonly MonitorDelivery[]): UserNotice['target'] {
  return states[0] ? { kind: 'monitor', id: states[0].monitor_id } : null;
}

function joinSentences(sentences: readonly string[]): string {
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

function lastError(state: MonitorDelivery | undefined): string {
  const last = state?.last_attempt;
  if (!last) return '';
  if (last.http_status !== null) return `Last response: ${last.http_status}.`;
  return last.error === null ? '' : `Last error: ${last.error}.`;
}
