// Lays out the tracks of the timeline, in pixels from its top. The measured tracks share the remaining height by their weights; if
// it is too small, the wind is dropped first. Tracks that were not sent or not selected take no room.
import type { TimedPoint } from '../common/timed-points.ts';

export type TrackBox = { top: number; height: number };

/** Measured tracks from the top: their share of the height, the layer that shows them, and the value without which they stay away. */
const tracks = {
  temperature: { weight: 46, layer: 'temperature', field: 'temperature' },
  humidity: { weight: 20, layer: 'humidity', field: 'humidity' },
  pressure: { weight: 20, layer: 'pressure', field: 'pressure' },
  rain: { weight: 29, layer: 'precipitation', field: null },
  wind: { weight: 25, layer: 'wind', field: 'wind_speed' },
} as const;
export type TrackName = keyof typeof tracks;
const trackNames = Object.keys(tracks) as TrackName[];

export type TimelineLayout = {
  icons: TrackBox;
  band: TrackBox;
  /** Those that are drawn, each without the legend above. */
  plots: Readonly<Partial<Record<TrackName, TrackBox>>>;
  axis: TrackBox;
  height: number;
};

const legendHeight = 18;
const minHeight = 240;
const gap = 6;
const minPlot = 34;
const [iconsHeight, bandHeight, axisHeight] = [34, 22, 22] as const;

type Options = { height: number; shown: ReadonlySet<string> };

export function timelineLayout(points: readonly TimedPoint[], { height, shown }: Options): TimelineLayout {
  const whole = Math.max(minHeight, Math.floor(height));
  let drawn = trackNames.filter((name) => {
    const { layer, field } = tracks[name];
    return shown.has(layer) && (field === null || points.some(({ point }) => point.measured?.[field] !== undefined));
  });
  const free = () => whole - (iconsHeight + bandHeight + gap) - axisHeight - drawn.length * (legendHeight + gap);
  for (const name of ['wind', 'pressure', 'humidity'] as const)
    if (free() < drawn.length * minPlot && drawn.length > 1) drawn = drawn.filter((one) => one !== name);
  const room = Math.max(drawn.length * minPlot, free());
  const weight = drawn.reduce((sum, name) => sum + tracks[name].weight, 0);

  let at = 0;
  const place = (size: number, below = 0): TrackBox => {
    const box = { top: at, height: size };
    at += size + below;
    return box;
  };
  const icons = place(iconsHeight);
  const band = place(bandHeight, gap);
  const plots = drawn.map((name) => {
    at += legendHeight;
    return [name, place(Math.floor((room * tracks[name].weight) / weight), gap)] as const;
  });
  return { icons, band, plots: Object.fromEntries(plots), axis: place(axisHeight), height: at };
}
