// Notifies the user of new callbacks outside of the screens: one notice with place and weather for an event, one for many that
// arrive together, one for a rain front however long it lasts, none in quiet hours. A click leads to the newest of them.
import { type Clock, plural, visibleText } from '@rainbell/shared';
import {
  frontGapMs,
  geoPointSchema,
  groupEvents,
  type LatLng,
  minFrontMonitors,
  type PlacedEvent,
  toLatLng,
} from '@rainbell/contract/service-api';
import type { NotificationChoice } from '@rainbell/contract/app-rpc';
import { listIds } from './list-ids.ts';
import { mayNotify } from './quiet-hours.ts';
import type { UserNotice } from '../ports/host.ts';
import type { StoredCallback } from '../receiver/records/stored-callback.ts';
import { maxMonitorBytes, monitorOfBody, parseJson } from '../receiver/checks/monitor-body.ts';
import { textOfBody } from '../receiver/rules/request-match.ts';
import type { CallbackValidator } from '../callbacks/callback-validator.ts';

type WeatherSummary = { status: string; place: string | undefined };

type CallbackNotifierDependencies = {
  choice: () => NotificationChoice;
  validator: Pick<CallbackValidator, 'validate'>;
  /** Whether the monitor is silenced, or of a front that was acknowledged. */
  isQuiet: (monitorId: string) => boolean;
  /** The current weather; undefined if the service does not respond within the limit, and then it is left out. */
  weatherAt: (geo: LatLng) => Promise<WeatherSummary | undefined>;
  notify: (notice: UserNotice) => void;
  clock: Clock;
};

/** Callbacks within this time after the first share one notification. */
const gatherMs = 1000;
/** No sooner than this after the last notice comes the next. */
const apartMs = 10_000;
const maxCallbacks = 500;
/** How many of the newest events decide which front the next ones belong to. */
const rememberedEvents = 2_000;

export function createCallbackNotifier(dependencies: CallbackNotifierDependencies) {
  const { choice, validator, isQuiet, clock } = dependencies;
  const fronts = createNotifiedFronts();
  /** In the order in which they were judged. */
  let arrived: StoredCallback[] = [];
  let notifiedAt = -Infinity;
  let cancelTimer: (() => void) | undefined;
  let isClosed = false;

  const newestFirst = () => arrived.toSorted((one, other) => other.id - one.id).slice(0, maxCallbacks);

  function notify(): void {
    const gathered = newestFirst();
    arrived = [];
    cancelTimer = undefined;
    if (!mayNotify(choice(), clock.now())) return;
    const { callbacks, kind } = fronts.excludeNotified(gathered.flatMap(newsIn));
    const [newest] = callbacks;
    if (!newest) return;
    notifiedAt = clock.elapsed();
    void show(newest, callbacks, kind);
  }

  /** Only now, because the monitor may have become known since the callback arrived. */
  function newsIn(callback: StoredCallback): Fresh[] {
    const { kind, verdictName } = validator.validate(callback);
    const isNews = verdictName !== 'invalid' && (kind === 'event' || kind === 'test');
    return isNews && !isQuiet(callback.monitorId ?? '') ? [{ callback, isTest: kind === 'test' }] : [];
  }

  async function show(newest: StoredCallback, fresh: readonly StoredCallback[], kind: NoticeKind): Promise<void> {
    const geo = placeOf(newest);
    const weather = geo && (await dependencies.weatherAt(geo));
    dependencies.notify({ ...noticeText(fresh, geo, weather, kind), target: { kind: 'callback', id: newest.id } });
  }

  return {
    /** A callback of a monitor arrived. */
    arrived(callback: StoredCallback) {
      // The receiver still reports its last callbacks while the app closes. A larger body is not an event, and many would fill the memory.
      if (isClosed || callback.isImported || callback.sizeBytes > maxMonitorBytes) return;
      arrived.push(callback);
      if (arrived.length >= 2 * maxCallbacks) arrived = newestFirst();
      cancelTimer ??= clock.after(Math.max(gatherMs, notifiedAt + apartMs - clock.elapsed()), notify);
    },
    close() {
      isClosed = true;
      cancelTimer?.();
    },
  };
}

/** `tests`: all of them are test events, which say nothing about the weather. */
type NoticeKind = 'events' | 'front' | 'tests';

export function noticeText(
  fresh: readonly StoredCallback[],
  geo: LatLng | undefined,
  weather: WeatherSummary | undefined,
  kind: NoticeKind = 'events',
): { title: string; body: string } {
  const where =
    visibleText(weather?.place ?? '', 60) ||
    (geo ? `${geo.lat.toFixed(2)}, ${geo.lng.toFixed(2)}` : 'a monitored location');
  const now = weather ? [`Now: ${visibleText(weather.status, 60)}.`] : [];
  const ids = [...new Set(fresh.map(({ monitorId }) => visibleText(monitorId ?? '', 60)))];
  const sources = plural(ids.length, ['Monitor: {ids}.', 'Monitors: {ids}.'], { ids: listIds(ids) });
  if (fresh.length === 1) {
    const title = kind === 'tests' ? `Test event near ${where}` : `Precipitation near ${where}`;
    return { title, body: [sources, ...now].join(' ') };
  }
  const isCut = fresh.length >= maxCallbacks;
  if (kind === 'front') {
    // Without a number: a front grows for hours, and it is notified once.
    return {
      title: `Rain front near ${where}`,
      body: [
        `${sources.slice(0, -1)} so far.`,
        ...now,
        'The front’s later callbacks are not notified. Monitors shows how it grows.',
      ].join(' '),
    };
  }
  return {
    title: isCut
      ? `${maxCallbacks} or more callbacks, the newest from near ${where}`
      : `${fresh.length} callbacks, the newest from near ${where}`,
    body: [sources, ...now].join(' '),
  };
}

type Fresh = { callback: StoredCallback; isTest: boolean };

/** Leaves out events that are close in time and place to some that were notified: a front is notified once. */
function createNotifiedFronts() {
  /** With the IDs of callbacks. */
  let notified: PlacedEvent[] = [];
  return {
    excludeNotified(fresh: readonly Fresh[]): { callbacks: readonly StoredCallback[]; kind: NoticeKind } {
      const events = fresh.flatMap(({ callback, isTest }): PlacedEvent[] => {
        const geo = isTest ? undefined : placeOf(callback);
        return geo ? [{ id: String(callback.id), at: callback.receivedAt, geo }] : [];
      });
      const groups = groupEvents([...notified, ...events]);
      const known = new Set(notified);
      const repeated = new Set(
        groups.filter((group) => group.some((event) => known.has(event))).flatMap((group) => group.map(({ id }) => id)),
      );
      const newest = events.reduce((last, { at }) => Math.max(last, at), 0);
      notified = [...notified, ...events].filter(({ at }) => newest - at <= frontGapMs).slice(-rememberedEvents);
      const left = fresh.filter(({ callback }) => !repeated.has(String(callback.id)));
      const monitors = new Set(left.map(({ callback }) => callback.monitorId));
      const isOne = groups.filter(([first]) => first && !repeated.has(first.id)).length === 1;
      const isFront = isOne && monitors.size >= minFrontMonitors && left.every(({ isTest }) => !isTest);
      const kind = left.every(({ isTest }) => isTest) ? 'tests' : isFront ? 'front' : 'events';
      return { callbacks: left.map(({ callback }) => callback), kind };
    },
  };
}

function placeOf(callback: StoredCallback): LatLng | undefined {
  const monitor = monitorOfBody(parseJson(textOfBody(callback, maxMonitorBytes)));
  const point = geoPointSchema.safeParse(monitor?.['geo']);
  return point.success ? toLatLng(point.data) : undefined;
}
