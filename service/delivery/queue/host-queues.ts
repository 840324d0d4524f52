// Decides which event is sent next, without I/O: one queue per host, round robin over hosts, with a limit per host and one attempt at
// a time per monitor (docs/delivery.md S12). A slow attempt gives its slot back, so slow hosts delay no others.
import type { WaitingEvent } from '../schema/tables.ts';

export type LineLimits = {
  /** Maximum number of recently started attempts. */
  fresh: number;
  /** Maximum concurrent attempts, including slow ones. */
  open: number;
  perHost: number;
  /** Fresh attempts, and responses not stored yet: what a crash may send twice. */
  unrecorded: number;
  /** Hosts that get one attempt at a time. */
  isDoubtful?: (host: string) => boolean;
};

type Line = { waiting: WaitingEvent[]; open: number };

export type HostQueues = {
  add(events: readonly WaitingEvent[]): void;
  /** Returns the next event that may be sent now and counts it as open. */
  next(): WaitingEvent | undefined;
  /** Marks an attempt as slow: still open, but not fresh anymore. */
  becameSlow(event: WaitingEvent): void;
  /** Ends an attempt: its host and its monitor are available again. */
  responded(event: WaitingEvent): void;
  /** Removes an event whose result is stored. */
  done(event: WaitingEvent): void;
  /** Returns the IDs of all events that this process has taken and not yet recorded. */
  ids(): string[];
  waitingIds(): string[];
  waitingCount(): number;
  openCount(): number;
  /** Returns hosts with queues so long that taking more of their events would only crowd out others. */
  fullHosts(): string[];
  /** Whether a full queue has become short since the previous call. */
  hasRoomAgain(): boolean;
};

const fullLine = 64;
const shortLine = 16;

export function createHostQueues(limits: LineLimits): HostQueues {
  const lines = new Map<string, Line>();
  const events = new Map<string, WaitingEvent>();
  const busyMonitors = new Set<string>();
  let openCount = 0;
  /** The slow ones of the open attempts; few, because most end before they are slow. */
  const slow = new Set<string>();
  /** Hosts that could send now, in the order of their turns. */
  const ring = new Set<string>();
  /** Hosts whose pending events all belong to monitors with an attempt in progress; rare, so checked after each attempt. */
  const blocked = new Set<string>();
  const full = new Set<string>();
  let waitingCount = 0;
  let gotRoom = false;

  function offerTurn(host: string, line: Line): void {
    const max = limits.isDoubtful?.(host) ? 1 : limits.perHost;
    if (line.waiting.length > 0 && line.open < max) ring.add(host);
  }

  function takeFrom(line: Line): WaitingEvent | undefined {
    const index = line.waiting.findIndex((event) => !busyMonitors.has(event.monitor_id));
    if (index === -1) return undefined;
    waitingCount -= 1;
    // Unlike `splice`, `shift` does not move a whole long queue.
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

    responded(event) {
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
