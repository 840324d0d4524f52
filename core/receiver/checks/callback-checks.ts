// Checks a callback against the interface: is it the POST of a Monitor object (docs/interface.md §2.2, §6), of a monitor of this
// application, sent to that monitor's own URL, not within one hour of the previous event (§8), and with a valid signature.
import { z } from 'zod';
import {
  eventIntervalSeconds,
  geoPointSchema,
  globePointSchema,
  isSamePlace,
  type LatLng,
  monitorTypes,
  rainEventSchema,
  toLatLng,
} from '@rainbell/contract/service-api';
import type {
  CallbackCheck,
  CallbackSummary,
  CheckVerdict,
  EpisodePart,
  VerdictName,
} from '@rainbell/contract/app-rpc';
import { formatInstant, formatSchemaError, isJsonObject, parseTimestamp, valueAt, visibleText } from '@rainbell/shared';
import { headerOf } from '../../http/http-headers.ts';
import type { StoredCallback } from '../records/stored-callback.ts';
import {
  checksOf,
  eventHeadersOf,
  isFollowUp,
  maxMonitorBytes,
  monitorOfBody,
  parseJson,
  type EarlierCallback,
} from './earlier-callback.ts';
import { arrivalAt } from '../requests/path-pattern.ts';
import { codingsOf, decodeAtOnce, textOfBytes } from '../../http/decode-body.ts';
import { type EventEvidence, type EvidenceFacts, isReplay, isTestEvent } from './event-evidence.ts';
import { checkSignature } from './signature-check.ts';

export type CheckFacts = Pick<EvidenceFacts, 'monitors' | 'monitorsListedAt' | 'signing'> & {
  monitorPlace: LatLng | undefined;
  evidence: EventEvidence;
  /** Previous callbacks of the same monitor, newest first. */
  earlier: readonly EarlierCallback[];
  /** Whether the store is damaged, so that the callbacks before this one are not certain. */
  isDamaged: boolean;
};

type MonitorBody = Record<string, unknown>;

export function checkCallback(callback: StoredCallback, facts: CheckFacts): CallbackCheck[] {
  if (callback.isBodyLost) return [checkRequest(callback), bodyLost];
  const body = parseObject(decodeAtOnce(callback, maxMonitorBytes), headerOf(callback.headers, 'content-type') ?? '');
  const event = rainEventIn(body);
  const monitor = monitorOfBody(body);
  return [
    checkRequest(callback),
    event ?? checkMonitor(body, callback),
    ...(monitor
      ? [
          checkRegistered(monitor, callback, facts),
          checkAddress(monitor, callback),
          ...(isFollowUp(callback) ? [] : [checkHour(callback, facts)]),
        ]
      : []),
    checkSignature(callback, facts.signing, facts.earlier),
    ...(facts.isDamaged ? [storeDamaged] : []),
  ];
}

const ofStorage = checksOf('storage');
const bodyLost = ofStorage(
  'warning',
  'The stored body is lost or damaged, so neither the monitor nor the signature can be checked.',
);
const storeDamaged = ofStorage(
  'warning',
  'The database is damaged, so this verdict may be based on damaged data. Restart Rainbell to open its newest copy.',
);

/** The worst; an unknown result does not outweigh a known one. */
export function worstVerdict(checks: readonly CallbackCheck[]): CheckVerdict {
  const verdicts = checks.map(({ verdict }) => verdict);
  return (['error', 'warning', 'ok'] as const).find((verdict) => verdicts.includes(verdict)) ?? 'unknown';
}

export function kindOf(
  callback: Pick<StoredCallback, 'headers' | 'monitorId'>,
  { evidence, earlier }: Pick<CheckFacts, 'evidence' | 'earlier'>,
): CallbackSummary['kind'] {
  if (isTestEvent(callback)) return 'test';
  if (callback.monitorId === null) return 'other';
  const eventId = headerOf(callback.headers, 'webhook-id');
  const isSeen = earlier.some((other) => other.counts !== false && eventId !== undefined && other.event.id === eventId);
  if (isSeen) return 'retry';
  // If unknown, shown as the likeliest.
  return evidence.counts === false ? 'other' : 'event';
}

/** The verdict in one name (contract/app-rpc/callback-verdicts.ts). Not for refused requests, which have no checks. */
export function verdictNameOf(
  callback: StoredCallback,
  checks: readonly CallbackCheck[],
  { evidence, signing }: Pick<CheckFacts, 'evidence' | 'signing'>,
): VerdictName {
  const has = (check: CallbackCheck['check']) => checks.some((one) => one.check === check && one.verdict === 'error');
  if (callback.monitorId === null) return 'request';
  if (has('signature')) return 'invalid';
  if (isTestEvent(callback) || callback.isImported || isReplay(callback)) return 'request';
  const breach = checks.find((one) => one.breach !== undefined)?.breach;
  if (breach) return breach;
  if (has('monitor') || has('request')) return 'invalid';
  if (evidence.counts === true) return nameOfEvent(callback, checks, evidence);
  if (evidence.counts === undefined) return 'unknown';
  const signs = signing.secrets.length > 0 || signing.hasDeliveryLog === true;
  return signs && !isSignedCallback(callback) ? 'unsigned' : 'request';
}

/**
 * Only a right signature proves an event, or the feed, which the app reads itself. It does not make the event right: it may be for another
 * path, of an unknown monitor, or a recording.
 */
function nameOfEvent(
  callback: StoredCallback,
  checks: readonly CallbackCheck[],
  { sentAt }: EventEvidence,
): VerdictName {
  const verdictOf = (check: CallbackCheck['check']) => checks.find((one) => one.check === check)?.verdict;
  const isSigned = isSignedCallback(callback);
  if (verdictOf('address') === 'error' || (verdictOf('signature') === 'warning' && isSigned)) return 'invalid';
  if (verdictOf('signature') !== 'ok' && !callback.feed) return isSigned ? 'signed' : 'unsigned';
  // The service's log or feed knows monitors that were deleted or moved since.
  const isKnown = verdictOf('registered') !== 'warning' || sentAt !== undefined || callback.feed !== undefined;
  return isKnown ? 'verified' : 'signed';
}

function isSignedCallback({ headers }: StoredCallback): boolean {
  return headerOf(headers, 'webhook-signature') !== undefined;
}

function parseObject(body: Buffer | undefined, contentType: string): MonitorBody | undefined {
  const value = body && body.length <= maxMonitorBytes ? parseJson(textOfBytes(body, contentType)) : undefined;
  return isJsonObject(value) ? value : undefined;
}

function checkRequest({ method, headers }: StoredCallback): CallbackCheck {
  const type = headerOf(headers, 'content-type')?.split(';')[0]?.trim().toLowerCase();
  const faults = [
    ...(method === 'POST' ? [] : [`The method is ${method} instead of POST.`]),
    ...(type === 'application/json' ? [] : [contentTypeFault(type)]),
  ];
  const made = checksOf('request');
  if (faults.length > 0) return made(method === 'POST' ? 'warning' : 'error', faults.join(' '));
  const codings = codingsOf(headers).join(', ').slice(0, 100);
  return made('ok', codings === '' ? 'A JSON POST request.' : `A JSON POST request, encoded with ${codings}.`);
}

function contentTypeFault(type: string | undefined): string {
  return type === undefined
    ? 'The content type is missing; it must be application/json.'
    : `The content type is ${type} instead of application/json.`;
}

/** The fields of docs/interface.md §2.2, all guaranteed but `uri`. */
const monitorIdPattern = /^[a-z_]+_\d+$/;
const sentMonitorSchema = z.object({
  id: z.string().regex(monitorIdPattern, 'must have the form <monitor_type>_<digits>'),
  monitor_type: z.enum(monitorTypes),
  callback_uri: z.string().refine((text) => URL.canParse(text), 'must be a URL'),
  geo: globePointSchema,
  uri: z.string().optional(),
});

const ofMonitor = checksOf('monitor');

function checkMonitor(body: MonitorBody | undefined, callback: StoredCallback): CallbackCheck {
  if (!body) return ofMonitor('error', whyNoObject(callback));
  const issues = sentMonitorSchema.safeParse(body).error?.issues ?? [];
  const isMissing = ({ path }: z.core.$ZodIssue) => path.length > 0 && valueAt(body, path) === undefined;
  const missing = issues.filter(isMissing).map(({ path }) => path.join('.'));
  const wrong = issues.filter((issue) => !isMissing(issue)).map((issue) => formatSchemaError(issue, body, 'The body'));
  const extra = Object.keys(body).filter((field) => !Object.hasOwn(sentMonitorSchema.shape, field));
  const faults = [
    ...(missing.length > 0 ? [`missing: ${missing.join(', ')}`] : []),
    ...wrong,
    ...(extra.length > 0 ? [`not in the API spec: ${extra.slice(0, 10).join(', ')}`] : []),
  ];
  if (faults.length === 0) return ofMonitor('ok', 'The body is a Monitor object.');
  return ofMonitor(issues.length > 0 ? 'error' : 'warning', `Differs from the Monitor object: ${faults.join('; ')}.`);
}

/** The check of an event that the monitor's owner chose (docs/events.md); undefined for anything else. */
function rainEventIn(body: MonitorBody | undefined): CallbackCheck | undefined {
  if (!body || monitorOfBody(body) === body) return undefined;
  const issue = rainEventSchema.safeParse(body).error?.issues[0];
  if (!issue) return ofMonitor('ok', `The body is a ${String(body['type'])} event.`);
  return ofMonitor('error', `Differs from the event: ${formatSchemaError(issue, body, 'The body')}.`);
}

type EpisodeEvent = Omit<EpisodePart, 'callbackId'> & { episodeId: string };

/** Returns the episode that an event of docs/events.md is about, and its part of it, or undefined. The service writes the type first. */
export function episodeEventOf({ body }: Pick<StoredCallback, 'body'>): EpisodeEvent | undefined {
  if (!/^\s*\{\s*"type"\s*:\s*"precipitation\./.test(body.toString('latin1', 0, 100))) return undefined;
  if (body.length > maxMonitorBytes) return undefined;
  const { type, data } = rainEventSchema.safeParse(parseJson(body.toString())).data ?? {};
  if (!type || !data) return undefined;
  const start = data.started_at ?? data.expected_start?.at;
  const at = parseTimestamp((type === 'precipitation.ended' ? data.ended_at : start) ?? '');
  return {
    episodeId: data.episode_id,
    type,
    at: at === undefined ? null : formatInstant(at),
    amount: data.precipitation_amount,
  };
}

function whyNoObject({ headers, body, truncated }: StoredCallback): string {
  const codings = codingsOf(headers);
  if (truncated) return 'The body was truncated at the receiver’s limit, so it can’t be read.';
  if (body.length > maxMonitorBytes) return `The body is ${body.length} bytes, far larger than a Monitor object.`;
  if (codings.length > 0 && !decodeAtOnce({ headers, body, truncated }, maxMonitorBytes))
    return `The body has the Content-Encoding ${codings.join(', ').slice(0, 100)} and can’t be decoded.`;
  return 'The body is not a JSON object.';
}

const maxMonitorIdLength = 100;

function checkRegistered(
  body: MonitorBody,
  { receivedAt }: StoredCallback,
  { monitors, monitorsListedAt, monitorPlace, evidence }: CheckFacts,
): CallbackCheck {
  const made = checksOf('registered');
  const id = typeof body['id'] === 'string' ? body['id'] : '';
  if (id.length > maxMonitorIdLength || !monitorIdPattern.test(id))
    return made('unknown', 'The body does not name a monitor.');
  if (!monitors) return made('unknown', 'This connection’s monitors have not been fetched yet.');
  if (!monitors.has(id) && receivedAt > monitorsListedAt)
    return made('unknown', `${id} is not in the list of monitors, which was fetched before this callback arrived.`);
  if (!monitors.has(id)) return made('warning', `${id} is not a monitor in this connection. It may have been deleted.`);
  const point = geoPointSchema.safeParse(body['geo']).data;
  if (monitorPlace && point && !isSamePlace(toLatLng(point), monitorPlace))
    return made(
      'warning',
      `The body’s location is ${placeText(toLatLng(point))}, but ${id} is at ${placeText(monitorPlace)}. It may have been moved since.`,
    );
  if (evidence.isByPath) return made('ok', 'Matched by callback path; this service does not sign callbacks.');
  if (evidence.counts !== false) return made('ok', `${id} is a monitor in this connection.`);
  return made('warning', `The body names ${id} as its monitor, but that is not proven, because ${evidence.reason}.`);
}

function placeText({ lat, lng }: LatLng): string {
  return `${lat}, ${lng}`;
}

function checkAddress(body: MonitorBody, callback: StoredCallback): CallbackCheck {
  const made = checksOf('address');
  const { target, feed } = callback;
  if (feed)
    return made('ok', 'The callback was read from the feed, so nothing was sent to the monitor’s callback_uri.');
  const address = typeof body['callback_uri'] === 'string' ? URL.parse(body['callback_uri']) : null;
  if (!address) return made('unknown', 'The body has no callback_uri to compare with.');
  const { isPath, isHost } = arrivalAt(address, callback);
  if (!isPath)
    return made(
      'error',
      `The callback arrived at ${visibleText(target, 120)}, but the monitor’s callback_uri has the path ${visibleText(address.pathname + address.search, 120)}.`,
    );
  if (isHost) return made('ok', 'The callback arrived at the monitor’s callback_uri.');
  // A tunnel in between changes the host, which is not an error.
  return made(
    'ok',
    `The callback arrived at the path of the monitor’s callback_uri, but through a host other than ${address.host}.`,
  );
}

/** Tolerance of the hour rule: the service applies it when an event happens, callbacks arrive seconds later. */
const deliverySeconds = 15;

const ofHour = checksOf('hour');

function checkHour(callback: StoredCallback, { evidence, earlier }: CheckFacts): CallbackCheck {
  if (isTestEvent(callback)) return ofHour('ok', 'A test event. It doesn’t start a cool-down.');
  if (evidence.counts !== true) return ofHour('unknown', `Not counted as an event, because ${evidence.reason}.`);
  const events = earlier.filter((other) => other.counts === true && other.isFollowUp !== true);
  const eventId = headerOf(callback.headers, 'webhook-id');
  const isSameEvent = (other: EarlierCallback) => eventId !== undefined && other.event.id === eventId;
  const first = events.findLast(isSameEvent);
  if (first) return ofHour('ok', sameEventText(callback, first));
  return checkDistance(nearestEvent(callback, evidence, events));
}

function sameEventText({ feed }: StoredCallback, first: EarlierCallback): string {
  if (feed) return `The same event as callback ${first.id}, which arrived as a request.`;
  if (first.feed) return `The same event as callback ${first.id}, which was read from the feed.`;
  return `Another attempt to deliver the event in callback ${first.id}.`;
}

type Neighbor = { before: EarlierCallback; apart: number };

/** The nearest in time: events can arrive in another order than they were sent. */
function nearestEvent(
  callback: StoredCallback,
  { sentAt }: EventEvidence,
  events: readonly EarlierCallback[],
): Neighbor | undefined {
  const { receivedAt, headers, feed } = callback;
  const after = { receivedAt, event: eventHeadersOf(headers), sentAt, feed };
  return events
    .map((before) => ({ before, apart: secondsBetween(firstOfItsEvent(before, events), after) }))
    .toSorted((one, other) => Math.abs(one.apart) - Math.abs(other.apart))[0];
}

function checkDistance(nearest: Neighbor | undefined): CallbackCheck {
  if (!nearest) return ofHour('ok', 'The first event received for this monitor.');
  const { before, apart } = nearest;
  const distance = Math.abs(apart);
  const isTooSoon = distance < eventIntervalSeconds;
  const rule = 'Events are guaranteed to be at least 1 h apart.';
  if (apart < 0) {
    const message = `Sent out of order: its timestamp is ${duration(distance)} before that of callback ${before.id}.`;
    return isTooSoon
      ? ofHour('error', `${message} ${rule}`, 'out-of-order')
      : ofHour('warning', message, 'out-of-order');
  }
  if (!isTooSoon) return ofHour('ok', `${duration(apart)} after the previous event.`);
  const message = `Only ${duration(apart)} after the event in callback ${before.id}. ${rule}`;
  const isTolerated = distance >= eventIntervalSeconds - deliverySeconds;
  return isTolerated ? ofHour('warning', message) : ofHour('error', message, 'too-soon');
}

function firstOfItsEvent(callback: EarlierCallback, earlier: readonly EarlierCallback[]): EarlierCallback {
  const { id } = callback.event;
  return earlier.findLast((other) => id !== undefined && other.event.id === id) ?? callback;
}

type Timed = Pick<EarlierCallback, 'receivedAt' | 'event' | 'sentAt' | 'feed'>;

/**
 * By the service's log, or by the sender's clock if both callbacks contain it (a sandbox's clock may be moved), otherwise by ours.
 */
function secondsBetween(before: Timed, after: Timed): number {
  const [sentBefore, sentAfter] = [before.sentAt ?? before.feed?.occurredAt, after.sentAt ?? after.feed?.occurredAt];
  if (sentBefore !== undefined && sentAfter !== undefined) return (sentAfter - sentBefore) / 1000;
  const [from, to] = [secondsOf(before), secondsOf(after)];
  if (Number.isFinite(from) && Number.isFinite(to)) return to - from;
  return (after.receivedAt - before.receivedAt) / 1000;
}

/** By the sender's clock. The feed is signed when it is read, which may be hours after the event. */
function secondsOf({ event, feed }: Timed): number {
  return feed ? feed.occurredAt / 1000 : Number(event.timestamp ?? Number.NaN);
}

function duration(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  return [hours && `${hours} h`, minutes && `${minutes} min`, (rest || whole === 0) && `${rest} s`]
    .filter(Boolean)
    .join(' ');
}
