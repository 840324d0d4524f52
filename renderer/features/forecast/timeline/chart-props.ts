// What the chart's tracks are drawn from.
import type { LinearScale } from '../common/linear-scale.ts';
import type { TimelineModel } from '../common/timeline-model.ts';
import type { TimelineLayout } from './timeline-layout.ts';
import type { TrackScale } from './track-scales.ts';

/** Epoch milliseconds to pixels. Days and hours are the shown zone's, so d3's own time ticks are of no use here. */
export type TimeScale = LinearScale;
export type TrackProps = { model: TimelineModel; layout: TimelineLayout; x: TimeScale };

/** The measured tracks that are drawn. */
export type ChartScales = {
  temperature?: TrackScale;
  humidity?: TrackScale;
  pressure?: TrackScale;
  rain?: TrackScale;
  wind?: TrackScale;
};
export type ChartProps = TrackProps & { scales: ChartScales; shown: ReadonlySet<string> };
