// The icons that the service names, by their own address, once per run and again in long runs. One that fails shows a
// labelled stand-in with what went wrong.
import { useState } from 'react';
import { iconProblem } from '../icon-problem.ts';
import type { IconSpan } from '../timeline-model.ts';
import type { TrackProps } from '../Timeline.tsx';
import classes from '../Timeline.module.css';

const iconSize = 34;
const repeatPixels = 110;

export function IconTrack({ model, layout, x }: TrackProps) {
  const { top, height } = layout.icons;
  return (
    <g>
      {model.icons.flatMap((span) => {
        const left = x(span.from);
        const width = x(span.until) - left;
        const count = Math.max(1, Math.round(width / repeatPixels));
        const size = Math.max(14, Math.min(iconSize, width));
        return Array.from({ length: count }, (_, index) => (
          <RunIcon
            key={`${span.from} ${index}`}
            span={span}
            size={size}
            x={Math.max(0, left + (width * (index + 0.5)) / count - size / 2)}
            y={top + (height - size) / 2}
          />
        ));
      })}
    </g>
  );
}

type RunIconProps = { span: IconSpan; x: number; y: number; size: number };

function RunIcon({ span, x, y, size }: Readonly<RunIconProps>) {
  const [hasFailed, setFailed] = useState(false);
  if (span.url === null || hasFailed) return <StandIn span={span} x={x} y={y} size={size} />;
  return (
    <image href={span.url} x={x} y={y} width={size} height={size} onError={() => setFailed(true)}>
      <title>{span.label}</title>
    </image>
  );
}

function StandIn({ span, x, y, size }: Readonly<RunIconProps>) {
  const problem = iconProblem(span.url);
  return (
    <g>
      <title>{`${span.label}: ${problem.long}`}</title>
      <rect className={classes.standIn} x={x} y={y} width={size} height={size} rx={6} />
      {size > 28 && (
        <text className={classes.standInWord} x={x + size / 2} y={y + size / 2 + 3} textAnchor="middle">
          {problem.short}
        </text>
      )}
    </g>
  );
}
