// The live list. At the top it follows the newest; once scrolled, or if following is off, it stays in place and shows how many
// arrived since. Only the rows in view are on the page.
import { selectMonitors } from '../../monitors/selectors.ts';
import { Button, Switch } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { IconArrowUp } from '@tabler/icons-react';
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  type UIEvent,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { CallbackOrder } from '@rainbell/contract/app-rpc';
import { isCanceled } from '../../../store/request.ts';
import { useApp } from '../../../store/use-app.ts';
import styles from '../../../ui/controls/LogList.module.css';
import { listTarget } from '../../../ui/hooks/list-target.ts';
import { ColumnMenu } from '../../../ui/controls/ColumnMenu.tsx';
import { useSavedColumns } from '../../../ui/hooks/use-saved-columns.ts';
import { readSaved, save } from '../../../ui/window-storage.ts';
import { RequestNotice } from '../../../widgets/RequestNotice.tsx';
import { useRowHeight } from '../../../widgets/use-row-height.ts';
import { plural } from '@rainbell/shared';
import { useLogTimes } from '../../../widgets/use-log-times.ts';
import { type RowsInView, slotOf, useRowsInView } from '../../../ui/hooks/use-rows-in-view.ts';
import { type CallbackLog, countAbove, indexOf, newestId, rowAt, rowCount } from '../common/callback-log.ts';
import { CallbackRow } from './CallbackRow.tsx';
import { CallbackSearch } from '../search/CallbackSearch.tsx';
import { columnsKey, fitColumns, gridColumns, type ListColumn, listColumns, defaultColumns } from './list-columns.ts';
import { SelectionBar } from './SelectionBar.tsx';
import classes from './CallbackList.module.css';

/** Whether the list follows new callbacks: yes, unless the user chose otherwise. */
const followKey = 'rainbell.callbacks.follow';

export function CallbackList() {
  const [columns, chooseColumns] = useSavedColumns(columnsKey, listColumns, defaultColumns);
  const rows = useRef<HTMLDivElement>(null);
  const { hourCycle } = useLogTimes();
  const { ref, width } = useElementSize<HTMLElement>();
  // Before it is measured, as wide as it usually is.
  const shown = useMemo(() => fitColumns(columns, width === 0 ? 700 : width, hourCycle), [columns, width, hourCycle]);
  return (
    <section ref={ref} className={`rb-card rb-pane ${styles.card}`} aria-label="Received callbacks">
      <div className="rb-bar">
        <CallbackSearch onLeave={() => rows.current?.focus()} />
        <ColumnMenu all={listColumns} shown={columns} onChange={chooseColumns} />
      </div>
      <LiveRows frame={rows} columns={shown} head={<Head columns={shown} />} />
    </section>
  );
}

function Head({ columns }: { readonly columns: readonly ListColumn[] }) {
  const { hourCycle } = useLogTimes();
  return (
    <div className={`rb-list-head ${styles.head}`} style={{ gridTemplateColumns: gridColumns(columns, hourCycle) }}>
      <span />
      <SortHead name="Received" orders={['newest', 'oldest']} />
      {listColumns
        .filter(({ key }) => columns.includes(key))
        .map((column) => (
          <span key={column.key} className={'isNumber' in column ? styles.number : undefined}>
            {'orders' in column ? <SortHead name={column.name} orders={column.orders} /> : column.name}
          </span>
        ))}
    </div>
  );
}

const descending: ReadonlySet<CallbackOrder> = new Set(['newest', 'largest', 'slowest']);

type SortHeadProps = { name: string; orders: readonly [CallbackOrder, CallbackOrder] };

function SortHead({ name, orders }: Readonly<SortHeadProps>) {
  const order = useApp((state) => state.callbackSearch.order);
  const show = useApp((state) => state.callbackSearch.show);
  // As a column's second order, `newest` is the list's default and not an order of the column.
  const isSorted = order === orders[0] || (order === orders[1] && order !== 'newest');
  const next = order === orders[0] ? orders[1] : orders[0];
  return (
    <button type="button" className={classes.sort} title={orderLabels[next]} onClick={() => void show({ order: next })}>
      {isSorted ? `${name} ${descending.has(order) ? '↓' : '↑'}` : name}
    </button>
  );
}

const orderLabels: Readonly<Record<CallbackOrder, string>> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  path: 'By path',
  monitor: 'By monitor',
  verdict: 'By verdict',
  answer: 'By response status',
  largest: 'Largest first',
  smallest: 'Smallest first',
  slowest: 'Slowest response first',
  fastest: 'Fastest response first',
};

type LiveRowsProps = { frame: RefObject<HTMLDivElement | null>; columns: readonly ListColumn[]; head: ReactNode };

/** What is drawn again with every arrival, apart from the tools above, which are not. */
function LiveRows({ frame, columns, head }: Readonly<LiveRowsProps>) {
  const whole = useApp((state) => state.callbacks.log);
  // The log grows in place; its version says when.
  useApp((state) => state.callbacks.version);
  useApp((state) => state.callbackSearch.version);
  const { isWhole, order, log: matches } = useApp((state) => state.callbackSearch);
  const log = isWhole ? whole : matches;
  const { selected, allThroughId, toggle, selectMany, selectAll, remove } = useApp((state) => state.callbackSelection);
  const unread = useApp((state) => state.callbacks.unread);
  const total = useApp((state) => state.callbacks.total);
  const selectedId = useApp((state) => state.callbacks.selectedId);
  const select = useApp((state) => state.callbacks.select);
  const [isFollowing, setFollowing] = useState(() => readSaved(followKey) !== 'no');
  const [isConfirming, setConfirming] = useState(false);
  /** The start of a range selected with Shift. */
  const anchor = useRef<number | null>(null);
  const count = rowCount(log);
  const rowHeight = useRowHeight('row');
  const rows = useRowsInView(frame, { count, rowHeight });
  const { unseen, onScroll } = useFollow(rows, log, { rowHeight, isFollowing });
  useOlderRows(rows.places.at(-1) ?? 0, count);
  const placeOf = (id: number | null) => (id === null ? -1 : indexOf(log, id));
  const go = (place: number, isRange: boolean) => {
    const row = rowAt(log, place);
    if (!row) return;
    if (isRange) {
      anchor.current ??= selectedId ?? row.id;
      const start = placeOf(anchor.current);
      const [low, high] = [Math.min(place, Math.max(0, start)), Math.max(place, start)];
      selectMany(Array.from({ length: high - low + 1 }, (_, index) => rowAt(log, low + index)?.id ?? row.id));
    } else anchor.current = row.id;
    rows.show(place);
    void select(row.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand && event.key.toLowerCase() === 'a') void selectAll(newestId(whole));
    else if (isCommand || event.altKey) return;
    else if (event.key === ' ' && selectedId !== null) toggle(selectedId);
    else if (event.key === 'Delete' && allThroughId !== null) setConfirming(true);
    else if (event.key === 'Delete' && (selected.size > 0 || selectedId !== null))
      void remove({ kind: 'ids', ids: selected.size > 0 ? [...selected] : [selectedId ?? 0] });
    else {
      const target = listTarget(event.key, placeOf(selectedId), count);
      if (target === undefined) return;
      go(target, event.shiftKey);
    }
    event.preventDefault();
  };
  const onChoose = (place: number, id: number, event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey) toggle(id);
    else go(place, event.shiftKey);
  };
  const times = useLogTimes();
  const names = useMonitorNames();
  const gridTemplateColumns = gridColumns(columns, times.hourCycle);
  const isChosenInView = rows.places.some((place) => rowAt(log, place)?.id === selectedId);
  return (
    <>
      <div className={`rb-row rb-wrap rb-fixed rb-note ${classes.counts}`}>
        <Counts isWhole={isWhole} count={count} total={total} />
        <SearchProgress />
        {unseen > 0 && (
          <Button
            size="compact-xs"
            variant="light"
            leftSection={<IconArrowUp />}
            onClick={() => frame.current?.scrollTo({ top: 0 })}
          >
            {unseen.toLocaleString('en')} new
          </Button>
        )}
        <FollowSwitch isFollowing={isFollowing} setFollowing={setFollowing} />
      </div>
      {head}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- a listbox as soon as it has options */}
      <div
        className={`rb-fill ${styles.frame}`}
        ref={frame}
        {...(count > 0 && {
          role: 'listbox',
          'aria-label': `${plural(isWhole ? total : count, ['# callback', '# callbacks'])}, ${orderLabels[order].toLowerCase()}`,
          'aria-activedescendant': isChosenInView ? `rb-callback-${selectedId}` : undefined,
          'aria-multiselectable': true,
          tabIndex: 0,
        })}
        onKeyDown={onKeyDown}
        onScroll={onScroll}
      >
        {count === 0 && <NoMatch />}
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
                  isUnread={unread.count > 0 && row.refusal === null && row.id > unread.throughId}
                  isSelected={selected.has(row.id) || (allThroughId !== null && row.id <= allThroughId)}
                  onSelect={() => toggle(row.id)}
                  style={{ gridTemplateColumns, transform: `translateY(${place * rowHeight}px)` }}
                  place={place}
                  total={isWhole ? total : count}
                  onChoose={(event) => onChoose(place, row.id, event)}
                />
              )
            );
          })}
        </div>
      </div>
      <SelectionBar isConfirming={isConfirming} setConfirming={setConfirming} />
    </>
  );
}

type FollowProps = { isFollowing: boolean; setFollowing: (isFollowing: boolean) => void };

function FollowSwitch({ isFollowing, setFollowing }: Readonly<FollowProps>) {
  return (
    <Switch
      size="xs"
      label="Follow new callbacks"
      checked={isFollowing}
      onChange={({ currentTarget: { checked } }) => {
        setFollowing(checked);
        save(followKey, checked ? null : 'no');
      }}
    />
  );
}

function NoMatch() {
  const isDone = useApp((state) => state.callbackSearch.request.state === 'done');
  return isDone && <p className="rb-dim rb-padded">No callbacks match the search</p>;
}

type CountsProps = { isWhole: boolean; count: number; total: number };

const canceledText = 'Search canceled';

/** `31 callbacks · 21,079 stored`; `100+` until the database has counted. */
function Counts({ isWhole, count, total }: Readonly<CountsProps>) {
  const { found, isAtEnd, request } = useApp((state) => state.callbackSearch);
  const all = isWhole ? total : (found ?? (isAtEnd ? count : null));
  return (
    <p role="status">
      <b>{all === null ? `${count.toLocaleString('en')}+ callbacks` : plural(all, ['# callback', '# callbacks'])}</b>
      {' · '}
      {plural(total, ['# stored', '# stored'])}
      {isCanceled(request) && ` · ${canceledText}`}
      {!isWhole && request.state === 'failed' && !isCanceled(request) && ` · ${request.failure.message}`}
    </p>
  );
}

/** A failure is in the counts. */
function SearchProgress() {
  const { request, scanned } = useApp((state) => state.callbackSearch);
  if (request.state !== 'loading') return null;
  const loadingText = plural(scanned, ['Searching, # callback so far', 'Searching, # callbacks so far']);
  return <RequestNotice request={request} failedTitle="The search failed" loadingText={loadingText} hasData />;
}

function useMonitorNames(): ReadonlyMap<string, string> {
  const monitors = useApp(selectMonitors);
  return useMemo(
    () => new Map(monitors.filter(({ name }) => name !== '').map(({ id, name }) => [id, name])),
    [monitors],
  );
}

/** Reads on while the last row in view comes near the end of those that are loaded. */
function useOlderRows(last: number, count: number): void {
  const isWhole = useApp((state) => state.callbackSearch.isWhole);
  const more = useApp((state) => state.callbackSearch.more);
  const loadOlder = useApp((state) => state.callbacks.loadOlder);
  const total = useApp((state) => state.callbacks.total);
  useEffect(() => {
    if (last < count - 40) return;
    if (!isWhole) void more();
    else if (count < total) void loadOlder();
  }, [isWhole, last, count, total, more, loadOlder]);
}

/** Keeps the visible rows in place while newer ones arrive above, unless the list is at its top and follows. */
function useFollow(
  { scrollTop, shift }: RowsInView,
  log: CallbackLog,
  { rowHeight, isFollowing }: { rowHeight: number; isFollowing: boolean },
) {
  const newer = log.newer.length;
  const before = useRef({ log, newer });
  /** The newest ID when the list left its top; null while it is at its top. */
  const [leftAt, setLeftAt] = useState<number | null>(null);
  useLayoutEffect(() => {
    const arrived = before.current.log === log ? newer - before.current.newer : 0;
    before.current = { log, newer };
    if (arrived > 0 && (!isFollowing || scrollTop() >= rowHeight)) shift(arrived);
  });
  const onScroll = (event: UIEvent) => {
    const isAtTop = event.currentTarget.scrollTop < rowHeight;
    setLeftAt((kept) => (isAtTop ? null : (kept ?? newestId(log))));
  };
  const unseen = leftAt === null ? 0 : countAbove(log, leftAt);
  return { unseen, onScroll };
}
