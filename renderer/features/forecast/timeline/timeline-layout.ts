// Lays out the tracks of the timeline, in pixels from its top. The measured tracks share the remaining height by their weights; if
// it is too small, the wind is dropped first. Tracks that were not sent or not selected take no room.
import type { TimedPoint } from '../common/timed-points.ts';

export type TrackBox = { top: number; height: number };

/** Boxes of measured tracks are their plots; the legend is in the `legendHeight` above. */
export type TimelineLayout = {
  icons: TrackBox;
  band: TrackBox;
  temperature: TrackBox | null;
  humidity: TrackBox | null;
  pressure: TrackBox | null;
  rain: TrackBox;
  wind: TrackBox | null;
  axis: TrackBox;
  height: number;
};

export const legendHeight = 18;
const minHeight = 240;
const gap = 6;
const minPlot = 34;
const weights = { temperature: 46, humidity: 20, pressure: 20, rain: 29, wind: 25 } as const;
type Weighted = keyof typeof weights;

type Options = { height: number; shown: ReadonlySet<string> };

export function timelineLayout(points: readonly TimedPoint[], { height, shown }: Options): TimelineLayout {
  const whole = Math.max(minHeight, Math.floor(height));
  const sent = (name: 'temperature' | 'wind_speed' | 'humidity' | 'pressure') =>
    points.some(({ point }) => point.measured?.[name] !== undefined);
  let plots: readonly Weighted[] = [
    ...(shown.has('temperature') && sent('temperature') ? (['temperature'] as const) : []),
    ...(shown.has('humidity') && sent('humidity') ? (['humidity'] as const) : []),
    ...(shown.has('pressure') && sent('pressure') ? (['pressure'] as const) : []),
    ...(shown.has('precipitation') ? (['rain'] as const) : []),
    ...(shown.has('wind') && sent('wind_speed') ? (['wind'] as const) : []),
  ];
  const top = { icons: 34, band: 22 };
  const axis = 22;
  const free = () => whole - (top.icons + top.band + gap) - axis - plots.length * (legendHeight + gap);
  const isShort = () => free() < plots.length * minPlot;
  for (const name of ['wind', 'pressure', 'humidity'] as const)
    if (isShort() && plots.length > 1) plots = plots.filter((one) => one !== name);
  const room = Math.max(plots.length * minPlot, free());
  const weight = plots.reduce((sum, name) => sum + weights[name], 0);

  let at = 0;
  const place = (size: number, below = 0): TrackBox => {
    const box = { top: at, height: size };
    at += size + below;
    return box;
  };
  const plot = (name: Weighted): TrackBox | null => {
    if (!plots.includes(name)) return null;
    at += legendHeight;
    return place(Math.floor((room * weights[name]) / weight), gap);
  };
  const boxes = {
    icons: place(top.icons),
    band: place(top.band, gap),
    temperature: plot('temperature'),
    humidity: plot('humidity'),
    pressure: plot('pressure'),
    rain: plot('rain') ?? { top: at, height: 0 },
    wind: plot('wind'),
    axis: place(axis),
  };
  return { ...boxes, height: at };
}
