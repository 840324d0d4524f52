// Which event is sent next, decided without I/O: one line per host, a ring over the hosts, at most a few at once to one
// host and one at once per monitor (docs/delivery.md S12). A send that takes long gives its place back, so slow hosts
// delay nobody.
import type { WaitingEvent } from './outbox.ts';

export type LineLimits = {
  /** Sends at once that have just begun. */
  fresh: number;
  /** Sends at once in all, slow ones included. */
  open: number;
  perHost: number;
  /** Fresh sends and answered ones that are not written down yet: what a crash may send a second time. */
  unrecorded: number;
  /** Hosts that get one attempt at a time. */
  isDoubtful?: (host: string) => boolean;
};

type Line = { waiting: WaitingEvent[]; open: number };

export type HostQueues = {
  add(events: readonly WaitingEvent[]): void;
  /** The next event that may be sent now; it counts as open from here on. */
  next(): WaitingEvent | undefined;
  /** The send is still open, but no longer counts as fresh. */
  becameSlow(event: WaitingEvent): void;
  /** The send is over: its host and its monitor may be called again. */
  answered(event: WaitingEvent): void;
  /** What came of it is written down, so the event may be forgotten. */
  done(event: WaitingEvent): void;
  /** Everything that this process has taken and not yet written down. */
  ids(): string[];
  waitingIds(): string[];
  waitingCount(): number;
  openCount(): number;
  /** Hosts with so many events in line that taking more of theirs would only crowd out others. */
  fullHosts(): string[];
  /** Whether a line that was full has become short since this was last asked. */
  hasRoomAgain(): boolean;
};

const fullLine = 64;
const shortLine = 16;

export function createHostQueues(limits: LineLimits): HostQueues {
  const lines = new Map<string, Line>();
  const events = new Map<string, WaitingEvent>();
  const busyMonitors = new Set<string>();
  let openCount = 0;
  /** Of those that are open; few, while most are over before they are slow. */
  const slow = new Set<string>();
  /** Hosts that could send now, in the order of their turns. */
  const ring = new Set<string>();
  /** Hosts whose waiting events all belong to monitors that are being called; rare, so looked at again after each send. */
  const blocked = new Set<string>();
  const full = new Set<string>();
  let waitingCount = 0;
  let gotRoom = false;

  function offerTurn(host: string, line: Line): void {
    const most = limits.isDoubtful?.(host) ? 1 : limits.perHost;
    if (line.waiting.length > 0 && line.open < most) ring.add(host);
  }

  function takeFrom(line: Line): WaitingEvent | undefined {
    const index = line.waiting.findIndex((event) => !busyMonitors.has(event.monitor_id));
    if (index === -1) return undefined;
    waitingCount -= 1;
    // Unlike `splice`, `shift` does not move the whole of a long line.
    const event = index === 0 ? line.waiting.shift() : line.waiting.splice(index, 1)[0];
    if (event && line.waiting.length < shortLine && full.delete(event.host)) gotRoom = true;
    return event;
  }

  function start(event: WaitingEvent, line: Line): WaitingEvent {
    line.open += 1;
    openCount += 1;
    busyMonitors.add(event.monitor_id);
    offerTurn(event.host, line);
    return event;
  }

  return {
    add(added) {
      for (const event of added) {
        if (events.has(event.id)) continue;
        events.set(event.id, event);
        const line = lines.get(event.host) ?? { waiting: [], open: 0 };
        lines.set(event.host, line);
        line.waiting.push(event);
        waitingCount += 1;
        if (line.waiting.length >= fullLine) full.add(event.host);
        offerTurn(event.host, line);
      }
    },

    next() {
      const fresh = openCount - slow.size;
      if (fresh >= limits.fresh || openCount >= limits.open) return undefined;
      const unwritten = events.size - waitingCount - openCount;
      if (fresh + unwritten >= limits.unrecorded) return undefined;
      for (const host of ring) {
        ring.delete(host);
        const line = lines.get(host);
        const event = line && takeFrom(line);
        if (line && event) return start(event, line);
        blocked.add(host);
      }
      return undefined;
    },

    becameSlow: (event) => void slow.add(event.id),

    answered(event) {
      openCount -= 1;
      slow.delete(event.id);
      busyMonitors.delete(event.monitor_id);
      const line = lines.get(event.host);
      if (!line) return;
      line.open -= 1;
      if (line.open === 0 && line.waiting.length === 0) lines.delete(event.host);
      offerTurn(event.host, line);
      for (const host of blocked) {
        const other = lines.get(host);
        if (other) offerTurn(host, other);
      }
      blocked.clear();
    },

    done: (event) => void events.delete(event.id),
    ids: () => [...events.keys()],
    waitingIds: () => [...lines.values()].flatMap((line) => line.waiting.map((event) => event.id)),
    waitingCount: () => waitingCount,
    openCount: () => openCount,
    fullHosts: () => [...full],
    hasRoomAgain() {
      const answer = gotRoom;
      gotRoom = false;
      return answer;
    },
  };
}
