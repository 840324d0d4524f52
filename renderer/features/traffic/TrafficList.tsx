// The exchanges, newest first. Only the rows in view are on the page; older ones are read as one scrolls.
import { type KeyboardEvent, useEffect, useRef } from 'react';
import type { TrafficSummary } from '@rainbell/contract/app-rpc';
import { useApp } from '../../store/use-app.ts';
import { plural, visibleText } from '@rainbell/shared';
import { formatSize } from '../../ui/text/durations.ts';
import { ForeignText } from '../../ui/text/ForeignText.tsx';
import { listTarget } from '../../ui/hooks/list-target.ts';
import { useRowHeight } from '../../widgets/use-row-height.ts';
import { useLogTimes } from '../../widgets/use-log-times.ts';
import { slotOf, useRowsInView } from '../../ui/hooks/use-rows-in-view.ts';
import type { ZonedTimes } from '../../ui/text/zoned-times.ts';
import styles from '../../ui/controls/LogList.module.css';

// The time with milliseconds and AM or PM fits into the first.
const gridTemplateColumns = 'minmax(88px, 128px) minmax(120px, 1fr) 44px 60px 60px';

export function TrafficList() {
  const { rows, total, isWhole, selectedId, select, loadOlder } = useApp((state) => state.traffic);
  const times = useLogTimes();
  const frame = useRef<HTMLDivElement>(null);
  const count = rows.length;
  const stored = (total ?? 0).toLocaleString('en');
  const rowHeight = useRowHeight('row');
  const { places, slots, show } = useRowsInView(frame, { count, rowHeight });
  const last = places.at(-1) ?? 0;
  useEffect(() => {
    if (last >= rows.length - 40 && !isWhole) void loadOlder();
  }, [last, rows.length, isWhole, loadOlder]);
  const move = (event: KeyboardEvent) => {
    const target = listTarget(
      event.key,
      rows.findIndex(({ id }) => id === selectedId),
      rows.length,
    );
    const row = target === undefined ? undefined : rows[target];
    if (target === undefined || !row) return;
    event.preventDefault();
    show(target);
    void select(row.id);
  };
  const isChosenInView = places.some((place) => rows[place]?.id === selectedId);
  return (
    <section className={`rb-card rb-pane ${styles.card}`} aria-label="Requests">
      <div className={`rb-list-head ${styles.head}`} aria-hidden="true" style={{ gridTemplateColumns }}>
        <span>Sent</span>
        <span>Request</span>
        <span className={styles.number}>Status</span>
        <span className={styles.number}>Size</span>
        <span className={styles.number}>Duration</span>
      </div>
      <div
        className={`rb-fill ${styles.frame}`}
        ref={frame}
        role="listbox"
        aria-label="Requests, newest first"
        aria-activedescendant={isChosenInView ? `rb-exchange-${selectedId}` : undefined}
        tabIndex={0}
        onKeyDown={move}
      >
        <div className={styles.body} style={{ height: count * rowHeight }}>
          {places.map((place) => {
            const row = rows[place];
            return (
              row && (
                <Row
                  key={slotOf(place, { count, slots })}
                  row={row}
                  times={times}
                  top={place * rowHeight}
                  place={place}
                  setSize={isWhole ? rows.length : -1}
                  isChosen={row.id === selectedId}
                  onChoose={() => void select(row.id)}
                />
              )
            );
          })}
        </div>
      </div>
      <p className="rb-bar rb-note" role="status">
        {isWhole && rows.length !== total
          ? plural(rows.length, ['{stored} stored, # matches the filter', '{stored} stored, # match the filter'], {
              stored,
            })
          : plural(total ?? 0, ['# stored', '# stored'])}
      </p>
    </section>
  );
}

type RowProps = {
  row: TrafficSummary;
  times: ZonedTimes;
  top: number;
  place: number;
  /** -1 while more may follow. */
  setSize: number;
  isChosen: boolean;
  onChoose: () => void;
};

function Row({ row, times, top, place, setSize, isChosen, onChoose }: Readonly<RowProps>) {
  const at = Date.parse(row.at);
  return (
    // The list itself takes the keys and names the chosen row.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={`rb-exchange-${row.id}`}
      className={`rb-list-row ${styles.row}`}
      role="option"
      aria-selected={isChosen}
      aria-posinset={place + 1}
      aria-setsize={setSize}
      style={{ gridTemplateColumns, transform: `translateY(${top}px)` }}
      onClick={onChoose}
    >
      <span className="rb-mono rb-truncate" title={times.dayClock(at)}>
        {times.clockMilliseconds(at)}
      </span>
      <span className="rb-mono rb-truncate" title={visibleText(`${row.connectionName}: ${row.url}`)}>
        <b className="rb-tone" data-tone={row.method === 'POST' ? 'good' : 'accent'}>
          {row.method}
        </b>{' '}
        <ForeignText text={pathOf(row.url)} limit={300} />
      </span>
      <span className={styles.number} data-bad={row.status === null || row.status >= 400 || undefined}>
        {row.status ?? <>none</>}
      </span>
      <span className={styles.number}>{formatSize(row.sizeBytes)}</span>
      <span className={styles.number}>{Math.round(row.tookMs)} ms</span>
    </div>
  );
}

function pathOf(address: string): string {
  const url = URL.parse(address);
  return url ? `${url.pathname}${url.search}` : address;
}
