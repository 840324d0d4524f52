// Computes verdicts of stored callbacks for the list and the details. They are cached for a while, because a list requests the same
// rows again; new monitors or secrets clear the cache.
import type { AppMonitor, CallbackCheck, CallbackSummary, CheckVerdict } from '@rainbell/contract/app-rpc';
import type { LatLng } from '@rainbell/contract/service-api';
import { formatInstant, pick } from '@rainbell/shared';
import {
  checkCallback,
  episodeEventOf,
  kindOf,
  verdictNameOf,
  worstVerdict,
} from '../receiver/checks/callback-checks.ts';
import { earlierLimit, type CallbackPages } from '../receiver/records/callback-pages.ts';
import type { CallbackFacts, StoredCallback } from '../receiver/records/stored-callback.ts';
import { eventHeadersOf, isFollowUp, type EarlierCallback } from '../receiver/checks/earlier-callback.ts';
import {
  type DeliveryLogFacts,
  type EventEvidence,
  type EvidenceFacts,
  evidenceOf,
  isMonitorEvent,
  isOwnPath,
} from '../receiver/checks/event-evidence.ts';
import { checkSender, refusalCheck } from '../receiver/checks/request-check.ts';
import { endpointSenderOf, type EndpointWithSecrets } from '../senders/endpoint-sender.ts';
import type { SigningFacts } from '../receiver/checks/signature-check.ts';

/** `hour`: decided by the hour rule only (docs/interface.md §8). */
export type ValidationResult = Pick<
  CallbackSummary,
  'verdict' | 'verdictName' | 'kind' | 'isMonitorOwn' | 'sender' | 'eventType' | 'episodeId'
> & {
  hour: CheckVerdict;
  /** Not judged as a monitor's event. */
  isOther?: true;
};

type Judged = ValidationResult & { checks: CallbackCheck[] };

export type CallbackValidator = ReturnType<typeof createCallbackValidator>;

const rememberedRows = 20_000;
const deletedResult: ValidationResult = {
  verdict: 'unknown',
  verdictName: 'unknown',
  kind: 'other',
  isMonitorOwn: false,
  hour: 'unknown',
};
const refusedResult: ValidationResult = { ...deletedResult, verdict: 'error', verdictName: 'refused', kind: 'refused' };
/** How many earlier callbacks of a monitor to search for the previous event; fakes may be among them. */
const maxEarlier = 200;
/** How many of a monitor's newest callbacks to search for the last event that counts. */
const maxNewest = 40;

type CallbackValidatorDependencies = {
  pages: Pick<CallbackPages, 'get' | 'earlierOf'>;
  endpoints: () => readonly EndpointWithSecrets[];
  publicBase: () => string | null;
  /** Whether the store was found damaged since the start. */
  isDamaged: () => boolean;
  /** Callback URLs of the active connection's monitors by ID, the same map while no monitor changes; undefined before they were fetched. */
  monitors: () => ReadonlyMap<string, string | null> | undefined;
  monitorsListedAt: () => number;
  placeOf: (monitorId: string) => LatLng | undefined;
  /** IDs of the callbacks with an event ID that are before another, oldest first. */
  sameEvent: (eventId: string, beforeId: number) => readonly number[];
  /** An event that can only be judged with newer monitors. */
  onOutdated: () => void;
  ownOrigins: () => readonly string[];
  /** The service's delivery log of a monitor, as far as it was read. */
  deliveryLog: (monitorId: string) => DeliveryLogFacts | undefined;
  signing: () => SigningFacts;
  connectionId: () => string | undefined;
};

type CheckedEvidence = EarlierCallback & { evidence: EventEvidence };

export function createCallbackValidator(dependencies: CallbackValidatorDependencies) {
  const { pages, monitors, monitorsListedAt, signing, ownOrigins, placeOf, onOutdated } = dependencies;
  const remembered = new Map<number, ValidationResult>();
  let knownMonitors = monitors();
  let knownFacts: string | undefined;
  /** Of which list of monitors a remembered result waits for a newer one. */
  let undecidedBy: number | undefined;

  const facts = (monitorId: string | null): EvidenceFacts => ({
    monitors: monitors(),
    monitorsListedAt: monitorsListedAt(),
    signing: signing(),
    ownOrigins: ownOrigins(),
    log: monitorId === null ? undefined : dependencies.deliveryLog(monitorId),
    connectionId: dependencies.connectionId(),
  });
  const events = createEvents(dependencies, facts);

  function clear(): void {
    remembered.clear();
    events.clear();
    undecidedBy = undefined;
  }

  function judge(callback: StoredCallback): Judged {
    const { refusal, monitorId, answeredStatus } = callback;
    if (refusal) return { checks: [refusalCheck(refusal, answeredStatus)], ...refusedResult };
    const known = facts(monitorId);
    return isMonitorEvent(callback, known) ? judgeEvent(callback, known) : judgeOther(callback);
  }

  function judgeOther(callback: StoredCallback): Judged {
    const endpoint = endpointSenderOf(dependencies.endpoints(), callback.target);
    const found = checkSender(callback, endpoint, dependencies.publicBase());
    // That a sender is recognized is not a result.
    const verdict = worstVerdict(found.checks.filter((one) => one.check !== 'sender'));
    return { ...found, verdict, kind: 'other', isMonitorOwn: false, hour: 'unknown', isOther: true };
  }

  function judgeEvent(callback: StoredCallback, known: EvidenceFacts): Judged {
    const { monitorId } = callback;
    const checked = events.of(callback);
    const { evidence } = checked;
    const earlier = events.earlierOf(callback, checked);
    const monitorPlace = monitorId === null ? undefined : placeOf(monitorId);
    const facts = { ...known, monitorPlace, evidence, earlier, isDamaged: dependencies.isDamaged() };
    const checks = checkCallback(callback, facts);
    const isKnown = monitorId !== null && known.monitors?.has(monitorId) === true;
    const isUndecided = evidence.counts === undefined || (monitorId !== null && !isKnown);
    if (isUndecided && callback.receivedAt > known.monitorsListedAt) {
      undecidedBy = known.monitorsListedAt;
      // Of a known monitor, whose URL may have changed; signed; or at the path that its body names.
      if (isKnown || checks.some(isProof)) onOutdated();
    }
    const event = episodeEventOf(callback);
    return {
      checks,
      verdict: worstVerdict(checks),
      verdictName: verdictNameOf(callback, checks, facts),
      kind: kindOf(callback, facts),
      isMonitorOwn: isMonitorOwn(callback, evidence),
      hour: checks.find(({ check }) => check === 'hour')?.verdict ?? 'unknown',
      ...(event && { eventType: event.type, episodeId: event.episodeId }),
    };
  }

  /** Until the monitors are known, no claim is doubted. */
  function isMonitorOwn(callback: StoredCallback, { counts, isProvenTest }: EventEvidence): boolean {
    const known = monitors();
    if (callback.monitorId === null || callback.isImported) return false;
    if (!known || counts === true || isProvenTest === true) return true;
    const uri = known.get(callback.monitorId);
    return uri !== undefined && isOwnPath(callback, uri, ownOrigins());
  }

  const isOutdated = () => undecidedBy !== undefined && undecidedBy !== monitorsListedAt();

  /** Forgets all verdicts if something that they depend on has changed, and returns whether it has. */
  function refresh(): boolean {
    const facts = factsIn(dependencies);
    if (facts === knownFacts && monitors() === knownMonitors && !isOutdated()) return false;
    clear();
    knownFacts = facts;
    knownMonitors = monitors();
    return true;
  }

  function clearIfChanged(): void {
    if (knownFacts === undefined || monitors() !== knownMonitors || isOutdated()) refresh();
  }

  function recall(id: number, read: () => StoredCallback | undefined): ValidationResult {
    clearIfChanged();
    const known = remembered.get(id);
    if (known) return known;
    const callback = read();
    return remember(id, callback ? judge(callback) : { ...deletedResult, checks: [] });
  }

  function remember(id: number, { checks: _checks, ...result }: Judged): ValidationResult {
    if (remembered.size >= rememberedRows) remembered.clear();
    remembered.set(id, result);
    return result;
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
      let beforeId = Number.MAX_SAFE_INTEGER;
      for (let seen = 0; seen < maxNewest;) {
        const ids = pages.earlierOf({ id: beforeId, monitorId });
        // Not for each of 20,000 monitors that are created together.
        if (ids.length > 0) clearIfChanged();
        const found = ids.map(events.byId).find((one) => one && !one.feed && isProven(one));
        if (found) return { id: found.id, receivedAt: formatInstant(found.receivedAt) };
        if (ids.length < earlierLimit) return null;
        seen += ids.length;
        beforeId = ids.at(-1) ?? 0;
      }
      return null;
    },
    clear,
    refresh,
  };
}

/** What all verdicts depend on, except the monitors and their delivery logs. */
function factsIn(dependencies: CallbackValidatorDependencies): string {
  const { signing, ownOrigins, connectionId, endpoints, publicBase, isDamaged } = dependencies;
  return JSON.stringify([signing(), ownOrigins(), connectionId(), endpoints(), publicBase(), isDamaged()]);
}

/** What is known of callbacks as events, and of those before them. */
function createEvents(
  { pages, sameEvent }: Pick<CallbackValidatorDependencies, 'pages' | 'sameEvent'>,
  factsOf: (monitorId: string | null) => EvidenceFacts,
) {
  const cache = new Map<number, CheckedEvidence | undefined>();

  function checkEvidence(callback: StoredCallback): CheckedEvidence {
    const evidence = evidenceOf(callback, factsOf(callback.monitorId));
    const { id, receivedAt, headers, feed } = callback;
    const event = eventHeadersOf(headers);
    const { counts, sentAt } = evidence;
    return { id, receivedAt, event, counts, isFollowUp: isFollowUp(callback), sentAt, feed, evidence };
  }

  function remember<Result extends CheckedEvidence | undefined>(id: number, result: Result): Result {
    if (cache.size >= rememberedRows) cache.clear();
    cache.set(id, result);
    return result;
  }

  const of = (callback: StoredCallback) => cache.get(callback.id) ?? remember(callback.id, checkEvidence(callback));

  function byId(id: number): CheckedEvidence | undefined {
    if (cache.has(id)) return cache.get(id);
    const callback = pages.get(id);
    return remember(id, callback && checkEvidence(callback));
  }

  /** Those with the same event, and for an event that counts, the monitor's last ones. */
  function earlierOf(callback: StoredCallback, { event, counts }: CheckedEvidence): CheckedEvidence[] {
    const same = event.id === undefined ? [] : sameEvent(event.id, callback.id).map(byId);
    const all = [...(counts === true ? lastOf(callback) : []), ...same.filter((one) => one !== undefined)];
    return [...new Map(all.map((one) => [one.id, one])).values()].toSorted((one, other) => other.id - one.id);
  }

  /** Back to the last that counts. */
  function lastOf({ id, monitorId }: StoredCallback): CheckedEvidence[] {
    const earlier: CheckedEvidence[] = [];
    let beforeId = id;
    for (let seen = 0; seen < maxEarlier;) {
      const ids = pages.earlierOf({ id: beforeId, monitorId });
      earlier.push(...ids.map(byId).filter((one) => one !== undefined));
      seen += ids.length;
      beforeId = ids.at(-1) ?? 0;
      if (ids.length < earlierLimit || earlier.some(({ counts }) => counts !== false)) break;
    }
    return earlier;
  }

  return { of, byId, earlierOf, clear: () => cache.clear() };
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

function isProven({ counts, evidence }: CheckedEvidence): boolean {
  return counts === true || evidence.isProvenTest === true;
}
