// The cursor over all tracks, by mouse and touch (keys: TimelineCard.tsx). It is a slider whose value text names every value of the
// hour. Moving it draws only this component again.
import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react';
import { useApp, useAppStore } from '../../../store/use-app.ts';
import { shownCursor } from '../common/forecast-slice.ts';
import { placeOf, pointAt, type TimedPoint } from '../common/timed-points.ts';
import { useUnits } from '../../../widgets/use-units.ts';
import { pointValues } from './point-values.ts';
import { useWantedFocus } from './use-wanted-focus.ts';
import classes from './Timeline.module.css';
import { plural } from '@rainbell/shared';
import type { UnitFormat } from '../../../ui/text/units.ts';
import type { ZonedTimes } from '../../../ui/text/zoned-times.ts';
import type { ChartProps, ChartScales } from './track-scales.ts';

export function TimelineScrubber({ model, x, scales }: ChartProps) {
  const cursor = useApp((state) => shownCursor(state.forecast));
  const store = useAppStore();
  const { hover, moveCursor, inspect } = store.getState().forecast;
  const units = useUnits();
  const surface = useRef<HTMLDivElement>(null);
  const places = model.points;
  const position = placeOf(places, cursor);
  const here = places[position];
  useWantedFocus(surface);
  // A chart that goes under the pointer gets no leave.
  useEffect(() => () => hover(null), [hover]);

  const indexUnder = (event: MouseEvent<HTMLDivElement>) => {
    const at = x.invert(event.clientX - event.currentTarget.getBoundingClientRect().left);
    return places[pointAt(places, at)]?.point.index ?? 0;
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (event.pointerType === 'touch' && event.buttons === 0) return;
    hover(indexUnder(event));
  };
  return (
    <>
      {here && (
        // The whole hour, because amounts are per hour, with a line at its start.
        <div
          className={classes.hair}
          style={{ transform: `translateX(${x(here.at)}px)`, width: Math.max(2, x(here.until) - x(here.at)) }}
        />
      )}
      {here && <Dots here={here} x={x} scales={scales} />}
      {/* Its keys work without the focus, too: TimelineCard.tsx. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events */}
      <div
        ref={surface}
        className={classes.slider}
        role="slider"
        tabIndex={0}
        aria-label="Forecast points"
        aria-valuemin={1}
        aria-valuemax={places.length}
        aria-valuenow={position + 1}
        aria-valuetext={here ? spokenPoint(here, model.times, units) : 'no point'}
        aria-keyshortcuts="ArrowLeft ArrowRight Shift+ArrowLeft Shift+ArrowRight PageUp PageDown Home End Enter T"
        onPointerMove={onPointerMove}
        onPointerUp={(event) => {
          // A finger can't hover: the cursor stays where a drag ended. A tap inspects, as a click does.
          if (event.pointerType === 'touch' && store.getState().forecast.hovered !== null)
            moveCursor(indexUnder(event));
        }}
        onPointerLeave={() => hover(null)}
        onPointerCancel={() => hover(null)}
        onClick={(event) => inspect(indexUnder(event))}
      />
    </>
  );
}

type DotsProps = { here: TimedPoint; x: ChartProps['x']; scales: ChartScales };

/** Where the cursor meets the curves. */
function Dots({ here: { point, at }, x, scales }: Readonly<DotsProps>) {
  const { temperature, wind_speed, humidity, pressure } = point.measured ?? {};
  const dots = [
    ['temperature', scales.temperature, temperature],
    ['wind_speed', scales.wind, wind_speed],
    ['humidity', scales.humidity, humidity],
    ['pressure', scales.pressure, pressure],
  ] as const;
  return dots.map(([name, scale, value]) =>
    scale && value !== undefined ? (
      <span
        key={name}
        className={classes.dot}
        data-curve={name}
        style={{ transform: `translate(${x(at)}px, ${scale.y(value)}px)` }}
      />
    ) : null,
  );
}

/** `Sun 22 Nov 14:00 CET, rainy, 7.4 degrees, 3.7 millimeters, wind 4.5 meters per second from southwest, 1 deviation` */
function spokenPoint({ point, at }: TimedPoint, times: ZonedTimes, units: UnitFormat): string {
  const values = pointValues(point, units, 'spoken');
  const deviations = point.problems.length;
  return [
    `${times.day(at)} ${times.clock(at)} ${times.zoneName(at)}`,
    values.status,
    values.temperature,
    values.precipitation,
    values.wind && `wind ${values.wind}${values.windFrom === undefined ? '' : ` from ${values.windFrom}`}`,
    values.dewPoint && `dew point ${values.dewPoint}`,
    values.humidity && `humidity ${values.humidity}`,
    values.pressure && `pressure ${values.pressure}`,
    deviations > 0 && plural(deviations, ['# deviation', '# deviations']),
  ]
    .filter(Boolean)
    .join(', ');
}
