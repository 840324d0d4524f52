// The cross-hair over all tracks, by mouse, touch and keyboard. It is a slider whose value text is the point in words.
// Hovering changes this component's own state and one CSS transform; nothing else is drawn again.
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { useApp, useAppStore } from '#renderer/store/use-app.ts';
import { useNow } from '#renderer/ui/hooks/use-now.ts';
import { pointLabel } from '#renderer/features/forecast/common/runs.ts';
import { pointSentence } from '#renderer/features/forecast/common/summary.ts';
import { nearestPoint, type TimedPoint } from '#renderer/features/forecast/common/timed-points.ts';
import { keyTarget } from './timeline-keys.ts';
import type { TrackProps } from './Timeline.tsx';
import { serviceNow } from '#renderer/features/forecast/common/timeline-model.ts';
import { useWantedFocus } from './use-wanted-focus.ts';
import { wordPixels } from './word-pixels.ts';
import classes from './Timeline.module.css';

export function TimelineScrubber({ model, layout, x }: TrackProps) {
  const store = useAppStore();
  const cursor = useApp((state) => state.forecast.cursor);
  const pinned = useApp((state) => state.forecast.pinned);
  const { moveCursor, togglePin } = store.getState().forecast;
  const [hovered, setHovered] = useState<number | null>(null);
  const machineNow = useNow(30_000);
  const surface = useRef<HTMLDivElement>(null);
  const places = model.points;
  const position = Math.max(
    0,
    places.findIndex(({ point }) => point.index === cursor),
  );
  const here = places[position];
  const pinnedPlace = pinned === null ? undefined : places.find(({ point }) => point.index === pinned);
  useWantedFocus(surface);
  useKeptInView(surface, here ? x(here.at) : 0);

  const placeUnder = (event: PointerEvent<HTMLDivElement>) =>
    nearestPoint(places, x.invert(event.clientX - event.currentTarget.getBoundingClientRect().left));
  const choose = (place: number | undefined) => {
    const chosen = place === undefined ? undefined : places[place];
    if (chosen) moveCursor(chosen.point.index);
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    choose(placeUnder(event));
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const place = placeUnder(event);
    if (event.buttons === 1) choose(place);
    setHovered(place);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = keyTarget(model, position, event.key, event.shiftKey);
    if (target !== undefined) choose(target);
    else if (event.key === 'Enter') togglePin();
    else if (event.key === 'Escape' && pinned !== null) togglePin();
    else return;
    event.preventDefault();
  };

  const forecast = store.getState().forecast.forecast;
  const now = forecast ? serviceNow(forecast, machineNow) : model.from;
  const hoveredPoint = hovered === null || hovered === position ? undefined : places[hovered];
  return (
    <>
      {pinnedPlace && pinnedPlace !== here && <Hair at={pinnedPlace} x={x} kind="pinned" />}
      {hoveredPoint && <Hair at={hoveredPoint} x={x} kind="hover" />}
      {here && <Hair at={here} x={x} kind="cursor" />}
      {(hoveredPoint ?? here) && <Flag at={hoveredPoint ?? here} model={model} layout={layout} x={x} />}
      <div
        ref={surface}
        className={classes.slider}
        role="slider"
        tabIndex={0}
        aria-label="Points of the forecast"
        aria-valuemin={1}
        aria-valuemax={places.length}
        aria-valuenow={position + 1}
        aria-valuetext={here ? pointSentence(here, model.times, now) : 'no point'}
        aria-keyshortcuts="ArrowLeft ArrowRight Shift+ArrowLeft Shift+ArrowRight PageUp PageDown Home End Enter T"
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerLeave={() => setHovered(null)}
        onKeyDown={onKeyDown}
      />
    </>
  );
}

type HairProps = { at: TimedPoint; x: TrackProps['x']; kind: 'cursor' | 'hover' | 'pinned' };

function Hair({ at, x, kind }: Readonly<HairProps>) {
  return (
    <div className={classes.hair} data-kind={kind} style={{ transform: `translateX(${x(at.at)}px)` }}>
      {kind === 'cursor' && <span className={classes.knob} style={{ top: 'calc(100% - 8px)' }} />}
    </div>
  );
}

/** The time and the word under the cross-hair, kept inside of the stage. */
function Flag({ at, model, layout, x }: TrackProps & { readonly at: TimedPoint | undefined }) {
  if (!at) return null;
  const words = `${model.times.weekdayClock(at.at)} · ${pointLabel(at.point)}`;
  const width = wordPixels(words) + 26;
  const [left, right] = x.range();
  const start = Math.max(left - 6, Math.min(right - width + 6, x(at.at) - width / 2));
  return (
    <div
      className={classes.flag}
      style={{ transform: `translateX(${start}px)`, top: layout.height + 4, width, textAlign: 'center' }}
    >
      {words}
    </div>
  );
}

/** Scrolls a narrow timeline so that the cross-hair moved by keyboard stays visible. */
function useKeptInView(surface: { readonly current: HTMLDivElement | null }, left: number): void {
  useEffect(() => {
    const scroller = surface.current?.parentElement?.parentElement;
    if (!scroller || scroller.scrollWidth <= scroller.clientWidth) return;
    const margin = 80;
    if (left < scroller.scrollLeft + margin) scroller.scrollTo({ left: left - margin });
    else if (left > scroller.scrollLeft + scroller.clientWidth - margin)
      scroller.scrollTo({ left: left - scroller.clientWidth + margin });
  }, [surface, left]);
}
