// How an action on many fares: a result per row, Stop while it runs, and Retry for what failed.
import { Button, Progress } from '@mantine/core';
import { TaskButton } from '#renderer/ui/controls/TaskButton.tsx';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { useApp } from '#renderer/store/use-app.ts';
import type { BulkRow } from '#renderer/features/monitors/common/bulk-slice.ts';
import { TrafficButton } from '#renderer/widgets/TrafficButton.tsx';
import classes from '#renderer/features/monitors/common/MonitorsScreen.module.css';

export function BulkResults() {
  const { bulk, stopBulk, retryBulk, closeBulk } = useApp((state) => state.monitors);
  if (bulk === null) return null;
  const count = (state: BulkRow['state']) => bulk.rows.filter((row) => row.state === state).length;
  const [done, failed, stopped] = [count('done'), count('failed'), count('stopped')];
  const all = bulk.rows.length;
  return (
    <section className={`rb-card ${classes.results}`} aria-label={bulk.title}>
      <div className={classes.bar}>
        <strong>{bulk.title}</strong>
        <span role="status">
          {done} of {all} done{failed > 0 && `, ${failed} failed`}
          {stopped > 0 && `, ${stopped} not begun`}
        </span>
        <span className={classes.space} />
        {bulk.isRunning ? (
          <Button size="xs" variant="default" onClick={stopBulk}>
            Stop
          </Button>
        ) : (
          <>
            {failed + stopped > 0 && (
              <TaskButton size="xs" task={retryBulk}>
                Retry the {failed + stopped} left
              </TaskButton>
            )}
            <Button size="xs" variant="default" onClick={closeBulk}>
              Close
            </Button>
          </>
        )}
      </div>
      <Progress
        aria-label={`${done + failed} of ${all}`}
        value={all === 0 ? 100 : ((done + failed) / all) * 100}
        color={failed > 0 ? 'red' : 'rain'}
        size="sm"
      />
      <Rows rows={bulk.rows} />
    </section>
  );
}

const stateLabels = { waiting: 'waiting', running: 'sending…', done: 'done', failed: 'failed', stopped: 'not begun' };
/** What went wrong stands first. */
const order = { failed: 0, stopped: 1, running: 2, waiting: 3, done: 4 };

function Rows({ rows }: { readonly rows: readonly BulkRow[] }) {
  const frame = useRef<HTMLDivElement>(null);
  const sorted = rows.toSorted((one, other) => order[one.state] - order[other.state]);
  // Its functions change with the scroll position; nothing here keeps them over a render.
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => frame.current,
    estimateSize: () => 26,
    overscan: 6,
  });
  return (
    // A list that scrolls can be scrolled by keys.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div ref={frame} className={classes.resultList} tabIndex={0} role="list" aria-label="Result of each monitor">
      <div role="presentation" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = sorted[index];
          return (
            row && (
              <div
                key={row.task.key}
                role="listitem"
                className={classes.resultRow}
                data-state={row.state}
                style={{ transform: `translateY(${start}px)` }}
              >
                <span>{stateLabels[row.state]}</span>
                <span className="rb-mono rb-truncate">{row.task.label}</span>
                <span className="rb-truncate" title={row.words}>
                  {row.words}
                </span>
                <TrafficButton id={row.exchangeId} size="compact-xs" about={row.task.label} />
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}
