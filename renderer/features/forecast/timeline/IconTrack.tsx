// The icons that the service names, once per run and again in long runs. One that can't be shown is replaced by a labeled box
// with the reason.
import { useApp } from '../../../store/use-app.ts';
import { iconPlaces } from './icon-places.ts';
import { iconProblem, useIcon } from '../common/icons-slice.ts';
import type { IconSpan } from '../common/timeline-model.ts';
import type { TrackProps } from './chart-props.ts';
import classes from './Timeline.module.css';

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
  const { url, label } = span;
  const icon = useIcon(url);
  const markBroken = useApp((state) => state.icons.markBroken);
  const problem = iconProblem(url, icon);
  if (problem) {
    return (
      <g>
        <title>{`${label}: ${problem.long}`}</title>
        <rect className={classes.standIn} x={x} y={y} width={size} height={size} rx={6} />
        {(size > 28 || problem.short.length <= 3) && (
          <text className={classes.standInWord} x={x + size / 2} y={y + size / 2 + 3} textAnchor="middle">
            {problem.short}
          </text>
        )}
      </g>
    );
  }
  if (url === null || icon?.state !== 'loaded') return <g data-loading-icon />;
  return (
    <image href={icon.dataUrl} x={x} y={y} width={size} height={size} onError={() => markBroken(url)}>
      <title>{label}</title>
    </image>
  );
}
