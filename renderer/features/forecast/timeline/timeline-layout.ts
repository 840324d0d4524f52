// Where each track of the timeline stands, in pixels from its top. Tracks without data take no room.
import { visibleText } from '#shared/text/visible-text.ts';
import type { TimedPoint } from '#renderer/features/forecast/common/timed-points.ts';

export type TrackBox = { top: number; height: number };
export type TimelineLayout = {
  days: TrackBox;
  icons: TrackBox;
  sun: TrackBox;
  band: TrackBox;
  rain: TrackBox;
  temperature: TrackBox | null;
  wind: TrackBox | null;
  points: TrackBox;
  sources: TrackBox;
  axis: TrackBox;
  height: number;
  lanes: readonly SourceLane[];
};

/** One source, or in the last lane all those that have no lane of their own. */
export type SourceLane = { name: string; sources: ReadonlySet<string> };

const gap = 10;
const laneHeight = 12;
const mostLanes = 6;

export function timelineLayout(points: readonly TimedPoint[]): TimelineLayout {
  let top = 0;
  const track = (height: number, gapBelow = gap): TrackBox => {
    const box = { top, height };
    top += height + gapBelow;
    return box;
  };
  const has = (name: 'temperature' | 'wind_speed') => points.some(({ point }) => point.measured?.[name] !== undefined);
  const lanes = sourceLanes([...new Set(points.flatMap(({ point }) => point.sources ?? []))]);
  const boxes = {
    days: track(22, 4),
    icons: track(46),
    sun: track(62),
    band: track(32),
    rain: track(46),
    temperature: has('temperature') ? track(52) : null,
    wind: has('wind_speed') ? track(56) : null,
    points: track(14, 4),
    sources: track(Math.max(1, lanes.length) * laneHeight, 2),
    axis: track(22, 0),
  };
  return { ...boxes, height: top, lanes };
}

function sourceLanes(names: readonly string[]): readonly SourceLane[] {
  const own = names.length <= mostLanes ? names : names.slice(0, mostLanes - 1);
  const others = names.slice(own.length);
  const lanes = own.map((name) => ({ name: visibleText(name, 60), sources: new Set([name]) }));
  return others.length === 0 ? lanes : [...lanes, { name: `${others.length} more`, sources: new Set(others) }];
}

export const sourceLaneHeight = laneHeight;
