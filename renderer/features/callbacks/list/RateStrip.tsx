// How many callbacks came in the last three hours, a bar for every two minutes; those that were not answered 2xx stand out.
import { useEffect } from 'react';
import { useApp, useAppStore } from '#renderer/store/use-app.ts';
import { useLogTimes } from '#renderer/widgets/use-log-times.ts';
import { rateBucketMs } from '#renderer/features/callbacks/common/strips-slice.ts';
import classes from '#renderer/features/callbacks/common/Strips.module.css';

const height = 44;

export function RateStrip() {
  const rate = useApp((state) => state.callbackStrips.rate);
  const load = useApp((state) => state.callbackStrips.loadRate);
  const store = useAppStore();
  const times = useLogTimes();
  // Heard without drawing: the strip itself changes every two seconds at most.
  useEffect(() => {
    void load();
    return store.subscribe(({ callbacks }, before) => {
      if (callbacks.version !== before.callbacks.version) void load();
    });
  }, [load, store]);
  if (!rate) return <div className={`rb-card ${classes.rate}`} aria-hidden="true" />;
  const { from, to, buckets } = rate;
  const most = Math.max(1, ...buckets.map(({ count }) => count));
  const total = buckets.reduce((sum, { count }) => sum + count, 0);
  const refused = buckets.reduce((sum, bucket) => sum + bucket.refused, 0);
  const percent = (at: number) => (100 * (at - from)) / (to - from);
  const width = (100 * rateBucketMs) / (to - from);
  const refusedText = refused > 0 ? `, ${refused.toLocaleString('en')} of them not answered with 2xx` : '';
  return (
    <figure
      className={`rb-card ${classes.rate}`}
      aria-label={`${total.toLocaleString('en')} callbacks in the last three hours${refusedText}`}
    >
      <svg className={classes.bars} height={height} width="100%" aria-hidden="true">
        {buckets.map(({ at, count, refused: bad }) => {
          const tall = Math.max(2, (count / most) * (height - 4));
          const x = percent(Date.parse(at));
          return (
            <g key={at}>
              <title>{`${times.clock(Date.parse(at))}: ${count}${bad > 0 ? `, ${bad} not answered 2xx` : ''}`}</title>
              <rect x={`${x}%`} y={height - tall} width={`${width * 0.78}%`} height={tall} rx={2} />
              {bad > 0 && (
                <rect
                  data-bad
                  x={`${x}%`}
                  y={height - (tall * bad) / count}
                  width={`${width * 0.78}%`}
                  height={(tall * bad) / count}
                  rx={2}
                />
              )}
            </g>
          );
        })}
      </svg>
      <div className={classes.axis} aria-hidden="true">
        {halfHours(from, to).map((at) => (
          <span key={at} style={{ left: `${percent(at)}%` }}>
            {times.clock(at)}
          </span>
        ))}
      </div>
      {total === 0 && <figcaption className={classes.nothing}>No callback in the last three hours</figcaption>}
    </figure>
  );
}

const halfHourMs = 30 * 60_000;

/** Those that have room for their words at both ends. */
function halfHours(from: number, to: number): number[] {
  const first = Math.ceil((from + halfHourMs / 3) / halfHourMs) * halfHourMs;
  return Array.from({ length: 7 }, (_, index) => first + index * halfHourMs).filter((at) => at < to - halfHourMs / 3);
}
