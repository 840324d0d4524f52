// The outcomes of a monitor's last events as bars: delivered tall, failed short and red; and how many were delivered.
import { useApp } from '../../../store/use-app.ts';
import classes from './RecentEvents.module.css';

const [width, step, tall, short] = [66, 3, 14, 7];

export function RecentEvents({ id }: { readonly id: string }) {
  const delivery = useApp((state) => state.monitors.facts?.byMonitor.get(id));
  if (!delivery) return <span className="rb-note">–</span>;
  const { recentEvents, delivered, failed } = delivery;
  if (recentEvents === '') {
    const label = delivered + failed === 0 ? 'None yet' : `${delivered} delivered, ${failed} failed`;
    return <span className="rb-note">{label}</span>;
  }
  const good = recentEvents.replaceAll('f', '').length;
  const percent = Math.floor((100 * good) / recentEvents.length);
  const label = `Last ${recentEvents.length}: ${good} delivered, ${recentEvents.length - good} failed. All: ${delivered} delivered, ${failed} failed`;
  return (
    <span className="rb-row rb-note" title={label}>
      <svg width={width} height={tall} role="img" aria-label={label}>
        <path className={classes.delivered} d={bars(recentEvents, 'd', tall)} />
        <path className={classes.failed} d={bars(recentEvents, 'f', short)} />
      </svg>
      <span className="rb-tone" data-tone={percent < 90 ? 'bad' : 'plain'} aria-hidden>
        {percent}%
      </span>
    </span>
  );
}

/** One path for all bars of a kind: two elements per row instead of 22. The newest is at the right. */
function bars(outcomes: string, kind: 'd' | 'f', height: number): string {
  const last = width / step - outcomes.length;
  return Array.from(outcomes)
    .map((outcome, index) =>
      outcome === kind ? `M${(last + index) * step} ${tall}v${-height}h${step - 1}v${height}z` : '',
    )
    .join('');
}
