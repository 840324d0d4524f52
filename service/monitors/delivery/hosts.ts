// Decides which event is sent next, without I/O (docs/delivery.md S12): accounts take turns, within an account the addresses of its
// hosts, and within an address the hosts, with a limit per host and one attempt at a time per monitor. A slow attempt gives its slot
// back, so slow hosts delay no others.
import type { FullLine } from './outbox.ts';
import { createCache } from '../../cache/create-cache.ts';
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

export class HostQueues {
  readonly #sharing: Sharing;
  readonly #all = shareOf(undefined, '');
  readonly #lines = new Map<string, Share>();
  /** The lines of the events that were taken, by the events' IDs. */
  readonly #lineOf = new Map<string, Share>();
  readonly #busyMonitors = new Set<string>();
  /** The slow ones of the open attempts; few, because most end before they are slow. */
  readonly #slow = new Set<string>();
  /** Lines whose pending events all belong to monitors with an attempt in progress; rare, so checked after each attempt. */
  readonly #blocked = new Set<Share>();
  readonly #full = new Map<string, FullLine>();
  readonly #waitingOf = new Map<string, number>();
  #waitingCount = 0;
  #crowdCount = 0;
  #gotRoom = false;

  constructor(sharing: Sharing) {
    this.#sharing = sharing;
  }

  add(added: readonly WaitingEvent[]): void {
    for (const event of added) {
      if (this.#lineOf.has(event.id)) continue;
      const line = this.#openLine(event);
      this.#lineOf.set(event.id, line);
      line.waiting.push(event);
      this.#countWaiting(event, 1);
      const { application_id, host } = event;
      if (line.waiting.length >= fullLine && !this.#full.has(line.key)) {
        this.#full.set(line.key, { application_id, host });
      }
      this.#offerTurn(line);
    }
  }

  /** Returns the next event that may be sent now and counts it as open. */
  next(): WaitingEvent | undefined {
    const limits = this.#sharing;
    const fresh = this.#all.open - this.#slow.size;
    if (fresh >= limits.fresh || this.#all.open >= limits.open) return undefined;
    const unwritten = this.#lineOf.size - this.#waitingCount - this.#all.open;
    if (fresh + unwritten >= limits.unrecorded) return undefined;
    const event = this.#takeNext(this.#all, this.#all.open);
    if (!event) return undefined;
    this.#busyMonitors.add(event.monitor_id);
    const line = this.#lineOf.get(event.id);
    for (let share = line; share; share = share.parent) share.open += 1;
    if (line) this.#offerTurn(line);
    return event;
  }

  /** Marks an attempt as slow: still open, but not fresh anymore. */
  becameSlow(event: WaitingEvent): void {
    this.#slow.add(event.id);
  }

  /** Ends an attempt: its host and its monitor are available again. */
  responded(event: WaitingEvent): void {
    this.#slow.delete(event.id);
    this.#busyMonitors.delete(event.monitor_id);
    const line = this.#lineOf.get(event.id);
    if (!line) return;
    if (line.open === 1 && line.waiting.length === 0) this.#lines.delete(line.key);
    for (let share: Share | undefined = line; share; share = share.parent) {
      share.open -= 1;
      if (share.open + share.waiting.length + share.children.size === 0) share.parent?.children.delete(share.key);
    }
    this.#offerTurn(line);
    for (const other of this.#blocked) this.#offerTurn(other);
    this.#blocked.clear();
  }

  /** Removes an event whose result is stored. */
  done(event: WaitingEvent): void {
    this.#lineOf.delete(event.id);
  }

  /** Returns the name of its line, which is what an application sends to one host. */
  lineOf = (event: WaitingEvent): string => this.#lineOf.get(event.id)?.key ?? '';
  /** Returns the IDs of all events that this process has taken and not yet recorded. */
  ids = (): string[] => [...this.#lineOf.keys()];
  waitingIds = (): string[] => [...this.#lines.values()].flatMap((line) => line.waiting.map((event) => event.id));
  waitingCount = (): number => this.#waitingCount;
  /** Like `waitingCount`, but counts only 1,024 of an application, after which no more are taken. */
  crowdCount = (): number => this.#crowdCount;
  openCount = (): number => this.#all.open;
  fullLines = (): FullLine[] => [...this.#full.values()];

  /** Whether a full queue has become short since the previous call. */
  hasRoomAgain(): boolean {
    const answer = this.#gotRoom;
    this.#gotRoom = false;
    return answer;
  }

  #openLine(event: WaitingEvent): Share {
    const key = `${event.application_id} ${event.host}`;
    const known = this.#lines.get(key);
    if (known) return known;
    const account = shareOf(this.#all, event.account_id);
    const line = shareOf(shareOf(account, this.#sharing.addressOf(event.host)), key);
    this.#lines.set(key, line);
    return line;
  }

  #offerTurn(line: Share): void {
    const max = this.#sharing.isDoubtful?.(line.key) ? 1 : this.#sharing.perHost;
    if (line.waiting.length === 0 || line.open >= max) return;
    for (let share: Share | undefined = line; share; share = share.parent) share.parent?.ready.add(share);
  }

  #countWaiting({ application_id: id }: WaitingEvent, change: 1 | -1): void {
    const before = this.#waitingOf.get(id) ?? 0;
    const after = before + change;
    this.#waitingCount += change;
    this.#crowdCount += Math.min(after, fullApplication) - Math.min(before, fullApplication);
    if (after === 0) this.#waitingOf.delete(id);
    else this.#waitingOf.set(id, after);
    if (after >= fullApplication && !this.#full.has(id)) this.#full.set(id, { application_id: id });
    else if (after < shortApplication && this.#full.delete(id)) this.#gotRoom = true;
  }

  #takeFrom(line: Share): WaitingEvent | undefined {
    const index = line.waiting.findIndex((event) => !this.#busyMonitors.has(event.monitor_id));
    if (index === -1) {
      this.#blocked.add(line);
      return undefined;
    }
    // Unlike `splice`, `shift` does not move a whole long queue.
    const event = index === 0 ? line.waiting.shift() : line.waiting.splice(index, 1)[0];
    if (event) this.#countWaiting(event, -1);
    if (event && line.waiting.length < shortLine && this.#full.delete(line.key)) this.#gotRoom = true;
    return event;
  }

  /** `open`: attempts of this share and those above it. What it has open never exceeds what it leaves for others. */
  #takeNext(share: Share, open: number): WaitingEvent | undefined {
    for (const child of share.ready) {
      if (open + child.open >= this.#sharing.open) continue;
      const isLine = this.#lines.get(child.key) === child;
      const event = isLine ? this.#takeFrom(child) : this.#takeNext(child, open + child.open);
      if (event || child.ready.size === 0) share.ready.delete(child);
      if (event && child.ready.size > 0) share.ready.add(child);
      if (event) return event;
    }
    return undefined;
  }
}

function shareOf(parent: Share | undefined, key: string): Share {
  const known = parent?.children.get(key);
  if (known) return known;
  const share: Share = { key, parent, children: new Map(), ready: new Set(), waiting: [], open: 0 };
  parent?.children.set(key, share);
  return share;
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
  const silent = createCache<string, Silence>(rememberedHosts);

  function isResting(host: string, elapsed: number): boolean {
    const silence = silent.get(host);
    return silence !== undefined && elapsed < silence.restsUntil;
  }

  return {
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
      silent.set(host, { failures, restMs, restsUntil: begins ? elapsed + restMs : elapsed });
    },
  };
}
