// The last events of monitors near this place, each with the hour in which its monitor stays silent (docs/interface.md §6, §8), in a
// lane of their own. Only times of the service's delivery log are shown: the app's own clock would invent them.
import { plural } from '#shared/text/plural.ts';
import type { AppMonitor, MonitorDelivery } from '#contract/app-rpc/monitors.ts';
import type { LatLng } from '#contract/service-api/geo.ts';
import { useApp } from '#renderer/store/use-app.ts';
import type { TrackProps } from './chart-props.ts';
import { textPixels } from './text-pixels.ts';
import classes from './Timeline.module.css';

const nearDegrees = 0.27;

export function CooldownTrack({ model, layout, x }: TrackProps) {
  const query = useApp((state) => state.forecast.forecast?.query);
  const monitors = useApp((state) => state.monitors.items);
  const deliveries = useApp((state) => state.monitors.facts?.byMonitor);
  if (!query || !layout.monitors) return null;
  const { top, height } = layout.monitors;
  const bars = monitors
    .filter(({ geo }) => isNear(geo, query))
    .flatMap((monitor) => cooldownOf(monitor, deliveries?.get(monitor.id)))
    .filter(({ at, until }) => until > model.from && at < model.to)
    .toSorted((a, b) => a.at - b.at);
  const last = bars.at(-1);
  return (
    <g>
      {bars.map(({ id, at, until }) => (
        <rect
          key={id}
          className={classes.cooldown}
          x={x(Math.max(model.from, at))}
          width={Math.max(2, x(until) - x(Math.max(model.from, at)))}
          y={top + 3}
          height={height - 6}
          rx={3}
        >
          <title>{describe(id, at, until)}</title>
        </rect>
      ))}
      {last && (
        <text
          className={classes.cooldownWord}
          x={Math.min(x(last.until) + 6, x.range()[1] - textPixels(describe(last.id, last.at, last.until), 11))}
          y={top + 11}
        >
          {bars.length === 1
            ? describe(last.id, last.at, last.until)
            : plural(bars.length, ['# monitor in cool-down', '# monitors in cool-down'])}
        </text>
      )}
    </g>
  );

  function describe(id: string, at: number, until: number): string {
    const { times } = model;
    return `${id} fired at ${times.clock(at)} and can fire again at ${times.clock(until)} ${times.zoneName(until)}`;
  }
}

type Cooldown = { id: string; at: number; until: number };

function cooldownOf({ id }: AppMonitor, delivery: MonitorDelivery | undefined): Cooldown[] {
  if (!delivery || delivery.lastEventAt === null || delivery.nextAllowedAt === null) return [];
  return [{ id, at: Date.parse(delivery.lastEventAt), until: Date.parse(delivery.nextAllowedAt) }];
}

/** Within about 30 km. */
function isNear(a: LatLng, b: LatLng): boolean {
  const east = Math.abs(((a.lng - b.lng + 540) % 360) - 180) * Math.cos((b.lat * Math.PI) / 180);
  return Math.hypot(a.lat - b.lat, east) < nearDegrees;
}
