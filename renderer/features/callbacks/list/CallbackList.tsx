// The live list. At the top it follows the newest; once scrolled it stands still and says how many came since. Only the
// rows in view are on the page. Space marks a row for what is done with many.
import { Button } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import { type KeyboardEvent, type UIEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { isUnread } from '#renderer/features/callbacks/common/unread-text.ts';
import { useApp } from '#renderer/store/use-app.ts';
import styles from '#renderer/ui/controls/LogList.module.css';
import { listTarget } from '#renderer/ui/hooks/list-keys.ts';
import { ColumnMenu } from '#renderer/ui/controls/ColumnMenu.tsx';
import { keepColumns, readColumns } from '#renderer/ui/controls/kept-columns.ts';
import { useRowHeight } from '#renderer/widgets/use-row-height.ts';
import { useLogTimes } from '#renderer/widgets/use-log-times.ts';
import { type RowsInView, slotOf, useRowsInView } from '#renderer/ui/hooks/use-rows-in-view.ts';
import { type CallbackLog, newestId, rowAt, rowCount } from '#renderer/features/callbacks/common/callback-log.ts';
import { CallbackRow } from './CallbackRow.tsx';
import { CallbackSearch } from '#renderer/features/callbacks/search/CallbackSearch.tsx';
import { columnsKey, gridColumns, type ListColumn, listColumns, usualColumns } from './list-columns.ts';
import { SelectionBar } from './SelectionBar.tsx';
import type { CallbackSearchSlice } from '#renderer/features/callbacks/search/search-slice.ts';
import classes from './CallbackList.module.css';

export function CallbackList() {
  const [columns, setColumns] = useState(() => readColumns(columnsKey, listColumns, usualColumns));
  const chooseColumns = (wanted: readonly ListColumn[]) => {
    setColumns(wanted);
    keepColumns(columnsKey, wanted);
  };
  return (
    <section className={`rb-card ${styles.card}`} aria-label="Received callbacks">
      <div className={classes.tools}>
        <CallbackSearch />
        <ColumnMenu all={listColumns} shown={columns} onChange={chooseColumns} />
      </div>
      <div className={styles.head} aria-hidden="true" style={{ gridTemplateColumns: gridColumns(columns) }}>
        <span />
        <span>Received</span>
        {listColumns
          .filter(({ key }) => columns.includes(key))
          .map(({ key, name, isNumber }) => (
            <span key={key} className={isNumber ? styles.number : undefined}>
              {name}
            </span>
          ))}
      </div>
      <LiveRows columns={columns} />
    </section>
  );
}

/** What is drawn again with every arrival, apart from the tools above, which are not. */
function LiveRows({ columns }: { readonly columns: readonly ListColumn[] }) {
  const whole = useApp((state) => state.callbacks.log);
  // The log grows in place; its version says when.
  useApp((state) => state.callbacks.version);
  const search = useApp((state) => state.callbackSearch);
  const isSearch = search.query.trim() !== '';
  const log = isSearch ? search.log : whole;
  const { marked, toggle } = useApp((state) => state.callbackSelection);
  const unread = useApp((state) => state.callbacks.unread);
  const total = useApp((state) => state.callbacks.total);
  const selectedId = useApp((state) => state.callbacks.selectedId);
  const select = useApp((state) => state.callbacks.select);
  const frame = useRef<HTMLDivElement>(null);
  const count = rowCount(log);
  const rowHeight = useRowHeight('row');
  const rows = useRowsInView(frame, { count, rowHeight });
  const { unseen, onScroll } = useFollow(rows, log, rowHeight);
  useOlderRows(rows.places.at(-1) ?? 0, { isSearch, count });
  const move = (event: KeyboardEvent) => {
    const here = selectedId === null ? -1 : indexOf(log, selectedId);
    if (event.key === ' ' && selectedId !== null) {
      event.preventDefault();
      toggle(selectedId);
      return;
    }
    const target = listTarget(event.key, here, count);
    const row = target === undefined ? undefined : rowAt(log, target);
    if (target === undefined || !row) return;
    event.preventDefault();
    rows.show(target);
    void select(row.id);
  };
  const times = useLogTimes();
  const names = useMonitorNames();
  const gridTemplateColumns = gridColumns(columns);
  const isChosenInView = rows.places.some((place) => rowAt(log, place)?.id === selectedId);
  return (
    <>
      <div
        className={styles.frame}
        ref={frame}
        role="listbox"
        aria-label={`${isSearch ? count : total} callbacks, newest first`}
        aria-activedescendant={isChosenInView ? `rb-callback-${selectedId}` : undefined}
        aria-multiselectable
        tabIndex={0}
        onKeyDown={move}
        onScroll={onScroll}
      >
        <div className={styles.body} style={{ height: count * rowHeight }}>
          {rows.places.map((place) => {
            const row = rowAt(log, place);
            return (
              row && (
                <CallbackRow
                  key={slotOf(place, { count, slots: rows.slots })}
                  row={row}
                  times={times}
                  columns={columns}
                  names={names}
                  isChosen={row.id === selectedId}
                  isUnread={unread.count > 0 && row.refusal === null && isUnread(unread, row.id)}
                  isMarked={marked.has(row.id)}
                  onMark={() => toggle(row.id)}
                  style={{ gridTemplateColumns, transform: `translateY(${place * rowHeight}px)` }}
                  place={place}
                  total={isSearch ? count : total}
                  onChoose={() => void select(row.id)}
                />
              )
            );
          })}
        </div>
      </div>
      {unseen > 0 && (
        <Button
          className={classes.pill ?? ''}
          size="compact-sm"
          radius="xl"
          leftSection={<IconArrowUp size={14} />}
          onClick={() => frame.current?.scrollTo({ top: 0 })}
        >
          {unseen} new
        </Button>
      )}
      <SelectionBar />
      <p className={styles.foot} role="status">
        {isSearch && searchSummary(search, count)}
        {total.toLocaleString('en')} kept{unseen > 0 ? `, ${unseen} new above` : ''}
      </p>
    </>
  );
}

/** Names that the person gave to monitors, by id. */
function useMonitorNames(): ReadonlyMap<string, string> {
  const monitors = useApp((state) => state.monitors.items);
  return useMemo(
    () => new Map(monitors.filter(({ name }) => name !== '').map(({ id, name }) => [id, name])),
    [monitors],
  );
}

/** Reads on while the last row in view comes near the end of those that are loaded. */
function useOlderRows(last: number, { isSearch, count }: { isSearch: boolean; count: number }): void {
  const more = useApp((state) => state.callbackSearch.more);
  const loadOlder = useApp((state) => state.callbacks.loadOlder);
  const total = useApp((state) => state.callbacks.total);
  useEffect(() => {
    if (last < count - 40) return;
    if (isSearch) void more();
    else if (count < total) void loadOlder();
  }, [isSearch, last, count, total, more, loadOlder]);
}

function searchSummary({ found, isAtEnd, request }: CallbackSearchSlice, count: number): string {
  const all = found ?? (isAtEnd ? count : null);
  const matches =
    all === 1 ? '1 match' : `${all === null ? `${count.toLocaleString('en')}+` : all.toLocaleString('en')} matches`;
  return request.state === 'failed' ? `${matches}, then: ${request.failure.message} · ` : `${matches} of `;
}

/** Keeps the rows under the eyes in place while newer ones arrive above, unless the list stands at its top. */
function useFollow({ scrollTop, shift }: RowsInView, log: CallbackLog, rowHeight: number) {
  const newer = log.newer.length;
  const before = useRef({ log, newer });
  /** The newest id when the list left its top; null while it stands there. */
  const [leftAt, setLeftAt] = useState<number | null>(null);
  useLayoutEffect(() => {
    const arrived = before.current.log === log ? newer - before.current.newer : 0;
    before.current = { log, newer };
    if (arrived > 0 && scrollTop() >= rowHeight) shift(arrived);
  });
  const onScroll = (event: UIEvent) => {
    const isAtTop = event.currentTarget.scrollTop < rowHeight;
    setLeftAt((kept) => (isAtTop ? null : (kept ?? newestId(log))));
  };
  const unseen = leftAt === null ? 0 : Math.max(0, indexOf(log, leftAt));
  return { unseen, onScroll };
}

/** Ids fall down the list, so a binary search finds the place; -1 where the id is not there. */
function indexOf(log: CallbackLog, id: number): number {
  let low = 0;
  let high = rowCount(log) - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = rowAt(log, middle)?.id ?? 0;
    if (found === id) return middle;
    if (found > id) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
