// Whether a request counts as an event of a monitor of the active connection (docs/receiver.md#verdicts). An ID in a body proves
// nothing: a service that signs must have signed it, and for one that does not, it must have come to the monitor's own callback
// URL.
import type { CallbackCheck } from '@rainbell/contract/app-rpc';
import { monitorTypes } from '@rainbell/contract/service-api';
import { normalTarget, visibleText } from '@rainbell/shared';
import { headerOf } from '../../http/http-headers.ts';
import type { KnownLog } from '../../monitors/deliveries.ts';
import { standardWebhooks } from '../../senders/sender-rows.ts';
import { verifySender } from '../../senders/verify-sender.ts';
import type { FeedOrigin, StoredCallback } from '../records/stored-callback.ts';
import { arrivalAt } from '../requests/path-pattern.ts';

type Monitors = ReadonlyMap<string, string | null>;

export type SigningFacts = {
  /** Secrets (`whsec_…`) and public keys (`whpk_…`), newest first; empty if none is known. */
  secrets: readonly string[];
  /** Whether the sender's clock can be moved at will, so that its time says nothing. */
  isClockMovable: boolean;
  /** Whether the service has a delivery log; such a service signs. */
  hasDeliveryLog?: boolean;
};

export type EvidenceFacts = {
  signing: SigningFacts;
  /** Callback URLs of the active connection's monitors by ID; undefined before they were fetched. */
  monitors: Monitors | undefined;
  /** When they were; a later callback may be of a monitor that was created or changed since. */
  monitorsListedAt: number;
  /** The origins at which this receiver can be reached: its own and that of a tunnel. */
  ownOrigins: readonly string[];
  /** The service's delivery log of a monitor, as far as it was read. */
  deliveryLog: (monitorId: string) => KnownLog | undefined;
  connectionId: string | undefined;
};

type CheckedSignature = {
  /**
   * `missing`: not signed. `no-key`: none is known. `unchecked`: with no scheme for which a key is known. A valid one may be old, because a real
   * event may be read long after it arrived.
   */
  proof: 'missing' | 'no-key' | 'unchecked' | 'wrong' | 'valid';
  verdict: CallbackCheck['verdict'];
  message: string;
};

/** What later callbacks are compared with. */
export type EarlierCallback = Pick<StoredCallback, 'id' | 'receivedAt'> & {
  /** What the headers of Standard Webhooks say of its event. */
  event: { id: string | undefined; timestamp: string | undefined };
  feed?: FeedOrigin | undefined;
  /** Whether it only follows an event: the hour between events is not about it. */
  isFollowUp?: boolean;
  /** Whether it counts as an event; undefined if that cannot be known yet. */
  counts: boolean | undefined;
  /** When the service sent the event, by its delivery log. */
  sentAt?: number;
};

/** What is known of a callback as an event. */
export type CallbackEvent = EarlierCallback & {
  signature: CheckedSignature;
  /** Why it counts or does not: a clause that follows "because". */
  reason: string;
  /** Matched by its path, because the service does not sign. */
  isByPath?: boolean;
  /** A test event: not counted as an event, but proven to be from the service. */
  isProvenTest?: boolean;
};

type Evidence = Pick<CallbackEvent, 'counts' | 'reason' | 'sentAt' | 'isByPath' | 'isProvenTest'>;

export function readEvent(callback: StoredCallback, facts: EvidenceFacts): CallbackEvent {
  const { id, receivedAt, feed, headers } = callback;
  const event = { id: headerOf(headers, 'webhook-id'), timestamp: headerOf(headers, 'webhook-timestamp') };
  const signature = checkSignature(callback, facts.signing);
  const known = { id, receivedAt, event, feed, isFollowUp: isFollowUp(callback), signature };
  return { ...known, ...evidenceOf(callback, known, facts) };
}

/**
 * By the row of Standard Webhooks (core/senders), with the known keys. The interface has no signatures (docs/interface.md §6), so a missing
 * one is not an error.
 */
function checkSignature(
  { headers, body, truncated, receivedAt }: StoredCallback,
  { secrets, isClockMovable }: SigningFacts,
): CheckedSignature {
  const signature = headerOf(headers, 'webhook-signature');
  if (signature === undefined)
    return made('missing', secrets.length > 0 ? 'warning' : 'unknown', 'The callback is not signed.');
  if (secrets.length === 0)
    return made('no-key', 'unknown', 'The callback is signed, but there is no secret to verify the signature with.');
  if (truncated)
    return made(
      'wrong',
      'unknown',
      'The body was truncated at the receiver’s limit, so its signature can’t be verified.',
    );
  // An empty header is a missing one.
  const present = headers.filter(([name, value]) => value !== '' || !/^webhook-(id|timestamp)$/i.test(name));
  const request = { method: 'POST', url: '', headers: present, body };
  const verdict = verifySender(standardWebhooks, request, { secrets, receivedAt });
  if (verdict.state === 'verified') return made('valid', 'ok', 'The signature is valid.');
  if (verdict.state === 'stale') return checkAge(verdict, isClockMovable);
  if (verdict.state === 'no-secret') return made('unchecked', 'unknown', whyUnusable(signature));
  if (verdict.state === 'unchecked') return made('unchecked', 'unknown', verdict.reason);
  if (verdict.state === 'invalid' && verdict.isMalformed) return made('wrong', 'error', verdict.reason);
  const message = 'The signature is wrong: the callback was signed with another secret or changed in transit.';
  return made('wrong', 'error', message);
}

function made(proof: CheckedSignature['proof'], verdict: CallbackCheck['verdict'], message: string): CheckedSignature {
  return { proof, verdict, message };
}

function whyUnusable(header: string): string {
  return /(^| )v1a,/.test(header)
    ? 'The callback is signed with Ed25519 (v1a), but no public key (whpk_…) is known.'
    : 'The callback is signed with a secret (v1), but only a public key is known.';
}

/** A clock that can be moved is ahead more often than not, and a message from the future can't be a recording. */
function checkAge({ ageSeconds, tolerance }: { ageSeconds: number; tolerance: number }, isClockMovable: boolean) {
  const [seconds, side] = ageSeconds > 0 ? [ageSeconds, 'before'] : [-ageSeconds, 'after'];
  if (isClockMovable && side === 'after') {
    const message = `The signature is valid; by the sandbox’s clock, its timestamp is ${seconds} s after the callback’s arrival.`;
    return made('valid', 'ok', message);
  }
  const unless = isClockMovable ? ', unless you set the sandbox’s clock back' : '';
  const message = `The signature is valid, but its timestamp is ${seconds} s ${side} the callback’s arrival. Don’t trust a signature whose timestamp is off by more than ${tolerance} s${unless}.`;
  return made('valid', 'error', message);
}

/** The type of an event of docs/events.md, without `precipitation.`; the service writes it first. */
export function rainTypeOf({ body }: Pick<StoredCallback, 'body'>): string | undefined {
  return /^\s*\{\s*"type"\s*:\s*"precipitation\.([a-z]+)"/.exec(body.toString('latin1', 0, 100))?.[1];
}

/** Of the events in docs/events.md, only a start is the interface's event. */
function isFollowUp(callback: StoredCallback): boolean {
  return /^(?:expected|ended|canceled)$/.test(rainTypeOf(callback) ?? '');
}

/** By its ID, as the service writes it (docs/delivery.md). */
export function isTestEvent({ event }: Pick<EarlierCallback, 'event'>): boolean {
  return event.id?.startsWith('test_') === true;
}

/** By what is added to what this app sends again. */
export function isReplay({ headers }: Pick<StoredCallback, 'headers'>): boolean {
  return ['x-rainbell-replay', 'x-rainbell-forwarded'].some((name) => headerOf(headers, name) !== undefined);
}

/** What our service's User-Agent and header say; other services may send neither. */
const ownMarks = ({ headers }: Pick<StoredCallback, 'headers'>) =>
  headerOf(headers, 'rainbell-event') !== undefined ||
  headerOf(headers, 'user-agent')?.startsWith('Rainbell/') === true;
/** IDs of monitors have this form (docs/interface.md §2.2); those of other senders look like it without the type. */
const monitorIdForm = new RegExp(`^(?:${monitorTypes.join('|')})_\\d+$`);

/**
 * Whether something says that a request is a monitor's event: the path of a monitor, the sender, or the feed. Until the monitors
 * are loaded, an ID of the right form is enough.
 */
export function isMonitorEvent(
  callback: StoredCallback,
  { monitors, monitorsListedAt, ownOrigins }: Pick<EvidenceFacts, 'monitors' | 'monitorsListedAt' | 'ownOrigins'>,
): boolean {
  const { monitorId, feed, receivedAt } = callback;
  if (feed || ownMarks(callback)) return true;
  if (monitorId !== null && monitorIdForm.test(monitorId) && (!monitors || receivedAt > monitorsListedAt)) return true;
  const uris = monitors && urisByPath(monitors).get(normalTarget(callback.target));
  return uris?.some((uri) => isOwnPath(callback, uri, ownOrigins)) === true;
}

/** There may be thousands, and as many callbacks to judge. */
const pathsOf = new WeakMap<Monitors, ReadonlyMap<string, string[]>>();

function urisByPath(monitors: Monitors): ReadonlyMap<string, string[]> {
  const known = pathsOf.get(monitors);
  if (known) return known;
  const uris = [...new Set(monitors.values())].filter((uri) => uri !== null && URL.canParse(uri)) as string[];
  const paths = Map.groupBy(uris, normalTarget);
  pathsOf.set(monitors, paths);
  return paths;
}

type Signed = Pick<CallbackEvent, 'event' | 'signature'>;

function evidenceOf(callback: StoredCallback, signed: Signed, facts: EvidenceFacts): Evidence {
  const { monitorId } = callback;
  if (callback.isImported) return { counts: false, reason: 'it was imported from a file' };
  if (monitorId === null) return { counts: false, reason: 'its body does not name a monitor' };
  if (isReplay(callback)) return { counts: false, reason: 'Rainbell replayed or forwarded it' };
  const evidence = evidenceBySignature(callback, monitorId, signed, facts);
  if (!isTestEvent(signed)) return evidence;
  return { counts: false, reason: 'it is a test event', isProvenTest: evidence.counts === true };
}

const unsigned: Evidence = { counts: false, reason: 'it is not signed, although this service signs callbacks' };

function evidenceBySignature(
  callback: StoredCallback,
  monitorId: string,
  signed: Signed,
  facts: EvidenceFacts,
): Evidence {
  const { signing, connectionId } = facts;
  const { proof } = signed.signature;
  if (proof === 'wrong') return { counts: false, reason: 'its signature is not valid' };
  if (proof === 'missing' && signing.secrets.length > 0) return unsigned;
  const logged = evidenceByLog(callback, signed, facts.deliveryLog(monitorId), signing);
  if (logged) return logged;
  if (callback.feed && callback.feed.connectionId === connectionId)
    return { counts: true, reason: 'it is in the service’s feed' };
  if (proof === 'unchecked') return { counts: undefined, reason: 'no key is known for its signature scheme' };
  if (proof === 'valid') return { counts: true, reason: 'its signature is valid' };
  if (!signing.hasDeliveryLog) return evidenceByPath(callback, monitorId, facts);
  return proof === 'missing'
    ? unsigned
    : { counts: undefined, reason: 'there is no secret to verify its signature with' };
}

/** The log is the service's own record, so it decides if it is known to be complete. It has no test events. */
function evidenceByLog(
  { receivedAt, feed }: StoredCallback,
  { event }: Signed,
  log: KnownLog | undefined,
  { isClockMovable }: SigningFacts,
): Evidence | undefined {
  if (!log || event.id === undefined || isTestEvent({ event })) return undefined;
  const sentAt = log.events.get(event.id);
  if (sentAt !== undefined) return { counts: true, reason: 'it is in the service’s delivery log', sentAt };
  // An event of the feed may never be sent. A moved clock dates the entries of the log otherwise.
  const isCovered = !feed && !isClockMovable && receivedAt > log.from && receivedAt < log.to;
  return isCovered ? { counts: false, reason: 'it is not in the service’s delivery log' } : undefined;
}

function evidenceByPath(callback: StoredCallback, monitorId: string, facts: EvidenceFacts): Evidence {
  if (!facts.monitors) return { counts: undefined, reason: 'the monitors have not been fetched yet' };
  const uri = facts.monitors.get(monitorId);
  if (uri !== undefined && isOwnPath(callback, uri, facts.ownOrigins))
    return { counts: true, reason: 'it arrived at the monitor’s callback URL', isByPath: true };
  if (callback.receivedAt > facts.monitorsListedAt)
    return { counts: undefined, reason: 'the monitors have not been fetched since it arrived' };
  return uri === undefined
    ? { counts: false, reason: `${visibleText(monitorId, 60)} is not a monitor in this connection` }
    : { counts: false, reason: `it did not arrive at the callback URL of ${visibleText(monitorId, 60)}` };
}

/** A tunnel may keep the host of the callback URL, or put this receiver's in its place. */
export function isOwnPath(
  callback: Pick<StoredCallback, 'target' | 'headers'>,
  uri: string | null,
  ownOrigins: readonly string[],
): boolean {
  const url = URL.parse(uri ?? '');
  if (!url) return false;
  const { isPath, isHost } = arrivalAt(url, callback);
  return isPath && (isHost || ownOrigins.includes(url.origin));
}
