// An icon by the URL that the service sent. One that can't be shown is replaced by its label and the reason.
import { useApp } from '../../../store/use-app.ts';
import { iconProblem, type IconProblem, useIcon } from './icons-slice.ts';
import classes from './WeatherIcon.module.css';

type Props = { url: string | null; label: string; size: number };

export function WeatherIcon({ url, label, size }: Readonly<Props>) {
  const icon = useIcon(url);
  const markBroken = useApp((state) => state.icons.markBroken);
  const problem = iconProblem(url, icon);
  if (problem) return <StandIn label={label} size={size} problem={problem} />;
  if (url === null || icon?.state !== 'loaded') {
    return <span className={classes.icon} style={{ width: size, height: size }} data-loading-icon aria-hidden="true" />;
  }
  return (
    <img
      className={classes.icon}
      src={icon.dataUrl}
      alt={label}
      width={size}
      height={size}
      onError={() => markBroken(url)}
    />
  );
}

type StandInProps = { label: string; size: number; problem: IconProblem };

function StandIn({ label, size, problem }: Readonly<StandInProps>) {
  return (
    <span
      className={`rb-column rb-middle rb-fixed rb-small rb-tone ${classes.standIn}`}
      data-tone="warn"
      style={{ width: size, height: size }}
      role="img"
      aria-label={`${label}: ${problem.long}`}
      title={problem.long}
    >
      <span>{label}</span>
      <small className="rb-fixed">{problem.short}</small>
    </span>
  );
}
