// A dot for each point at the time that was sent, and a lane for each source. An empty list of sources is drawn as a circle, an
// absent one as nothing.
import { plural } from '@rainbell/shared';
import { sourceLaneHeight } from './timeline-layout.ts';
import type { TimedPoint } from '../common/timed-points.ts';
import type { TrackProps } from './chart-props.ts';
import { textPixels } from './text-pixels.ts';
import classes from './Timeline.module.css';

export function PointTrack({ model, layout, x }: TrackProps) {
  if (!layout.points) return null;
  const y = layout.points.top + layout.points.height / 2;
  const radius = model.points.length > 150 ? 1 : 1.6;
  return (
    <g>
      {model.points.map(({ point, at }) =>
        point.problems.length > 0 ? (
          <path key={at} className={classes.deviating} d={`M${x(at)} ${y - 5}l5 9h-10z`} />
        ) : (
          <circle key={at} className={classes.point} cx={x(at)} cy={y} r={radius} />
        ),
      )}
    </g>
  );
}

export function SourceTrack({ model, layout, x }: TrackProps) {
  if (!layout.sources) return null;
  const { top, height } = layout.sources;
  const hasNone = model.points.every(({ point }) => point.sources === null);
  return (
    <g>
      {layout.lanes.map(({ name, sources }, lane) =>
        spansOf(model.points, sources).map(({ from, until, count }) => (
          <g key={`${name} ${from}`}>
            <rect
              className={classes.source}
              x={x(from)}
              width={Math.max(1, x(until) - x(from) - 1)}
              y={top + lane * sourceLaneHeight + 1}
              height={sourceLaneHeight - 2}
              rx={3}
            />
            {textPixels(sourceText(name, count), 12) + 12 <= x(until) - x(from) && (
              <text className={classes.sourceName} x={x(from) + 6} y={top + lane * sourceLaneHeight + 11}>
                {sourceText(name, count)}
              </text>
            )}
          </g>
        )),
      )}
      {model.points.map(({ point, at }) =>
        point.sources?.length === 0 ? (
          <circle key={at} className={classes.emptySources} cx={x(at)} cy={top + height / 2} r={2.5} />
        ) : null,
      )}
      {hasNone && (
        <text x={x(model.from) + 4} y={top + height / 2 + 4}>
          no sources were sent
        </text>
      )}
    </g>
  );
}

function sourceText(name: string, count: number): string {
  return `${name}, ${plural(count, ['# point', '# points'])}`;
}

/** Touching points with one of these sources. */
function spansOf(points: readonly TimedPoint[], sources: ReadonlySet<string>) {
  return points.reduce<{ from: number; until: number; count: number }[]>((spans, { point, at, until }) => {
    if (!point.sources?.some((source) => sources.has(source))) return spans;
    const open = spans.at(-1);
    if (open?.until === at) {
      open.until = until;
      open.count += 1;
    } else spans.push({ from: at, until, count: 1 });
    return spans;
  }, []);
}
