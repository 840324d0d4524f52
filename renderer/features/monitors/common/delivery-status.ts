// How a monitor stands: what our own service tells of its deliveries, else what this app's receiver saw. Instants that the
// service tells count by the service's clock, which a sandbox can move; the receiver's by the machine's.
import type { AppDelivery, AppMonitor, MonitorDelivery } from '#contract/app-rpc/monitors.ts';
import { formatDuration, formatRelativeTime } from '#renderer/ui/text/durations.ts';

/** What the service tells; null where it tells nothing of deliveries, or has not been asked yet. */
export type DeliveryFacts = {
  byMonitor: ReadonlyMap<string, MonitorDelivery>;
  aheadMs: number;
  /** Null where the service does not tell it. */
  plan: { name: string | null; monitorLimit: number } | null;
  hasRadarMinutes: boolean;
} | null;

export type DeliveryStatus = {
  state: 'delivering' | 'failing' | 'off' | 'sending' | 'never' | 'received' | 'unknown';
  tone: 'good' | 'bad' | 'plain';
  words: string;
  /** More of the same, for a tooltip; may be empty. */
  reason: string;
  /** By the same clock as `now`. */
  lastAt: number | null;
  /** Null: at once. */
  nextAllowedAt: number | null;
  now: number;
};

/** What a monitor can do now: the state that the table names. */
export type MonitorCondition = 'ready' | 'cool-down' | 'failing' | 'off' | 'unknown';

export const conditionLabels: Readonly<Record<MonitorCondition, string>> = {
  ready: 'Ready',
  'cool-down': 'In cool-down',
  failing: 'Failing',
  off: 'Off',
  unknown: 'Unknown',
};

/** Failures come first: a failing monitor in its cool-down is failing. */
export function conditionOf({
  state,
  nextAllowedAt,
}: Pick<DeliveryStatus, 'state' | 'nextAllowedAt'>): MonitorCondition {
  if (state === 'off' || state === 'failing' || state === 'unknown') return state;
  return nextAllowedAt === null ? 'ready' : 'cool-down';
}

/** docs/interface.md §8: the least time between two events of one monitor. */
const eventIntervalMs = 3_600_000;

export function getDeliveryStatus(monitor: AppMonitor, facts: DeliveryFacts, machineNow: number): DeliveryStatus {
  const told = facts?.byMonitor.get(monitor.id);
  return facts && told ? statusFromLog(told, machineNow + facts.aheadMs) : statusFromCallbacks(monitor, machineNow);
}

function statusFromLog(told: MonitorDelivery, now: number): DeliveryStatus {
  const next = told.nextAllowedAt === null ? null : Date.parse(told.nextAllowedAt);
  const attempt = told.lastAttempt;
  const lastAt = instantOf(attempt?.startedAt ?? told.lastEventAt);
  const common = { reason: '', lastAt, nextAllowedAt: next !== null && next > now ? next : null, now };
  if (!told.isOn) {
    return { ...common, state: 'off', tone: 'bad', words: 'Off · callback dead', reason: told.offReason ?? '' };
  }
  if (attempt && attempt.error !== null) {
    const words = `Failing · ${attempt.httpStatus ?? shortErrorText(attempt.error)} · attempt ${attempt.attempt}`;
    return { ...common, state: 'failing', tone: 'bad', words, reason: formatDeliveryOutcome(attempt) };
  }
  if (lastAt === null) return { ...common, state: 'never', tone: 'plain', words: 'Never' };
  // The log is a ring: it may have forgotten the attempt that the counter remembers.
  if (!attempt && told.delivered === 0) return { ...common, state: 'sending', tone: 'plain', words: 'Being sent' };
  return { ...common, state: 'delivering', tone: 'good', words: `Delivered ${formatAgo(lastAt, now)}` };
}

function statusFromCallbacks({ lastCallback }: AppMonitor, now: number): DeliveryStatus {
  if (!lastCallback) {
    const reason = 'This app has received no callback of it';
    return { state: 'unknown', tone: 'plain', words: 'None here', reason, lastAt: null, nextAllowedAt: null, now };
  }
  const lastAt = Date.parse(lastCallback.receivedAt);
  const next = lastAt + eventIntervalMs;
  return {
    state: 'received',
    tone: 'good',
    words: `Received ${formatAgo(lastAt, now)}`,
    reason: '',
    lastAt,
    nextAllowedAt: next > now ? next : null,
    now,
  };
}

function instantOf(text: string | null): number | null {
  return text === null ? null : Date.parse(text);
}

function formatAgo(at: number, now: number): string {
  const words = formatRelativeTime(at, now);
  return words === 'now' ? 'just now' : words;
}

/** `now`, `in 12 s`, `in 48 min`. */
export function formatNextAllowed({ nextAllowedAt, now }: Pick<DeliveryStatus, 'nextAllowedAt' | 'now'>): string {
  return nextAllowedAt === null ? 'now' : `in ${formatDuration(nextAllowedAt - now)}`;
}

/** The service's words for what went wrong (contract/service-api/delivery.ts), for people: short for a row, long for its tooltip. */
const errorLabels: Readonly<Record<string, readonly [short: string, long: string]>> = {
  timeout: ['timeout', 'no answer in time'],
  refused: ['refused', 'the connection was refused'],
  reset: ['cut off', 'the connection was cut off'],
  'unknown-host': ['unknown host', 'the host name is not known'],
  unreachable: ['unreachable', 'the host cannot be reached'],
  tls: ['TLS', 'the certificate or TLS was not accepted'],
  forbidden: ['forbidden', 'this address may not be called'],
  'bad-answer': ['bad answer', 'the answer was not HTTP'],
  'host-silent': ['host silent', 'not tried, since the host had given others no answer'],
  failed: ['failed', 'the attempt failed'],
};

function shortErrorText(error: string): string {
  return errorLabels[error]?.[0] ?? error;
}

const statusNames: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  301: 'Moved Permanently',
  302: 'Found',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  410: 'Gone',
  413: 'Content Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/** `502 Bad Gateway`, or the error in words where no answer came. */
export function formatDeliveryOutcome({ httpStatus, error }: Pick<AppDelivery, 'httpStatus' | 'error'>): string {
  if (httpStatus !== null) return `${httpStatus} ${statusNames[httpStatus] ?? ''}`.trim();
  return error === null ? 'no answer' : (errorLabels[error]?.[1] ?? error);
}
