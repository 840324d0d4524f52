// The weather as events: merged runs with their status, as wide as they last; precipitation is also hatched, so that color is never
// the only sign. Gaps between points stay empty and outlined.
import { useId } from 'react';
import { weatherColor } from '../../../ui/theme.ts';
import type { Run } from '../common/runs.ts';
import type { TrackProps } from './chart-props.ts';
import type { TrackBox } from './timeline-layout.ts';
import { textPixels } from './text-pixels.ts';
import classes from './Timeline.module.css';

type Props = Pick<TrackProps, 'x'> & { runs: readonly Run[]; box: TrackBox };

export function StatusBand({ runs, box: { top, height }, x }: Readonly<Props>) {
  const pattern = useId();
  return (
    <g>
      <BandPatterns id={pattern} />
      {runs.map((run, index) => {
        const next = runs[index + 1];
        return (
          <g key={run.from}>
            <RunBlock
              run={run}
              x={x(run.from)}
              width={x(run.until) - x(run.from)}
              top={top}
              height={height}
              pattern={pattern}
            />
            {next && next.from > run.until && (
              <rect
                className={classes.gap}
                x={x(run.until) + 2}
                width={Math.max(0, x(next.from) - x(run.until) - 4)}
                y={top + 1}
                height={height - 2}
                rx={6}
              >
                <title>No points here</title>
              </rect>
            )}
          </g>
        );
      })}
    </g>
  );
}

/** The hatch of precipitation, `id`, and the lines of fog, `id` + `fog`. */
export function BandPatterns({ id }: { readonly id: string }) {
  return (
    <defs>
      <pattern id={id} width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(35)">
        <line x1="0" y1="0" x2="0" y2="7" stroke="var(--rb-band-hatch)" strokeWidth="3" />
      </pattern>
      <pattern id={`${id}fog`} width="6" height="5" patternUnits="userSpaceOnUse">
        <line x1="0" y1="2.5" x2="6" y2="2.5" stroke="var(--rb-band-hatch)" strokeWidth="1" />
      </pattern>
    </defs>
  );
}

type BlockProps = { run: Run; x: number; width: number; top: number; height: number; pattern: string };

function RunBlock({ run, x, width, top, height, pattern }: Readonly<BlockProps>) {
  const color = weatherColor(run.label);
  const box = { x: x + 0.75, width: Math.max(1, width - 1.5), y: top, height, rx: Math.min(6, width / 3) };
  const fits = textPixels(run.label) + 6 <= width;
  return (
    <g>
      <title>{run.label}</title>
      <rect
        {...box}
        style={{ fill: `var(--rb-weather-${color})` }}
        className={color === 'unknown' ? classes.unknownRun : undefined}
      />
      {run.precipitation === 'wet' && <rect {...box} fill={`url(#${pattern})`} />}
      {color === 'foggy' && <rect {...box} fill={`url(#${pattern}fog)`} />}
      <rect {...box} className={classes.bandEdge} />
      {fits && (
        <text
          className={classes.bandWord}
          // Its edge keeps hatches and fog lines off the word.
          style={{ fill: `var(--rb-weather-${color}-words)`, stroke: `var(--rb-weather-${color})` }}
          x={x + width / 2}
          y={top + height / 2 + 4}
          textAnchor="middle"
        >
          {run.label}
        </text>
      )}
    </g>
  );
}
