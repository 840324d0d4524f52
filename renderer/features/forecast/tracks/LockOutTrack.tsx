// The callbacks of monitors near this place: each bars its monitor's next event for an hour (§6, §8), shown above the rain.
import type { AppMonitor } from '#contract/procedures/monitors.ts';
import type { LatLng } from '#contract/geo.ts';
import { useApp } from '#renderer/store/use-app.ts';
import { useNow } from '#renderer/ui/use-now.ts';
import { serviceNow } from '../timeline-model.ts';
import type { TrackProps } from '../Timeline.tsx';
import classes from '../Timeline.module.css';

const lockOutMs = 3_600_000;
const nearDegrees = 0.27;

export function LockOutTrack({ model, layout, x }: TrackProps) {
  const forecast = useApp((state) => state.forecast.forecast);
  const monitors = useApp((state) => state.monitors.items);
  const machineNow = useNow(30_000);
  if (!forecast) return null;
  const ahead = serviceNow(forecast, machineNow) - machineNow;
  const bars = monitors.flatMap((monitor) => lockOutOf(monitor, forecast.query, ahead, model.from));
  return (
    <g>
      {bars.slice(0, 3).map(({ id, until }, row) => (
        <g key={id}>
          <rect
            className={classes.lockOut}
            x={x(model.from)}
            width={Math.max(2, x(until) - x(model.from))}
            y={layout.rain.top + row * 7}
            height={5}
            rx={2.5}
          />
          <text className={classes.lockOutWord} x={x(until) + 4} y={layout.rain.top + row * 7 + 6}>
            {id} called; next from {model.times.clock(until)}
          </text>
        </g>
      ))}
    </g>
  );
}

function lockOutOf(monitor: AppMonitor, place: LatLng, ahead: number, from: number): { id: string; until: number }[] {
  if (!monitor.lastCallback || !isNear(monitor.geo, place)) return [];
  const until = Date.parse(monitor.lastCallback.receivedAt) + ahead + lockOutMs;
  return until > from ? [{ id: monitor.id, until }] : [];
}

/** Within about 30 km. */
function isNear(a: LatLng, b: LatLng): boolean {
  const east = Math.abs(((a.lng - b.lng + 540) % 360) - 180) * Math.cos((b.lat * Math.PI) / 180);
  return Math.hypot(a.lat - b.lat, east) < nearDegrees;
}
