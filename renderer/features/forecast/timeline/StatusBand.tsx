// The weather as events: merged runs with their status, as wide as they last; precipitation is also hatched, so that color is never
// the only sign. Gaps between points stay empty and outlined. All runs of a color are one path.
import { useId } from 'react';
import { weatherColor } from '../../../ui/theme.ts';
import type { Run } from '../common/runs.ts';
import type { TrackBox } from './timeline-layout.ts';
import { textPixels } from './text-pixels.ts';
import classes from './Timeline.module.css';

type Props = { runs: readonly Run[]; box: TrackBox; x: (at: number) => number };

export function StatusBand({ runs, box, x }: Readonly<Props>) {
  const patterns = useId();
  const shapes = runs.map((run, index) => {
    const [left, right, next] = [x(run.from), x(run.until), runs[index + 1]];
    const isGap = next !== undefined && next.from > run.until;
    return {
      run,
      left,
      right,
      color: weatherColor(run.label),
      path: roundedBox(left + 0.75, Math.max(1, right - left - 1.5), box),
      gap: isGap
        ? roundedBox(right + 2, Math.max(0, x(next.from) - right - 4), { top: box.top + 1, height: box.height - 2 })
        : '',
    };
  });
  type Shape = (typeof shapes)[number];
  const pathOf = (isWanted: (shape: Shape) => boolean) =>
    shapes
      .filter(isWanted)
      .map(({ path }) => path)
      .join('');
  const wet = pathOf(({ run }) => run.precipitation === 'wet');
  const fog = pathOf(({ color }) => color === 'foggy');
  const gaps = shapes.map(({ gap }) => gap).join('');
  return (
    <g>
      <BandPatterns id={patterns} />
      {[...new Set(shapes.map(({ color }) => color))].map((color) => (
        <path
          key={color}
          style={{ fill: `var(--rb-weather-${color})` }}
          className={color === 'unknown' ? classes.unknownRun : undefined}
          d={pathOf((shape) => shape.color === color)}
        />
      ))}
      {wet !== '' && <path fill={`url(#${patterns})`} d={wet} />}
      {fog !== '' && <path fill={`url(#${patterns}fog)`} d={fog} />}
      <path className={classes.bandEdge} d={pathOf(() => true)} />
      {gaps !== '' && <path className={classes.gap} d={gaps} />}
      {shapes
        .filter(({ run, left, right }) => textPixels(run.label) + 6 <= right - left)
        .map(({ run, left, right, color }) => (
          <text
            key={run.from}
            className={classes.bandWord}
            // Its edge keeps hatches and fog lines off the word.
            style={{ fill: `var(--rb-weather-${color}-words)`, stroke: `var(--rb-weather-${color})` }}
            x={(left + right) / 2}
            y={box.top + box.height / 2 + 4}
            textAnchor="middle"
          >
            {run.label}
          </text>
        ))}
    </g>
  );
}

/** The hatch of precipitation, `id`, and the lines of fog, `id` + `fog`. */
function BandPatterns({ id }: { readonly id: string }) {
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

function roundedBox(left: number, width: number, { top, height }: TrackBox): string {
  const r = tenth(Math.min(6, width / 3));
  const [across, down] = [tenth(width - 2 * r), tenth(height - 2 * r)];
  const corner = (toX: number, toY: number) => `a${r},${r} 0 0 1 ${toX},${toY}`;
  return (
    `M${tenth(left + r)},${tenth(top)}h${across}${corner(r, r)}v${down}${corner(-r, r)}` +
    `h${-across}${corner(-r, -r)}v${-down}${corner(r, -r)}z`
  );
}

/** Several times as fast as `toFixed`, for the thousands of coordinates of a comparison. */
export function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
