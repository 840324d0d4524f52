// The icons that the service names, by their own address, once per run and again in long runs. One that fails shows a
// labelled stand-in with what went wrong.
import { useState } from 'react';
import { iconPlaces } from '../icon-places.ts';
import { useIconProblem } from '../icon-problem.ts';
import type { IconSpan } from '../timeline-model.ts';
import type { TrackProps } from '../Timeline.tsx';
import classes from '../Timeline.module.css';

export function IconTrack({ model, layout, x }: TrackProps) {
  const { top, height } = layout.icons;
  return (
    <g>
      {iconPlaces(model.icons, x).map(({ span, left, size }) => (
        <RunIcon key={left} span={span} size={size} x={left} y={top + (height - size) / 2} />
      ))}
    </g>
  );
}

type RunIconProps = { span: IconSpan; x: number; y: number; size: number };

function RunIcon({ span, x, y, size }: Readonly<RunIconProps>) {
  // By address: the next forecast may have another icon at the same place.
  const [failedUrl, setFailedUrl] = useState<string | null>(null);
  if (span.url === null || span.url === failedUrl) return <StandIn span={span} x={x} y={y} size={size} />;
  return (
    <image href={span.url} x={x} y={y} width={size} height={size} onError={() => setFailedUrl(span.url)}>
      <title>{span.label}</title>
    </image>
  );
}

function StandIn({ span, x, y, size }: Readonly<RunIconProps>) {
  const problem = useIconProblem(span.url);
  return (
    <g>
      <title>{`${span.label}: ${problem.long}`}</title>
      <rect className={classes.standIn} x={x} y={y} width={size} height={size} rx={6} />
      {(size > 28 || problem.short.length <= 3) && (
        <text className={classes.standInWord} x={x + size / 2} y={y + size / 2 + 3} textAnchor="middle">
          {problem.short}
        </text>
      )}
    </g>
  );
}
