// The last events of monitors near this place: a flag each, and the hour in which its monitor stays silent
// (docs/interface.md §6, §8), shown above the rain. The service's own times count where it tells them.
import type { AppMonitor, MonitorDelivery } from '#contract/app-rpc/monitors.ts';
import type { LatLng } from '#contract/service-api/geo.ts';
import { useApp } from '#renderer/store/use-app.ts';
import { useNow } from '#renderer/ui/hooks/use-now.ts';
import { serviceNow, type TimelineModel } from '#renderer/features/forecast/common/timeline-model.ts';
import type { TrackProps } from './Timeline.tsx';
import classes from './Timeline.module.css';

const lockOutMs = 3_600_000;
const nearDegrees = 0.27;
const mostRows = 3;
const rowPixels = 9;

export function CooldownTrack({ model, layout, x }: TrackProps) {
  const forecast = useApp((state) => state.forecast.forecast);
  const monitors = useApp((state) => state.monitors.items);
  const facts = useApp((state) => state.monitors.facts);
  const machineNow = useNow(30_000);
  if (!forecast) return null;
  const ahead = serviceNow(forecast, machineNow) - machineNow;
  const bars = monitors
    .filter(({ geo }) => isNear(geo, forecast.query))
    .flatMap((monitor) => lockOutOf(monitor, facts?.byMonitor.get(monitor.id), ahead, model));
  return (
    <g>
      {bars.slice(0, mostRows).map((bar, row) => {
        const [left, top] = [x(Math.max(model.from, bar.at)), layout.rain.top + row * rowPixels];
        const words = `${bar.id} called ${model.times.clock(bar.at)}; next from ${model.times.clock(bar.until)}`;
        const others = row === mostRows - 1 && bars.length > mostRows ? ` · ${bars.length - mostRows} more` : '';
        return (
          <g key={bar.id}>
            <title>{words}</title>
            <rect
              className={classes.lockOut}
              x={left}
              width={Math.max(2, x(bar.until) - left)}
              y={top + 1}
              height={5}
              rx={2.5}
            />
            <path className={classes.lockOutFlag} d={`M${left} ${top + 8}V${top - 2}l7 3l-7 3`} />
            <text className={classes.lockOutWord} x={x(bar.until) + 4} y={top + 7}>
              {words}
              {others}
            </text>
          </g>
        );
      })}
    </g>
  );
}

type LockOut = { id: string; at: number; until: number };

function lockOutOf(
  monitor: AppMonitor,
  told: MonitorDelivery | undefined,
  ahead: number,
  { from, to }: TimelineModel,
): LockOut[] {
  const span = told ? spanToldBy(told) : spanSinceCallback(monitor, ahead);
  return span && span.until > from && span.at < to ? [{ id: monitor.id, ...span }] : [];
}

function spanToldBy({ lastEventAt, nextAllowedAt }: MonitorDelivery): Omit<LockOut, 'id'> | null {
  return lastEventAt === null || nextAllowedAt === null
    ? null
    : { at: Date.parse(lastEventAt), until: Date.parse(nextAllowedAt) };
}

function spanSinceCallback({ lastCallback }: AppMonitor, ahead: number): Omit<LockOut, 'id'> | null {
  if (!lastCallback) return null;
  const at = Date.parse(lastCallback.receivedAt) + ahead;
  return { at, until: at + lockOutMs };
}

/** Within about 30 km. */
function isNear(a: LatLng, b: LatLng): boolean {
  const east = Math.abs(((a.lng - b.lng + 540) % 360) - 180) * Math.cos((b.lat * Math.PI) / 180);
  return Math.hypot(a.lat - b.lat, east) < nearDegrees;
}
