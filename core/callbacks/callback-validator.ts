// Computes verdicts of stored callbacks for the list and the details. They are cached for a while, because a list requests the same
// rows again; new monitors or secrets clear the cache.
import type { AppMonitor, CallbackCheck, CallbackSummary } from '@rainbell/contract/app-rpc';
import { formatInstant, pick } from '@rainbell/shared';
import type { KnownMonitors } from '../monitors/known-monitors.ts';
import { type CheckFacts, judgeEvent, type Judged, otherResult } from '../receiver/checks/callback-checks.ts';
import { type CallbackEvent, isMonitorEvent, readEvent } from '../receiver/checks/event-evidence.ts';
import { judgeRequest, refusalCheck, type RequestFacts } from '../receiver/checks/request-check.ts';
import { earlierLimit, type CallbackPages } from '../receiver/records/callback-pages.ts';
import type { CallbackFacts, StoredCallback } from '../receiver/records/stored-callback.ts';

export type ValidationResult = Omit<Judged, 'checks'>;

export type CallbackValidator = ReturnType<typeof createCallbackValidator>;

type CallbackValidatorDependencies = {
  pages: Pick<CallbackPages, 'get' | 'earlierOf'>;
  /** IDs of the callbacks with an event ID that are before another, oldest first. */
  sameEvent: (eventId: string, beforeId: number) => readonly number[];
  monitors: Pick<KnownMonitors, 'urls' | 'listedAt' | 'placeOf'>;
  /** What else verdicts depend on. */
  facts: () => RequestFacts & Omit<CheckFacts, 'monitors' | 'monitorsListedAt' | 'placeOf'>;
  /** An event that can only be judged with newer monitors. */
  onOutdated: () => void;
};

const rememberedRows = 20_000;
/** How many earlier callbacks of a monitor to search for the previous event; fakes may be among them. */
const maxEarlier = 200;
/** How many of a monitor's newest callbacks to search for the last event that counts. */
const maxNewest = 40;

type Remembered = { result?: ValidationResult; event?: CallbackEvent };

/** The result for a callback that is gone. */
const unknown: Judged = { ...otherResult, checks: [], verdict: 'unknown', verdictName: 'unknown' };
const refused = { ...otherResult, verdict: 'error', verdictName: 'refused', kind: 'refused' } as const;

export function createCallbackValidator(dependencies: CallbackValidatorDependencies) {
  const { pages, sameEvent, monitors, onOutdated } = dependencies;
  /** By ID. A list requests the same rows again, and each event is compared with those before it. */
  const remembered = new Map<number, Remembered>();
  let knownMonitors = monitors.urls();
  let knownFacts: string | undefined;
  /** Of which list of monitors a remembered result waits for a newer one. */
  let undecidedBy: number | undefined;

  function factsNow() {
    const listed = { monitors: monitors.urls(), monitorsListedAt: monitors.listedAt(), placeOf: monitors.placeOf };
    return { ...dependencies.facts(), ...listed };
  }

  function entryOf(id: number): Remembered {
    const known = remembered.get(id);
    if (known) return known;
    if (remembered.size >= rememberedRows) remembered.clear();
    const entry: Remembered = {};
    remembered.set(id, entry);
    return entry;
  }

  function clear(): void {
    remembered.clear();
    undecidedBy = undefined;
  }

  /** Forgets all verdicts if something that they depend on has changed, and returns whether it has. */
  function refresh(facts = JSON.stringify(dependencies.facts())): boolean {
    const isAwaited = undecidedBy !== undefined && undecidedBy !== monitors.listedAt();
    if (facts === knownFacts && monitors.urls() === knownMonitors && !isAwaited) return false;
    clear();
    [knownFacts, knownMonitors] = [facts, monitors.urls()];
    return true;
  }

  /** For each row, only the monitors are compared, after the first time. */
  const clearIfChanged = () => void refresh(knownFacts);

  function judge(callback: StoredCallback): Judged {
    const { refusal, answeredStatus } = callback;
    if (refusal) return { ...refused, checks: [refusalCheck(refusal, answeredStatus)] };
    const facts = factsNow();
    if (!isMonitorEvent(callback, facts)) return judgeRequest(callback, facts);
    const event = (entryOf(callback.id).event ??= readEvent(callback, facts));
    const judged = judgeEvent(callback, event, earlierOf(callback, event), facts);
    const isKnown = facts.monitors?.has(callback.monitorId ?? '') === true;
    const isUndecided = event.counts === undefined || (callback.monitorId !== null && !isKnown);
    if (isUndecided && callback.receivedAt > facts.monitorsListedAt) {
      undecidedBy = facts.monitorsListedAt;
      // Of a known monitor, whose URL may have changed; signed; or at the path that its body names.
      if (isKnown || judged.checks.some(isProof)) onOutdated();
    }
    return judged;
  }

  function eventById(id: number): CallbackEvent | undefined {
    const known = remembered.get(id)?.event;
    const callback = known ? undefined : pages.get(id);
    return callback ? (entryOf(id).event = readEvent(callback, factsNow())) : known;
  }

  const eventsOf = (ids: readonly number[]) => ids.map(eventById).filter((one) => one !== undefined);

  /** IDs of a monitor's callbacks before one, newest first, in pieces; about `limit` of them. */
  function* idsBefore(id: number, monitorId: string | null, limit: number): Generator<number[]> {
    let [beforeId, left] = [id, limit];
    for (let ids: number[]; left > 0; left -= ids.length) {
      ids = pages.earlierOf({ id: beforeId, monitorId });
      if (ids.length > 0) yield ids;
      if (ids.length < earlierLimit) return;
      beforeId = ids.at(-1) ?? 0;
    }
  }

  /** Those with the same event, and for an event that counts, the monitor's last ones, back to the last that counts. */
  function earlierOf({ id, monitorId }: StoredCallback, { event, counts }: CallbackEvent): CallbackEvent[] {
    const earlier = event.id === undefined ? [] : eventsOf(sameEvent(event.id, id));
    for (const ids of idsBefore(id, monitorId, counts === true ? maxEarlier : 0)) {
      const last = eventsOf(ids);
      earlier.push(...last);
      if (last.some((one) => one.counts !== false)) break;
    }
    return [...new Map(earlier.map((one) => [one.id, one])).values()].toSorted((one, other) => other.id - one.id);
  }

  function remember(id: number, { checks: _checks, ...result }: Judged): ValidationResult {
    return (entryOf(id).result = result);
  }

  function recall(id: number, read: () => StoredCallback | undefined): ValidationResult {
    clearIfChanged();
    const known = remembered.get(id)?.result;
    if (known) return known;
    const callback = read();
    return remember(id, callback ? judge(callback) : unknown);
  }

  /** Unknown if it is gone. */
  const validateById = (id: number) => recall(id, () => pages.get(id));
  return {
    checksOf(callback: StoredCallback): CallbackCheck[] {
      clearIfChanged();
      const judged = judge(callback);
      remember(callback.id, judged);
      return judged.checks;
    },
    validate: (callback: StoredCallback): ValidationResult => recall(callback.id, () => callback),
    validateById,
    summaryOf: (callback: CallbackFacts): CallbackSummary => toSummary(callback, validateById(callback.id)),
    /** The monitor's newest callback that arrived and counts as an event of the active connection; not one by the feed. */
    newestOf(monitorId: string): AppMonitor['lastCallback'] {
      for (const ids of idsBefore(Number.MAX_SAFE_INTEGER, monitorId, maxNewest)) {
        // Not for each of 20,000 monitors that are created together, which have no callbacks.
        clearIfChanged();
        const found = eventsOf(ids).find((one) => !one.feed && (one.counts === true || one.isProvenTest === true));
        if (found) return { id: found.id, receivedAt: formatInstant(found.receivedAt) };
      }
      return null;
    },
    clear,
    refresh: (): boolean => refresh(),
  };
}

/** In another request, what looks like a monitor's ID is not one. */
function toSummary(callback: CallbackFacts, { hour: _hour, isOther, ...verdict }: ValidationResult): CallbackSummary {
  return {
    ...pick(callback, 'id', 'method', 'target', 'remoteAddress', 'sizeBytes', 'answeredStatus', 'outcome', 'refusal'),
    ...pick(callback, 'isImported', 'isByFeed'),
    receivedAt: formatInstant(callback.receivedAt),
    monitorId: isOther ? null : callback.monitorId,
    hasNote: callback.note !== '',
    ...verdict,
  };
}

const isProof = ({ check, verdict }: CallbackCheck) => /^(signature|address)$/.test(check) && verdict === 'ok';
