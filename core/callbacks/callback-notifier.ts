// Tells the person of new callbacks outside of the screens: one notice with place and weather for an event, one for many that
// come together, none in quiet hours. A click leads to the newest of them.
import type { Clock } from '#shared/time/clock.ts';
import { geoPointSchema, toLatLng, type LatLng } from '#contract/service-api/geo.ts';
import type { NotificationChoice } from '#contract/app-rpc/settings.ts';
import { visibleText } from '#shared/text/visible-text.ts';
import { mayNotify } from '#core/notifications/quiet-hours.ts';
import type { UserNotice } from '#core/ports/host.ts';
import type { CallbackPages, RowFilter, StoredCallback } from '../receiver/callback-pages.ts';
import type { CallbackValidator } from './callback-validator.ts';

export type CallbackNotifier = {
  /** There may be new callbacks, up to this id. */
  arrived: (newestId: number) => void;
  close: () => void;
};

/** What the service says of a place now; undefined where it does not in time. */
export type WeatherSummary = { status: string; place: string | undefined };

type CallbackNotifierDependencies = {
  choice: () => NotificationChoice;
  pages: Pick<CallbackPages, 'counts' | 'rows'>;
  validator: Pick<CallbackValidator, 'validate'>;
  weatherAt: (geo: LatLng) => Promise<WeatherSummary | undefined>;
  notify: (notice: UserNotice) => void;
  clock: Clock;
};

/** What comes within it after the first is told together. */
const gatherMs = 1000;
/** No sooner than this after the last notice comes the next. */
const apartMs = 10_000;
/** So many of the newest rows are looked at for one notice, and so many events are told of. */
const lookedAt = 500;
const toldOf = 100;
/** The others can be large, and are no events: 500 bodies of 1 MB would hold up every screen for seconds. */
const namesMonitor: RowFilter = { sql: 'monitor_id IS NOT NULL', values: [] };

export function createCallbackNotifier(dependencies: CallbackNotifierDependencies): CallbackNotifier {
  const { choice, pages, validator, clock } = dependencies;
  let { newestId } = pages.counts();
  let toldId = newestId;
  let toldAt = -Infinity;
  let cancelTimer: (() => void) | undefined;
  let isClosed = false;

  function tell(): void {
    cancelTimer = undefined;
    const [afterId, beforeId] = [toldId, newestId + 1];
    toldId = newestId;
    if (!mayNotify(choice(), clock.now())) return;
    const fresh: StoredCallback[] = [];
    const range = { afterId: Math.max(afterId, beforeId - lookedAt), beforeId };
    for (const row of pages.rows(range, 'newestFirst', namesMonitor)) {
      if (!row.isImported && ['event', 'test'].includes(validator.validate(row).kind)) fresh.push(row);
      if (fresh.length >= toldOf) break;
    }
    const [newest] = fresh;
    if (!newest) return;
    toldAt = clock.elapsed();
    void show(newest, fresh);
  }

  async function show(newest: StoredCallback, fresh: readonly StoredCallback[]): Promise<void> {
    const geo = placeOf(newest.body);
    const weather = geo && (await dependencies.weatherAt(geo));
    dependencies.notify({ ...noticeText(fresh, geo, weather), target: { kind: 'callback', id: newest.id } });
  }

  return {
    arrived(id) {
      newestId = Math.max(newestId, id);
      // The receiver tells of its last callbacks while the app closes.
      if (newestId <= toldId || isClosed) return;
      cancelTimer ??= clock.after(Math.max(gatherMs, toldAt + apartMs - clock.elapsed()), tell);
    },
    close() {
      isClosed = true;
      cancelTimer?.();
    },
  };
}

export function noticeText(
  fresh: readonly StoredCallback[],
  geo: LatLng | undefined,
  weather: WeatherSummary | undefined,
): { title: string; body: string } {
  const where =
    visibleText(weather?.place ?? '', 60) ||
    (geo ? `${geo.lat.toFixed(2)}, ${geo.lng.toFixed(2)}` : 'a monitored place');
  const now = weather ? ` Now: ${visibleText(weather.status, 60)}.` : '';
  const ids = [...new Set(fresh.map(({ monitorId }) => visibleText(monitorId ?? '', 60)))];
  if (fresh.length === 1) return { title: `Precipitation near ${where}`, body: `${ids[0]} called.${now}` };
  const many = fresh.length >= toldOf ? `${toldOf} or more` : String(fresh.length);
  const others = ids.length > 3 ? ` and ${ids.length - 3} more` : '';
  return {
    title: `${many} callbacks, the newest from near ${where}`,
    body: `${ids.slice(0, 3).join(', ')}${others}.${now}`,
  };
}

function placeOf(body: Buffer): LatLng | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    if (typeof value !== 'object' || value === null || !('geo' in value)) return undefined;
    const point = geoPointSchema.safeParse(value.geo);
    return point.success ? toLatLng(point.data) : undefined;
  } catch {
    return undefined;
  }
}
