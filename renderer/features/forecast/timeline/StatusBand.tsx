// The weather as events: merged runs with their status, as wide as they last; precipitation is also hatched, so that color is never
// the only sign. Gaps between points stay empty and outlined.
import { useId } from 'react';
import { weatherColor } from '../../../ui/theme.ts';
import type { Run } from '../common/runs.ts';
import type { TrackBox } from './timeline-layout.ts';
import { textPixels } from './text-pixels.ts';
import classes from './Timeline.module.css';

type Props = { runs: readonly Run[]; box: TrackBox; x: (at: number) => number };

export function StatusBand({ runs, box, x }: Readonly<Props>) {
  const patterns = useId();
  return (
    <g>
      <defs>
        <pattern id={patterns} width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(35)">
          <line x1="0" y1="0" x2="0" y2="7" stroke="var(--rb-band-hatch)" strokeWidth="3" />
        </pattern>
        <pattern id={`${patterns}fog`} width="6" height="5" patternUnits="userSpaceOnUse">
          <line x1="0" y1="2.5" x2="6" y2="2.5" stroke="var(--rb-band-hatch)" strokeWidth="1" />
        </pattern>
      </defs>
      {runs.map((run, index) => (
        <RunBlock key={run.from} run={run} next={runs[index + 1]?.from} box={box} x={x} patterns={patterns} />
      ))}
    </g>
  );
}

type BlockProps = Omit<Props, 'runs'> & { run: Run; next: number | undefined; patterns: string };

function RunBlock({ run, next, box: { top, height }, x, patterns }: Readonly<BlockProps>) {
  const [left, right] = [x(run.from), x(run.until)];
  const color = weatherColor(run.label);
  const width = Math.max(1, right - left - 1.5);
  const block = { x: left + 0.75, width, y: top, height, rx: Math.min(6, width / 3) };
  return (
    <>
      <rect
        {...block}
        className={color === 'unknown' ? classes.unknownRun : classes.run}
        style={{ fill: `var(--rb-weather-${color})` }}
      />
      {run.precipitation === 'wet' && <rect {...block} fill={`url(#${patterns})`} />}
      {color === 'foggy' && <rect {...block} fill={`url(#${patterns}fog)`} />}
      {next !== undefined && next > run.until && (
        <rect
          className={classes.gap}
          x={right + 2}
          width={Math.max(0, x(next) - right - 4)}
          y={top + 1}
          height={height - 2}
          rx={6}
        />
      )}
      {textPixels(run.label) + 6 <= right - left && (
        <text
          className={classes.bandWord}
          // Its edge keeps hatches and fog lines off the word.
          style={{ fill: `var(--rb-weather-${color}-words)`, stroke: `var(--rb-weather-${color})` }}
          x={(left + right) / 2}
          y={top + height / 2 + 4}
          textAnchor="middle"
        >
          {run.label}
        </text>
      )}
    </>
  );
}
