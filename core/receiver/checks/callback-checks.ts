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
import { arrivalAt } from '../requests/path-pattern.ts';
import { codingsOf, decodeAtOnce, textOfBytes } from '../../http/decode-body.ts';
import {
  type CallbackEvent,
  type EarlierCallback,
  type EvidenceFacts,
  isOwnPath,
  isReplay,
  isTestEvent,
  rainTypeOf,
} from './event-evidence.ts';
import { maxMonitorBytes, monitorOfBody, parseJson } from './monitor-body.ts';

export type CheckFacts = EvidenceFacts & {
  placeOf: (monitorId: string) => LatLng | undefined;
  /** Whether the store is damaged, so that the callbacks before this one are not certain. */
  isDamaged: boolean;
};

/** `hour`: decided by the hour rule only (docs/interface.md §8). */
export type Judged = Pick<
  CallbackSummary,
  'verdict' | 'verdictName' | 'kind' | 'isMonitorOwn' | 'sender' | 'eventType' | 'episodeId'
> & {
  checks: CallbackCheck[];
  hour: CheckVerdict;
  /** Not judged as a monitor's event. */
  isOther?: true;
};

/** What is the same in all results that are not of an event. */
export const otherResult = { kind: 'other', isMonitorOwn: false, hour: 'unknown' } as const;

/** `earlier`: callbacks with the same event and, of one that counts, the last ones of the same monitor, newest first. */
export function judgeEvent(
  callback: StoredCallback,
  event: CallbackEvent,
  earlier: readonly EarlierCallback[],
  facts: CheckFacts,
): Judged {
  const checks = checkCallback(callback, event, earlier, facts);
  const part = episodeEventOf(callback);
  return {
    checks,
    verdict: worstVerdict(checks),
    verdictName: verdictNameOf(callback, event, checks, facts),
    kind: kindOf(callback, event, earlier),
    isMonitorOwn: isMonitorOwn(callback, event, facts),
    hour: checks.find(({ check }) => check === 'hour')?.verdict ?? 'unknown',
    ...(part && { eventType: part.type, episodeId: part.episodeId }),
  };
}

/** The worst; an unknown result does not outweigh a known one. */
export function worstVerdict(checks: readonly CallbackCheck[]): CheckVerdict {
  const verdicts = checks.map(({ verdict }) => verdict);
  return (['error', 'warning', 'ok'] as const).find((verdict) => verdicts.includes(verdict)) ?? 'unknown';
}

export function kindOf(
  { monitorId }: Pick<StoredCallback, 'monitorId'>,
  event: Pick<EarlierCallback, 'event' | 'counts'>,
  earlier: readonly EarlierCallback[],
): CallbackSummary['kind'] {
  if (isTestEvent(event)) return 'test';
  if (monitorId === null) return 'other';
  if (earlier.some((other) => other.counts !== false && isSameEvent(other, event))) return 'retry';
  // If unknown, shown as the likeliest.
  return event.counts === false ? 'other' : 'event';
}

function isSameEvent(one: Pick<EarlierCallback, 'event'>, other: Pick<EarlierCallback, 'event'>): boolean {
  return one.event.id !== undefined && one.event.id === other.event.id;
}

/** Until the monitors are known, no claim is doubted. */
function isMonitorOwn(
  callback: StoredCallback,
  { counts, isProvenTest }: CallbackEvent,
  { monitors, ownOrigins }: CheckFacts,
): boolean {
  if (callback.monitorId === null || callback.isImported) return false;
  if (!monitors || counts === true || isProvenTest === true) return true;
  return isOwnPath(callback, monitors.get(callback.monitorId) ?? null, ownOrigins);
}

/** The verdict in one name (contract/app-rpc/callback-verdicts.ts). Not for refused requests, which have no checks. */
export function verdictNameOf(
  callback: StoredCallback,
  event: CallbackEvent,
  checks: readonly CallbackCheck[],
  { signing }: Pick<CheckFacts, 'signing'>,
): VerdictName {
  const has = (check: CallbackCheck['check']) => checks.some((one) => one.check === check && one.verdict === 'error');
  if (callback.monitorId === null) return 'request';
  if (has('signature')) return 'invalid';
  if (isTestEvent(event) || callback.isImported || isReplay(callback)) return 'request';
  const breach = checks.find((one) => one.breach !== undefined)?.breach;
  if (breach) return breach;
  if (has('monitor') || has('request')) return 'invalid';
  if (event.counts === true) return nameOfEvent(event, checks);
  if (event.counts === undefined) return 'unknown';
  const signs = signing.secrets.length > 0 || signing.hasDeliveryLog === true;
  return signs && event.signature.proof === 'missing' ? 'unsigned' : 'request';
}

/**
 * Only a right signature proves an event, or the feed, which the app reads itself. It does not make the event right: it may be for another
 * path, of an unknown monitor, or a recording.
 */
function nameOfEvent({ signature, feed, sentAt }: CallbackEvent, checks: readonly CallbackCheck[]): VerdictName {
  const verdictOf = (check: CallbackCheck['check']) => checks.find((one) => one.check === check)?.verdict;
  const isSigned = signature.proof !== 'missing';
  if (verdictOf('address') === 'error' || (verdictOf('signature') === 'warning' && isSigned)) return 'invalid';
  if (verdictOf('signature') !== 'ok' && !feed) return isSigned ? 'signed' : 'unsigned';
  // The service's log or feed knows monitors that were deleted or moved since.
  const isKnown = verdictOf('registered') !== 'warning' || sentAt !== undefined || feed !== undefined;
  return isKnown ? 'verified' : 'signed';
}

function checksOf(check: CallbackCheck['check']) {
  return (verdict: CheckVerdict, message: string, breach?: CallbackCheck['breach']): CallbackCheck => ({
    check,
    verdict,
    ...(breach && { breach }),
    message,
  });
}

type MonitorBody = Record<string, unknown>;

export function checkCallback(
  callback: StoredCallback,
  event: CallbackEvent,
  earlier: readonly EarlierCallback[],
  facts: CheckFacts,
): CallbackCheck[] {
  if (callback.isBodyLost) return [checkRequest(callback), bodyLost];
  const body = readBody(callback);
  const monitor = typeof body === 'string' ? undefined : monitorOfBody(body);
  return [
    checkRequest(callback),
    typeof body === 'string' ? ofMonitor('error', body) : body === monitor ? checkMonitor(body) : checkRainEvent(body),
    ...(monitor
      ? [
          checkRegistered(monitor, callback, event, facts),
          checkAddress(monitor, callback),
          ...(event.isFollowUp ? [] : [checkHour(event, earlier)]),
        ]
      : []),
    checkReplay(event, earlier),
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

/** Returns the JSON object that the body is; a sentence if it is none. */
function readBody(callback: StoredCallback): MonitorBody | string {
  const { headers, body, truncated } = callback;
  const decoded = decodeAtOnce(callback, maxMonitorBytes);
  const isShort = decoded && decoded.length <= maxMonitorBytes;
  const value = isShort ? parseJson(textOfBytes(decoded, headerOf(headers, 'content-type') ?? '')) : undefined;
  if (isJsonObject(value)) return value;
  if (truncated) return 'The body was truncated at the receiver’s limit, so it can’t be read.';
  if (body.length > maxMonitorBytes) return `The body is ${body.length} bytes, far larger than a Monitor object.`;
  return decoded
    ? 'The body is not a JSON object.'
    : `The body has the Content-Encoding ${codingText(headers)} and can’t be decoded.`;
}

function codingText(headers: StoredCallback['headers']): string {
  return codingsOf(headers).join(', ').slice(0, 100);
}

function checkRequest({ method, headers }: StoredCallback): CallbackCheck {
  const made = checksOf('request');
  const type = headerOf(headers, 'content-type')?.split(';')[0]?.trim().toLowerCase();
  const typeFault =
    type === undefined
      ? 'The content type is missing; it must be application/json.'
      : `The content type is ${type} instead of application/json.`;
  const faults = [
    ...(method === 'POST' ? [] : [`The method is ${method} instead of POST.`]),
    ...(type === 'application/json' ? [] : [typeFault]),
  ];
  if (faults.length > 0) return made(method === 'POST' ? 'warning' : 'error', faults.join(' '));
  const codings = codingText(headers);
  return made('ok', codings === '' ? 'A JSON POST request.' : `A JSON POST request, encoded with ${codings}.`);
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

function checkMonitor(body: MonitorBody): CallbackCheck {
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

/** Checks an event that the monitor's owner chose (docs/events.md). */
function checkRainEvent(body: MonitorBody): CallbackCheck {
  const issue = rainEventSchema.safeParse(body).error?.issues[0];
  if (!issue) return ofMonitor('ok', `The body is a ${String(body['type'])} event.`);
  return ofMonitor('error', `Differs from the event: ${formatSchemaError(issue, body, 'The body')}.`);
}

type EpisodeEvent = Omit<EpisodePart, 'callbackId'> & { episodeId: string };

/** Returns the episode that an event of docs/events.md is about, and its part of it, or undefined. */
export function episodeEventOf({ body }: Pick<StoredCallback, 'body'>): EpisodeEvent | undefined {
  if (rainTypeOf({ body }) === undefined || body.length > maxMonitorBytes) return undefined;
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

const maxMonitorIdLength = 100;

function checkRegistered(
  body: MonitorBody,
  { receivedAt, monitorId }: StoredCallback,
  { counts, reason, isByPath }: CallbackEvent,
  { monitors, monitorsListedAt, placeOf }: CheckFacts,
): CallbackCheck {
  const made = checksOf('registered');
  const id = typeof body['id'] === 'string' ? body['id'] : '';
  if (id.length > maxMonitorIdLength || !monitorIdPattern.test(id))
    return made('unknown', 'The body does not name a monitor.');
  if (!monitors) return made('unknown', 'This connection’s monitors have not been fetched yet.');
  if (!monitors.has(id) && receivedAt > monitorsListedAt)
    return made('unknown', `${id} is not in the list of monitors, which was fetched before this callback arrived.`);
  if (!monitors.has(id)) return made('warning', `${id} is not a monitor in this connection. It may have been deleted.`);
  const place = placeOf(monitorId ?? '');
  const point = geoPointSchema.safeParse(body['geo']).data;
  if (place && point && !isSamePlace(toLatLng(point), place))
    return made(
      'warning',
      `The body’s location is ${placeText(toLatLng(point))}, but ${id} is at ${placeText(place)}. It may have been moved since.`,
    );
  if (isByPath) return made('ok', 'Matched by callback path; this service does not sign callbacks.');
  if (counts !== false) return made('ok', `${id} is a monitor in this connection.`);
  return made('warning', `The body names ${id} as its monitor, but that is not proven, because ${reason}.`);
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

function checkHour(event: CallbackEvent, earlier: readonly EarlierCallback[]): CallbackCheck {
  if (isTestEvent(event)) return ofHour('ok', 'A test event. It doesn’t start a cool-down.');
  if (event.counts !== true) return ofHour('unknown', `Not counted as an event, because ${event.reason}.`);
  const events = earlier.filter((other) => other.counts === true && other.isFollowUp !== true);
  const firstOf = (one: EarlierCallback) => events.findLast((other) => isSameEvent(other, one));
  const first = firstOf(event);
  if (first) return ofHour('ok', sameEventText(event, first));
  // The nearest in time: events can arrive in another order than they were sent.
  const [nearest] = events
    .map((before) => ({ before, apart: secondsBetween(firstOf(before) ?? before, event) }))
    .toSorted((one, other) => Math.abs(one.apart) - Math.abs(other.apart));
  return nearest ? checkDistance(nearest) : ofHour('ok', 'The first event received for this monitor.');
}

function sameEventText({ feed }: CallbackEvent, first: EarlierCallback): string {
  if (feed) return `The same event as callback ${first.id}, which arrived as a request.`;
  if (first.feed) return `The same event as callback ${first.id}, which was read from the feed.`;
  return `Another attempt to deliver the event in callback ${first.id}.`;
}

function checkDistance({ before, apart }: { before: EarlierCallback; apart: number }): CallbackCheck {
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

type Clock = (callback: EarlierCallback) => number;

/** Clocks of both callbacks, in seconds: the service's log or feed, then the sender's, because a sandbox's may be moved. */
const clocks: readonly Clock[] = [
  ({ sentAt, feed }) => (sentAt ?? feed?.occurredAt ?? Number.NaN) / 1000,
  // The feed is signed when it is read, which may be hours after the event.
  ({ event, feed }) => (feed ? feed.occurredAt / 1000 : Number(event.timestamp ?? Number.NaN)),
];
const ourClock: Clock = ({ receivedAt }) => receivedAt / 1000;

function secondsBetween(before: EarlierCallback, after: EarlierCallback): number {
  const clock = clocks.find((one) => Number.isFinite(one(before)) && Number.isFinite(one(after))) ?? ourClock;
  return clock(after) - clock(before);
}

function duration(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  return [hours && `${hours} h`, minutes && `${minutes} min`, (rest || whole === 0) && `${rest} s`]
    .filter(Boolean)
    .join(' ');
}

export function checkReplay(
  { signature, event, feed }: CallbackEvent,
  earlier: readonly EarlierCallback[],
): CallbackCheck {
  const made = checksOf('signature');
  // The feed signs when it is read, maybe in the second of the callback.
  const isSame = (other: EarlierCallback) =>
    other.event.id === event.id &&
    other.event.timestamp === event.timestamp &&
    (other.feed === undefined) === (feed === undefined);
  const replayed = signature.proof === 'valid' ? earlier.find(isSame) : undefined;
  return replayed
    ? made('warning', `The signature is valid, but callback ${replayed.id} already used it, so this is a replay.`)
    : made(signature.verdict, signature.message);
}
