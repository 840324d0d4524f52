// A dot for each point at the instant that was sent, and a lane for each source. An empty list of sources and an absent one
// look different: a ring and nothing.
import { sourceLaneHeight } from './timeline-layout.ts';
import type { TrackProps } from './Timeline.tsx';
import classes from './Timeline.module.css';

export function PointTrack({ model, layout, x }: TrackProps) {
  const y = layout.points.top + layout.points.height / 2;
  const radius = model.points.length > 150 ? 1.4 : 2.4;
  return (
    <g>
      {model.points.map(({ point, at }) => (
        <circle
          key={at}
          className={classes.point}
          data-problem={point.problems.length > 0 || undefined}
          cx={x(at)}
          cy={y}
          r={point.problems.length > 0 ? radius + 1.4 : radius}
        />
      ))}
    </g>
  );
}

export function SourceTrack({ model, layout, x }: TrackProps) {
  const { top, height } = layout.sources;
  const hasNone = model.points.every(({ point }) => point.sources === null);
  return (
    <g>
      {model.points.map(({ point, at, until }) => (
        <g key={at}>
          {layout.lanes.map(({ name, sources }, lane) =>
            point.sources?.some((source) => sources.has(source)) ? (
              <rect
                key={name}
                className={classes.source}
                x={x(at)}
                width={Math.max(1, x(until) - x(at) - 1)}
                y={top + lane * sourceLaneHeight + 3}
                height={5}
                rx={2}
              />
            ) : null,
          )}
          {point.sources?.length === 0 && (
            <circle className={classes.emptySources} cx={x(at)} cy={top + height / 2} r={2.5} />
          )}
        </g>
      ))}
      {hasNone && (
        <text x={x(model.from) + 4} y={top + height / 2 + 4}>
          no sources were sent
        </text>
      )}
    </g>
  );
}
