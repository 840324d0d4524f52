// The live list. At the top it follows the newest; once scrolled it stands still and says how many came since. Only the
// rows in view are on the page. Space marks a row for what is done with many.
import { Button } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useApp } from '#renderer/store/use-app.ts';
import styles from '#renderer/ui/LogList.module.css';
import { listTarget } from '#renderer/ui/list-keys.ts';
import { ColumnMenu } from '#renderer/ui/ColumnMenu.tsx';
import { keepColumns, readColumns } from '#renderer/ui/kept-columns.ts';
import { useLogTimes } from '#renderer/ui/use-log-times.ts';
import { type CallbackLog, newestId, rowAt, rowCount } from './callback-log.ts';
import { CallbackRow } from './CallbackRow.tsx';
import { CallbackSearch } from './CallbackSearch.tsx';
import { columnsKey, gridColumns, type ListColumn, listColumns, usualColumns } from './list-columns.ts';
import { MarkedBar } from './MarkedBar.tsx';
import type { CallbackSearchSlice } from './search-slice.ts';
import classes from './CallbackList.module.css';

const rowHeight = 34;

export function CallbackList() {
  const whole = useApp((state) => state.callbacks.log);
  // The log grows in place; its version says when.
  useApp((state) => state.callbacks.version);
  const search = useApp((state) => state.callbackSearch);
  const isSearch = search.query.trim() !== '';
  const log = isSearch ? search.log : whole;
  const { marked, toggle } = useApp((state) => state.callbackMarks);
  const total = useApp((state) => state.callbacks.total);
  const selectedId = useApp((state) => state.callbacks.selectedId);
  const select = useApp((state) => state.callbacks.select);
  const loadOlder = useApp((state) => state.callbacks.loadOlder);
  const frame = useRef<HTMLDivElement>(null);
  const count = rowCount(log);
  // Its functions change with the scroll position; nothing here keeps them over a render.
  // oxlint-disable-next-line react/incompatible-library
  const rows = useVirtualizer({
    count,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    getItemKey: (index) => rowAt(log, index)?.id ?? index,
  });
  const { unseen, onScroll, toTop } = useFollow(frame, log);
  const loaded = rowCount(whole);
  const { more } = search;
  const items = rows.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (isSearch && last >= count - 40) void more();
    if (!isSearch && last >= loaded - 40 && loaded < total) void loadOlder();
  }, [isSearch, last, count, loaded, total, more, loadOlder]);

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
    rows.scrollToIndex(target);
    void select(row.id);
  };
  const times = useLogTimes();
  const [columns, setColumns] = useState(() => readColumns(columnsKey, listColumns, usualColumns));
  const chooseColumns = (wanted: readonly ListColumn[]) => {
    setColumns(wanted);
    keepColumns(columnsKey, wanted);
  };
  const gridTemplateColumns = gridColumns(columns);
  const monitors = useApp((state) => state.monitors.items);
  const names = useMemo(
    () => new Map(monitors.filter(({ name }) => name !== '').map(({ id, name }) => [id, name])),
    [monitors],
  );
  const isChosenInView = items.some((item) => rowAt(log, item.index)?.id === selectedId);
  return (
    <section className={`rb-card ${styles.card}`} aria-label="Received callbacks">
      <div className={classes.tools}>
        <CallbackSearch />
        <ColumnMenu all={listColumns} shown={columns} onChange={chooseColumns} />
      </div>
      <div className={styles.head} aria-hidden="true" style={{ gridTemplateColumns }}>
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
        <div className={styles.body} style={{ height: rows.getTotalSize() }}>
          {items.map((item) => {
            const row = rowAt(log, item.index);
            return (
              row && (
                <CallbackRow
                  key={item.key}
                  row={row}
                  times={times}
                  columns={columns}
                  names={names}
                  isChosen={row.id === selectedId}
                  isMarked={marked.has(row.id)}
                  onMark={() => toggle(row.id)}
                  style={{ gridTemplateColumns, transform: `translateY(${item.start}px)` }}
                  place={item.index}
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
          onClick={toTop}
        >
          {unseen} new
        </Button>
      )}
      <MarkedBar />
      <p className={styles.foot} role="status">
        {isSearch && searchWords(search, count)}
        {total.toLocaleString('en')} kept{unseen > 0 ? `, ${unseen} new above` : ''}
      </p>
    </section>
  );
}

function searchWords({ scanned, isAtEnd, request }: CallbackSearchSlice, count: number): string {
  const found = `${count.toLocaleString('en')} found in ${scanned.toLocaleString('en')} looked at`;
  if (request.state === 'failed') return `${found}, then: ${request.failure.message} · `;
  return isAtEnd ? `${found} · ` : `${found}${request.state === 'loading' ? ', looking further' : ''}… · `;
}

/** Keeps the rows under the eyes in place while newer ones arrive above, unless the list stands at its top. */
function useFollow(frame: { readonly current: HTMLDivElement | null }, log: CallbackLog) {
  const newer = log.newer.length;
  const before = useRef({ log, newer });
  /** The newest id when the list left its top; null while it stands there. */
  const [leftAt, setLeftAt] = useState<number | null>(null);
  useLayoutEffect(() => {
    const element = frame.current;
    const arrived = before.current.log === log ? newer - before.current.newer : 0;
    before.current = { log, newer };
    if (element && arrived > 0 && element.scrollTop >= rowHeight) element.scrollBy({ top: arrived * rowHeight });
  }, [frame, log, newer]);
  const onScroll = (event: { currentTarget: HTMLElement }) => {
    const isAtTop = event.currentTarget.scrollTop < rowHeight;
    setLeftAt((kept) => (isAtTop ? null : (kept ?? newestId(log))));
  };
  const unseen = leftAt === null ? 0 : Math.max(0, indexOf(log, leftAt));
  return { unseen, onScroll, toTop: () => frame.current?.scrollTo({ top: 0 }) };
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
