// Holds a callback against the interface: is it the POST of a Monitor object (docs/interface.md §2.2, §6), of a monitor
// that this application has, sent to that monitor's own address, not within the hour of the event before (§8), and
// rightly signed.
import { z } from 'zod';
import { eventIntervalSeconds, monitorTypes } from '#contract/service-api/monitor.ts';
import { latitudeSchema, longitudeSchema } from '#contract/service-api/geo.ts';
import type { CallbackCheck, CallbackSummary, Verdict } from '#contract/app-rpc/callbacks.ts';
import { formatSchemaError } from '#shared/errors/schema-error.ts';
import {
  eventHeadersOf,
  headerOf,
  type CheckedCallback,
  type EarlierCallback,
  type EventHeaders,
} from './checked-callback.ts';
import { codingsOf, decodeAtOnce } from './decode-body.ts';
import type { Standing } from './event-evidence.ts';
import { checkSignature, type SigningFacts } from './signature-check.ts';

export type CheckFacts = {
  /** Callback URLs of the active connection's monitors by ID; undefined before they were fetched. */
  monitors: ReadonlyMap<string, string | null> | undefined;
  /** Whether it counts as an event. */
  standing: Standing;
  /** Callbacks of the same monitor before this one, the newest first. */
  earlier: readonly EarlierCallback[];
  signing: SigningFacts;
  /** Why the callbacks before this one are not certain; undefined if they are. */
  doubt?: StoreDoubt | undefined;
};

/** `lost`: some before this one were lost when the store was damaged. `damaged`: the store is damaged now. */
export type StoreDoubt = 'lost' | 'damaged';

type MonitorBody = Record<string, unknown>;

/** A Monitor with the longest callback address is far below it; a longer body is not parsed at all. */
const longestMonitorBytes = 64 * 1024;

export function checkCallback(callback: CheckedCallback, facts: CheckFacts): CallbackCheck[] {
  if (callback.isBodyLost) return [checkRequest(callback), bodyLost];
  const body = parseObject(decodeAtOnce(callback, longestMonitorBytes));
  return [
    checkRequest(callback),
    checkMonitor(body, callback),
    ...(body ? [checkRegistered(body, facts), checkAddress(body, callback), checkHour(callback, facts)] : []),
    checkSignature(callback, facts.signing, facts.earlier),
    ...(facts.doubt ? [doubts[facts.doubt]] : []),
  ];
}

const bodyLost: CallbackCheck = {
  check: 'storage',
  verdict: 'warning',
  message: 'The stored body is lost or damaged, so neither the monitor nor the signature can be checked.',
};

const doubts: Readonly<Record<StoreDoubt, CallbackCheck>> = {
  lost: {
    check: 'storage',
    verdict: 'warning',
    message:
      'Callbacks before this one were lost when the store was damaged, so the time since the last event and a repeated signature are not certain.',
  },
  damaged: {
    check: 'storage',
    verdict: 'warning',
    message: 'The store is damaged until Rainbell restarts, so this verdict may rest on damaged data.',
  },
};

/** The worst; what is not known does no harm beside what is. */
export function worstVerdict(checks: readonly CallbackCheck[]): Verdict {
  const verdicts = checks.map(({ verdict }) => verdict);
  return (['error', 'warning', 'ok'] as const).find((verdict) => verdicts.includes(verdict)) ?? 'unknown';
}

export function kindOf(
  { headers, monitorId }: Pick<CheckedCallback, 'headers'> & { monitorId: string | null },
  { standing, earlier }: Pick<CheckFacts, 'standing' | 'earlier'>,
): CallbackSummary['kind'] {
  const eventId = headerOf(headers, 'webhook-id');
  if (eventId?.startsWith('test_')) return 'test';
  if (monitorId === null) return 'other';
  const isSeen = earlier.some((other) => other.counts !== false && eventId !== undefined && other.event.id === eventId);
  if (isSeen) return 'retry';
  // What is not known yet is shown as what it most likely is.
  return standing.counts === false ? 'other' : 'event';
}

function parseObject(body: Buffer | undefined): MonitorBody | undefined {
  if (!body || body.length > longestMonitorBytes) return undefined;
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as MonitorBody) : undefined;
  } catch {
    return undefined;
  }
}

function checkRequest({ method, headers }: CheckedCallback): CallbackCheck {
  const type = headerOf(headers, 'content-type')?.split(';')[0]?.trim().toLowerCase();
  const faults = [
    ...(method === 'POST' ? [] : [`the method is ${method} instead of POST`]),
    ...(type === 'application/json' ? [] : [`the content type is ${type ?? 'missing'} instead of application/json`]),
  ];
  const codings = codingsOf(headers);
  const encoded = codings.length === 0 ? '' : `, encoded with ${codings.join(', ').slice(0, 100)}`;
  if (faults.length === 0) return { check: 'request', verdict: 'ok', message: `A POST of JSON${encoded}.` };
  return { check: 'request', verdict: method === 'POST' ? 'warning' : 'error', message: `${sentence(faults)}.` };
}

/** The fields of docs/interface.md §2.2, all guaranteed but `uri`. */
const sentMonitorSchema = z.object({
  id: z.string().regex(/^[a-z_]+_\d+$/, 'must be of the form <monitor_type>_<digits>'),
  monitor_type: z.enum(monitorTypes),
  callback_uri: z.string().refine((text) => URL.canParse(text), 'must be an address'),
  geo: z.object({ type: z.literal('Point'), coordinates: z.tuple([longitudeSchema, latitudeSchema]) }),
  uri: z.string().optional(),
});

function checkMonitor(body: MonitorBody | undefined, callback: CheckedCallback): CallbackCheck {
  const check = 'monitor';
  if (!body) {
    return { check, verdict: 'error', message: `${whyNoObject(callback)}.` };
  }
  const issues = sentMonitorSchema.safeParse(body).error?.issues ?? [];
  const isMissing = ({ path }: z.core.$ZodIssue) => path.length === 1 && !Object.hasOwn(body, path[0] ?? '');
  const missing = issues.filter(isMissing).map(({ path }) => String(path[0]));
  const wrong = issues.filter((issue) => !isMissing(issue)).map((issue) => formatSchemaError(issue, body, 'The body'));
  const extra = Object.keys(body).filter((field) => !Object.hasOwn(sentMonitorSchema.shape, field));
  const faults = [
    ...(missing.length > 0 ? [`missing: ${missing.join(', ')}`] : []),
    ...wrong,
    ...(extra.length > 0 ? [`the interface does not know ${extra.slice(0, 10).join(', ')}`] : []),
  ];
  if (faults.length === 0) return { check, verdict: 'ok', message: 'A Monitor object.' };
  return {
    check,
    verdict: issues.length > 0 ? 'error' : 'warning',
    message: `Differs from the Monitor object: ${faults.join('; ')}.`,
  };
}

function whyNoObject({ headers, body, truncated }: CheckedCallback): string {
  const codings = codingsOf(headers);
  if (truncated) return 'The body was cut at the receiver’s limit, so it cannot be read';
  if (body.length > longestMonitorBytes) return `The body has ${body.length} bytes, far more than a Monitor object`;
  if (codings.length > 0 && !decodeAtOnce({ headers, body, truncated }, longestMonitorBytes))
    return `The body has the Content-Encoding ${codings.join(', ').slice(0, 100)} and can’t be decoded`;
  return 'The body is not a JSON object';
}

function checkRegistered(body: MonitorBody, { monitors, standing }: CheckFacts): CallbackCheck {
  const check = 'registered';
  const id = typeof body['id'] === 'string' ? body['id'] : 'The monitor';
  if (!monitors)
    return { check, verdict: 'unknown', message: 'The monitors of this connection have not been fetched yet.' };
  if (!monitors.has(id))
    return { check, verdict: 'warning', message: `${id} is not (or no longer) a monitor of this connection.` };
  if (standing.isByPath)
    return { check, verdict: 'ok', message: 'Matched by callback path; this service does not sign.' };
  if (standing.counts !== false) return { check, verdict: 'ok', message: `${id} is a monitor of this connection.` };
  return {
    check,
    verdict: 'warning',
    message: `The body claims ${id}, but that is not proven, because ${standing.reason}.`,
  };
}

function checkAddress(body: MonitorBody, { target, headers }: CheckedCallback): CallbackCheck {
  const check = 'address';
  const address = typeof body['callback_uri'] === 'string' ? URL.parse(body['callback_uri']) : null;
  if (!address) return { check, verdict: 'unknown', message: 'The body names no callback_uri to compare with.' };
  if (address.pathname + address.search !== target) {
    return {
      check,
      verdict: 'error',
      message: `It came to ${target}, but its callback_uri says ${address.pathname + address.search}.`,
    };
  }
  // A tunnel in between changes the host, which is no fault.
  return headerOf(headers, 'host') === address.host
    ? { check, verdict: 'ok', message: 'It came to its own callback_uri.' }
    : { check, verdict: 'ok', message: `It came to its own path by another host than ${address.host}.` };
}

/** Events are gated when they happen, callbacks come some seconds later: so much is no breach. */
const deliverySeconds = 15;

function checkHour(callback: CheckedCallback, { standing, earlier }: CheckFacts): CallbackCheck {
  const check = 'hour';
  const eventId = headerOf(callback.headers, 'webhook-id');
  if (eventId?.startsWith('test_'))
    return { check, verdict: 'ok', message: 'A test event, which the hour does not count.' };
  if (standing.counts !== true)
    return { check, verdict: 'unknown', message: `Not counted as an event, because ${standing.reason}.` };
  const events = earlier.filter(({ counts }) => counts === true);
  const isSameEvent = (other: EarlierCallback) => eventId !== undefined && other.event.id === eventId;
  const first = events.findLast(isSameEvent);
  if (first) return { check, verdict: 'ok', message: `Another attempt for the event of callback ${first.id}.` };
  if (events.length === 0) return { check, verdict: 'ok', message: 'The first event of this monitor here.' };
  return judgeDistance(nearestEvent(callback, standing, events));
}

type Neighbor = { before: EarlierCallback; apart: number };

/** The nearest in time: events can arrive in another order than they were sent. */
function nearestEvent(
  callback: CheckedCallback,
  { sentAt }: Standing,
  events: readonly EarlierCallback[],
): Neighbor | undefined {
  const after = { receivedAt: callback.receivedAt, event: eventHeadersOf(callback.headers), sentAt };
  return events
    .map((before) => ({ before, apart: secondsBetween(firstOfItsEvent(before, events), after) }))
    .toSorted((one, other) => Math.abs(one.apart) - Math.abs(other.apart))[0];
}

function judgeDistance(nearest: Neighbor | undefined): CallbackCheck {
  const check = 'hour';
  if (!nearest) return { check, verdict: 'ok', message: 'The first event of this monitor here.' };
  const { before, apart } = nearest;
  const distance = Math.abs(apart);
  const isTooSoon = distance < eventIntervalSeconds;
  if (apart < 0) {
    const message = `Sent out of order: its time is ${duration(distance)} before that of callback ${before.id}`;
    return isTooSoon
      ? {
          check,
          verdict: 'error',
          breach: 'out-of-order',
          message: `${message}; at least 1 h between events is promised.`,
        }
      : { check, verdict: 'warning', breach: 'out-of-order', message: `${message}.` };
  }
  if (!isTooSoon) return { check, verdict: 'ok', message: `${duration(apart)} after the event before.` };
  const verdict = distance >= eventIntervalSeconds - deliverySeconds ? 'warning' : 'error';
  return {
    check,
    verdict,
    ...(verdict === 'error' && { breach: 'too-soon' as const }),
    message: `Only ${duration(apart)} after the event of callback ${before.id}; at least 1 h is promised.`,
  };
}

function firstOfItsEvent(callback: EarlierCallback, earlier: readonly EarlierCallback[]): EarlierCallback {
  const { id } = callback.event;
  return earlier.findLast((other) => id !== undefined && other.event.id === id) ?? callback;
}

type Timed = { receivedAt: number; event: EventHeaders; sentAt?: number | undefined };

/** By the service's log, or the sender's clock where both callbacks tell it (a sandbox's clock may be moved), else by ours. */
function secondsBetween(before: Timed, after: Timed): number {
  if (before.sentAt !== undefined && after.sentAt !== undefined) return (after.sentAt - before.sentAt) / 1000;
  const from = Number(before.event.timestamp ?? Number.NaN);
  const to = Number(after.event.timestamp ?? Number.NaN);
  if (Number.isFinite(from) && Number.isFinite(to)) return to - from;
  return (after.receivedAt - before.receivedAt) / 1000;
}

function duration(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  return [hours && `${hours} h`, minutes && `${minutes} min`, (rest || whole === 0) && `${rest} s`]
    .filter(Boolean)
    .join(' ');
}

function sentence(parts: readonly string[]): string {
  const text = parts.join('; ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
