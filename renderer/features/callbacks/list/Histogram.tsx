// Callbacks over time, stacked by verdict: a range to choose, a part to select, and the verdicts as filters with their counts.
import { Button, SegmentedControl } from '@mantine/core';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { type CallbackHistogram, verdictLabels, type VerdictName, verdictNames } from '@rainbell/contract/app-rpc';
import { rangeNames, type TimeSpan, timeRanges } from '../common/callback-view.ts';
import { useApp, useAppStore } from '../../../store/use-app.ts';
import { formatDuration } from '../../../ui/text/durations.ts';
import { plural } from '@rainbell/shared';
import type { ZonedTimes } from '../../../ui/text/zoned-times.ts';
import { useLogTimes } from '../../../widgets/use-log-times.ts';
import { axisTicks, draggedSpan, type HistogramAxis, scaleTop, spanAfterKey, spanAt } from './histogram-selection.ts';
import classes from './Histogram.module.css';

export function Histogram() {
  const { histogram, range, span, show, loadHistogram: load } = useApp((state) => state.callbackSearch);
  const store = useAppStore();
  const times = useLogTimes();
  // Heard without drawing: the histogram itself changes a few times a second at most.
  useEffect(() => {
    void load();
    return store.subscribe(({ callbacks }, before) => {
      if (callbacks.version !== before.callbacks.version) void load();
    });
  }, [load, store]);
  return (
    <section
      className={`rb-column rb-tight rb-fixed ${classes.histogram}`}
      aria-label="Callbacks over time"
      data-over-list
    >
      <div className="rb-row rb-wrap">
        <SegmentedControl
          size="xs"
          aria-label="Time range"
          value={range}
          onChange={(wanted) => void show({ range: wanted, span: null })}
          data={rangeNames.map((value) => ({ value, label: timeRanges[value].label }))}
        />
        {span && (
          <span className="rb-row rb-dim">
            <b>{formatSpan(span, times)}</b> <span>{formatDuration(span.to - span.from)} selected</span>
            <Button size="compact-xs" variant="subtle" onClick={() => void show({ span: null })}>
              Clear selection
            </Button>
          </span>
        )}
        <Facets histogram={histogram} />
      </div>
      {histogram ? <Bars histogram={histogram} times={times} /> : <div className={classes.plot} aria-hidden="true" />}
    </section>
  );
}

/** `16:48–17:05 CET`, with the day if it is not today's. */
export function formatSpan({ from, to }: TimeSpan, times: ZonedTimes): string {
  const isToday = times.dayKey(from) === times.dayKey(Date.now());
  const isMinutes = from % 60_000 === 0 && to % 60_000 === 0;
  const clock = isMinutes ? times.clock : times.clockSeconds;
  const end = times.dayKey(to - 1) === times.dayKey(from) ? clock(to) : times.dayClock(to);
  return `${isToday ? '' : `${times.day(from)}, `}${clock(from)}–${end} ${times.zoneName(from)}`;
}

/** Pressed ones are what the list is limited to. */
function Facets({ histogram }: { readonly histogram: CallbackHistogram | null }) {
  const { verdicts, show } = useApp((state) => state.callbackSearch);
  if (!histogram) return null;
  const counts = new Map(histogram.facets.map(({ verdict, count }) => [verdict, count]));
  const shown = verdictNames.filter((name) => (counts.get(name) ?? 0) > 0 || verdicts.includes(name));
  const toggle = (name: VerdictName) =>
    void show({ verdicts: verdictNames.filter((one) => (one === name) !== verdicts.includes(one)) });
  return (
    <div className="rb-row rb-wrap rb-tight rb-end" role="group" aria-label="Verdicts">
      {shown.map((name) => (
        <button
          key={name}
          type="button"
          className="rb-button"
          aria-pressed={verdicts.includes(name)}
          onClick={() => toggle(name)}
        >
          <i className={`rb-swatch ${classes.facet}`} data-verdict={name} />
          {verdictLabels[name]} <b>{(counts.get(name) ?? 0).toLocaleString('en')}</b>
        </button>
      ))}
    </div>
  );
}

const plotHeight = 48;
const dragPixels = 4;

type Drag = { start: number; end: number; x: number; isDrag: boolean };

function percentOf(at: number, axis: HistogramAxis): number {
  return (100 * (Math.min(Math.max(at, axis.from), axis.to) - axis.from)) / (axis.to - axis.from);
}

type ColumnsProps = {
  bars: readonly { at: number; counts: CallbackHistogram['bars'][number]['counts']; total: number }[];
  axis: HistogramAxis;
  top: number;
  selected: TimeSpan | null;
  times: ZonedTimes;
};

function Columns({ bars, axis, top, selected, times }: Readonly<ColumnsProps>) {
  const { verdicts } = useApp((state) => state.callbackSearch);
  const width = percentOf(axis.from + axis.barMs, axis);
  return (
    <svg width="100%" height={plotHeight} aria-hidden="true">
      {bars.map(({ at, counts, total: tall }) => {
        const isOut = selected !== null && (at + axis.barMs <= selected.from || at >= selected.to);
        let below = 0;
        return (
          <g key={at} data-out={isOut || undefined}>
            <title>{`${times.dayClock(at)}: ${describeCounts(counts, tall)}`}</title>
            {counts.map(({ verdict, count }) => {
              below += count;
              const isDim = verdicts.length > 0 && !verdicts.includes(verdict);
              return (
                <rect
                  key={verdict}
                  data-verdict={verdict}
                  data-out={isDim || undefined}
                  x={`${percentOf(at, axis)}%`}
                  y={plotHeight - Math.max(2, (below / top) * plotHeight)}
                  width={`${Math.max(0.15, width * 0.86)}%`}
                  height={Math.max(2, (count / top) * plotHeight)}
                />
              );
            })}
          </g>
        );
      })}
    </svg>
  );
}

function Bars({ histogram, times }: { readonly histogram: CallbackHistogram; readonly times: ZonedTimes }) {
  const { span, show } = useApp((state) => state.callbackSearch);
  const [drag, setDrag] = useState<Drag | null>(null);
  const plot = useRef<HTMLDivElement>(null);
  const axis: HistogramAxis = {
    from: Date.parse(histogram.from),
    to: Date.parse(histogram.to),
    barMs: histogram.barSeconds * 1000,
  };
  const percent = (at: number) => percentOf(at, axis);
  const timeOf = (event: PointerEvent | React.MouseEvent): number => {
    const box = plot.current?.getBoundingClientRect();
    const share = box ? (event.clientX - box.left) / box.width : 0;
    return axis.from + Math.min(Math.max(share, 0), 0.999_999) * (axis.to - axis.from);
  };
  const bars = histogram.bars.map(({ at, counts }) => ({
    at: Date.parse(at),
    counts,
    total: counts.reduce((sum, { count }) => sum + count, 0),
  }));
  const total = bars.reduce((sum, bar) => sum + bar.total, 0);
  const top = scaleTop(Math.max(0, ...bars.map((bar) => bar.total)));
  const selected = drag?.isDrag ? draggedSpan(drag.start, drag.end, axis) : span;
  const onPointerUp = (event: PointerEvent) => {
    if (!drag) return;
    setDrag(null);
    if (drag.isDrag) void show({ span: draggedSpan(drag.start, timeOf(event), axis) });
    else if (event.detail < 2) void show({ span: spanAt(drag.start, axis) });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = spanAfterKey(event, span, axis);
    if (next === undefined) return;
    event.preventDefault();
    void show({ span: next });
  };
  // But for whole days, which the ticks don't need.
  const isInDays = axis.to - axis.from > 2 * 86_400_000;
  const offsetMs = times.minuteOfDay(axis.from) * 60_000 - (axis.from % 86_400_000);
  return (
    <div className={classes.chart}>
      <div className={`rb-column rb-apart rb-note ${classes.scale}`} aria-hidden="true">
        <span>{top.toLocaleString('en')}</span>
        <span>{(top / 2).toLocaleString('en')}</span>
      </div>
      <div>
        {/* Its keys and what they select are as of a slider with two ends. */}
        <div
          ref={plot}
          className={classes.plot}
          role="slider"
          tabIndex={0}
          aria-label={plural(total, ['Time range selector for # callback', 'Time range selector for # callbacks'])}
          aria-valuemin={axis.from}
          aria-valuemax={axis.to}
          aria-valuenow={span?.from ?? axis.from}
          aria-valuetext={span ? formatSpan(span, times) : 'All'}
          onKeyDown={onKeyDown}
          onPointerDown={(event) => {
            if (event.button !== 0) return;
            event.currentTarget.setPointerCapture(event.pointerId);
            const at = timeOf(event);
            setDrag({ start: at, end: at, x: event.clientX, isDrag: false });
          }}
          onPointerMove={(event) => {
            if (!drag) return;
            const isDrag = drag.isDrag || Math.abs(event.clientX - drag.x) > dragPixels;
            setDrag({ ...drag, end: timeOf(event), isDrag });
          }}
          onPointerUp={onPointerUp}
          onPointerCancel={() => setDrag(null)}
          onDoubleClick={() => void show({ span: null })}
        >
          <Columns bars={bars} axis={axis} top={top} selected={selected} times={times} />
          {selected && (
            <span
              className={classes.selection}
              style={{ left: `${percent(selected.from)}%`, width: `${percent(selected.to) - percent(selected.from)}%` }}
            />
          )}
        </div>
        <div className={`rb-note ${classes.axis}`} aria-hidden="true">
          {axisTicks(axis, 5, offsetMs).map((at, index) => (
            <span key={at} style={{ left: insideAt(percent(at), index === 0, isInDays) }}>
              {isInDays ? times.day(at) : times.clock(at)}
              {index === 0 && ` ${times.zoneName(at)}`}
            </span>
          ))}
        </div>
      </div>
    </div>
  );
}

/** Where a label's middle is, so that all of it is inside: the first one has the zone, too. */
function insideAt(percent: number, hasZone: boolean, isDay: boolean): string {
  const half = (isDay ? 2.8 : 2.4) + (hasZone ? 1.5 : 0);
  return `clamp(${half}em, ${percent}%, 100% - ${half}em)`;
}

function describeCounts(counts: CallbackHistogram['bars'][number]['counts'], total: number): string {
  const parts = counts.map(({ verdict, count }) => `${verdictLabels[verdict]} ${count.toLocaleString('en')}`);
  return parts.length === 1 ? (parts[0] ?? '') : `${total.toLocaleString('en')} (${parts.join(', ')})`;
}
