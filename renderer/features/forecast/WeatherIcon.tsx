// An icon by the address that the service sent, with its words; one that does not load shows them with what went wrong.
import { useState } from 'react';
import { useIconProblem } from './icon-problem.ts';
import classes from './WeatherIcon.module.css';

type Props = { url: string | null; label: string; size: number };

export function WeatherIcon({ url, label, size }: Readonly<Props>) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null);
  if (url === null || failedUrl === url) return <StandIn url={url} label={label} size={size} />;
  return (
    <img className={classes.icon} src={url} alt={label} width={size} height={size} onError={() => setFailedUrl(url)} />
  );
}

function StandIn({ url, label, size }: Readonly<Props>) {
  const problem = useIconProblem(url);
  return (
    <span
      className={classes.standIn}
      style={{ width: size, height: size }}
      role="img"
      aria-label={`${label}: ${problem.long}`}
      title={problem.long}
    >
      <span>{label}</span>
      <small>{problem.short}</small>
    </span>
  );
}
