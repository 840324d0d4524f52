// Decides which event is sent next, without I/O (docs/delivery.md S12): accounts take turns, within an account the addresses of its
// hosts, and within an address the hosts, with a limit per host and one attempt at a time per monitor. A slow attempt gives its slot
// back, so slow hosts delay no others.
import type { FullLine } from './outbox.ts';
import type { WaitingEvent } from './tables.ts';

export type LineLimits = {
  /** Maximum number of recently started attempts. */
  fresh: number;
  /** Maximum concurrent attempts, including slow ones. An account may have as many as are left for others. */
  open: number;
  perHost: number;
  /** Fresh attempts, and responses not stored yet: what a crash may send twice. */
  unrecorded: number;
};

type Sharing = LineLimits & {
  /** Returns the network address of a host, as far as it is known. */
  addressOf: (host: string) => string;
  /** Lines that get one attempt at a time. */
  isDoubtful?: (line: string) => boolean;
};

/** A line, which is what an application sends to one host; or the address or account that lines belong to, or all accounts. */
type Share = {
  key: string;
  parent: Share | undefined;
  children: Map<string, Share>;
  /** Those that could send now, in the order of their turns. */
  ready: Set<Share>;
  waiting: WaitingEvent[];
  open: number;
};

const fullLine = 64;
const shortLine = 16;
const fullApplication = 1_024;
const shortApplication = 512;

/** An application's events for a host. */
export const lineOf = ({ application_id, host }: WaitingEvent) => `${application_id} ${host}`;

export function createHostQueues({ addressOf, isDoubtful, ...limits }: Sharing) {
  const all = shareOf(undefined, '');
  const lines = new Map<string, Share>();
  const events = new Map<string, WaitingEvent>();
  const busyMonitors = new Set<string>();
  /** The slow ones of the open attempts; few, because most end before they are slow. */
  const slow = new Set<string>();
  /** Lines whose pending events all belong to monitors with an attempt in progress; rare, so checked after each attempt. */
  const blocked = new Set<Share>();
  const full = new Map<string, FullLine>();
  const waitingOf = new Map<string, number>();
  let waitingCount = 0;
  let crowdCount = 0;
  let gotRoom = false;

  function openLine(event: WaitingEvent): Share {
    const key = lineOf(event);
    const known = lines.get(key);
    if (known) return known;
    const account = shareOf(all, event.account_id);
    const line = shareOf(shareOf(account, addressOf(event.host)), key);
    lines.set(key, line);
    return line;
  }

  function offerTurn(line: Share): void {
    const max = isDoubtful?.(line.key) ? 1 : limits.perHost;
    if (line.waiting.length === 0 || line.open >= max) return;
    for (const share of upFrom(line)) share.parent?.ready.add(share);
  }

  function countWaiting({ application_id: id }: WaitingEvent, change: 1 | -1): void {
    const before = waitingOf.get(id) ?? 0;
    const after = before + change;
    waitingCount += change;
    crowdCount += Math.min(after, fullApplication) - Math.min(before, fullApplication);
    if (after === 0) waitingOf.delete(id);
    else waitingOf.set(id, after);
    if (after >= fullApplication && !full.has(id)) full.set(id, { application_id: id });
    else if (after < shortApplication && full.delete(id)) gotRoom = true;
  }

  function takeFrom(line: Share): WaitingEvent | undefined {
    const index = line.waiting.findIndex((event) => !busyMonitors.has(event.monitor_id));
    if (index === -1) {
      blocked.add(line);
      return undefined;
    }
    // Unlike `splice`, `shift` does not move a whole long queue.
    const event = index === 0 ? line.waiting.shift() : line.waiting.splice(index, 1)[0];
    if (event) countWaiting(event, -1);
    if (event && line.waiting.length < shortLine && full.delete(line.key)) gotRoom = true;
    return event;
  }

  /** `open`: attempts of this share and those above it. What it has open never exceeds what it leaves for others. */
  function takeNext(share: Share, open: number): WaitingEvent | undefined {
    for (const child of share.ready) {
      if (open + child.open >= limits.open) continue;
      const event = lines.get(child.key) === child ? takeFrom(child) : takeNext(child, open + child.open);
      if (event || child.ready.size === 0) share.ready.delete(child);
      if (event && child.ready.size > 0) share.ready.add(child);
      if (event) return event;
    }
    return undefined;
  }

  return {
    add(added: readonly WaitingEvent[]): void {
      for (const event of added) {
        if (events.has(event.id)) continue;
        events.set(event.id, event);
        const line = openLine(event);
        line.waiting.push(event);
        countWaiting(event, 1);
        const { application_id, host } = event;
        if (line.waiting.length >= fullLine && !full.has(line.key)) full.set(line.key, { application_id, host });
        offerTurn(line);
      }
    },

    /** Returns the next event that may be sent now and counts it as open. */
    next(): WaitingEvent | undefined {
      const fresh = all.open - slow.size;
      if (fresh >= limits.fresh || all.open >= limits.open) return undefined;
      const unwritten = events.size - waitingCount - all.open;
      if (fresh + unwritten >= limits.unrecorded) return undefined;
      const event = takeNext(all, all.open);
      if (!event) return undefined;
      const line = openLine(event);
      for (const share of upFrom(line)) share.open += 1;
      busyMonitors.add(event.monitor_id);
      offerTurn(line);
      return event;
    },

    /** Marks an attempt as slow: still open, but not fresh anymore. */
    becameSlow: (event: WaitingEvent) => void slow.add(event.id),

    /** Ends an attempt: its host and its monitor are available again. */
    responded(event: WaitingEvent): void {
      slow.delete(event.id);
      busyMonitors.delete(event.monitor_id);
      const line = lines.get(lineOf(event));
      if (!line) return;
      for (const share of upFrom(line)) share.open -= 1;
      if (line.open === 0 && line.waiting.length === 0) {
        lines.delete(line.key);
        for (const { key, parent, children } of upFrom(line)) if (children.size === 0) parent?.children.delete(key);
      }
      offerTurn(line);
      for (const other of blocked) offerTurn(other);
      blocked.clear();
    },

    /** Removes an event whose result is stored. */
    done: (event: WaitingEvent) => void events.delete(event.id),
    /** Returns the IDs of all events that this process has taken and not yet recorded. */
    ids: () => [...events.keys()],
    waitingIds: () => [...lines.values()].flatMap((line) => line.waiting.map((event) => event.id)),
    waitingCount: () => waitingCount,
    /** Like `waitingCount`, but counts only 1,024 of an application, after which no more are taken. */
    crowdCount: () => crowdCount,
    openCount: () => all.open,
    fullLines: (): FullLine[] => [...full.values()],
    /** Whether a full queue has become short since the previous call. */
    hasRoomAgain(): boolean {
      const answer = gotRoom;
      gotRoom = false;
      return answer;
    },
  };
}

/** Returns the child with this key, a new one if there is none. */
function shareOf(parent: Share | undefined, key: string): Share {
  const known = parent?.children.get(key);
  if (known) return known;
  const share: Share = { key, parent, children: new Map(), ready: new Set(), waiting: [], open: 0 };
  parent?.children.set(key, share);
  return share;
}

function* upFrom(share: Share): Generator<Share> {
  for (let at: Share | undefined = share; at; at = at.parent) yield at;
}

// Unresponsive hosts, decided without I/O: after three consecutive attempts without a response a host is paused, for a second at
// first and up to a minute. Meanwhile due events are postponed by their own retry plan instead of waiting for one timeout after the
// other; then single attempts test whether the host is back. Any response ends the pause. A host that has been silent for minutes
// gets only these attempts.

type Silence = { failures: number; restMs: number; restsUntil: number };

const failuresBeforeRest = 3;
/** Including the pauses, that is about two minutes without a response. */
const failuresBeforeDeath = 10;
const firstRestMs = 1_000;
const maxRestMs = 60_000;
const rememberedHosts = 50_000;

/** `elapsed`: now by the monotonic clock, so that clock jumps neither end nor extend a pause. */
export function createHostBreaker() {
  const silent = new Map<string, Silence>();

  function isResting(host: string, elapsed: number): boolean {
    const silence = silent.get(host);
    return silence !== undefined && elapsed < silence.restsUntil;
  }

  function set(host: string, silence: Silence): void {
    if (silent.size >= rememberedHosts && !silent.has(host)) silent.clear();
    silent.set(host, silence);
  }

  return {
    /** Whether attempts to this host are postponed now. */
    isResting,
    /** Whether it is paused, and has failed long enough that last attempts are skipped too. */
    isDead: (host: string, elapsed: number): boolean =>
      isResting(host, elapsed) && (silent.get(host)?.failures ?? 0) >= failuresBeforeDeath,
    /** It failed to respond recently and has not responded since: only one attempt at a time. */
    isDoubtful: (host: string): boolean => (silent.get(host)?.failures ?? 0) >= failuresBeforeRest,
    responded: (host: string) => void silent.delete(host),
    failedToRespond(host: string, elapsed: number): void {
      // Ignore attempts that were in progress when the pause started.
      if (isResting(host, elapsed)) return;
      const before = silent.get(host) ?? { failures: 0, restMs: firstRestMs / 2 };
      const failures = before.failures + 1;
      const begins = failures >= failuresBeforeRest;
      const restMs = begins ? Math.min(before.restMs * 2, maxRestMs) : before.restMs;
      set(host, { failures, restMs, restsUntil: begins ? elapsed + restMs : elapsed });
    },
  };
}
