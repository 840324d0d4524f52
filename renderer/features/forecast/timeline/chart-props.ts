// What the chart's tracks are drawn from.
import type { LinearScale } from '../common/linear-scale.ts';
import type { TimelineModel } from '../common/timeline-model.ts';
import type { TimelineLayout, TrackName } from './timeline-layout.ts';
import type { TrackScale } from './track-scales.ts';

/** Epoch milliseconds to pixels. Days and hours are the shown zone's, so d3's own time ticks are of no use here. */
export type TimeScale = LinearScale;
export type TrackProps = { model: TimelineModel; layout: TimelineLayout; x: TimeScale };

/** Of the measured tracks that are drawn. */
export type ChartScales = Readonly<Partial<Record<TrackName, TrackScale>>>;
export type ChartProps = TrackProps & { scales: ChartScales; shown: ReadonlySet<string> };
