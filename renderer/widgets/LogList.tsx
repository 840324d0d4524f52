// A list of a log's entries, newest first. Only the rows in view are on the page; older ones are read as one scrolls.
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { listTarget } from '../ui/hooks/list-target.ts';
import { slotOf, useRowsInView } from '../ui/hooks/use-rows-in-view.ts';
import styles from '../ui/controls/LogList.module.css';
import { useRowHeight } from './use-row-height.ts';

type Props<Row> = {
  /** Of the rows, for instance `Requests, newest first`. */
  label: string;
  cardLabel: string;
  gridTemplateColumns: string;
  head: ReactNode;
  rows: readonly Row[];
  idOf: (row: Row) => string | number;
  selectedId: string | number | null;
  /** How much was read, also of what is not among the rows. */
  readCount: number;
  /** Whether no older ones follow. */
  isWhole: boolean;
  onChoose: (row: Row) => void;
  /** On a click or Enter, if choosing by the arrow keys is not enough. */
  onOpen?: (row: Row) => void;
  onEnd: () => Promise<void>;
  children: (row: Row) => ReactNode;
  footer: ReactNode;
};

/** Rows below the view when older ones are read. */
const rowsAhead = 40;

export function LogList<Row>(props: Readonly<Props<Row>>) {
  const { label, cardLabel, gridTemplateColumns, head, rows, idOf, selectedId, onChoose, onEnd, readCount, isWhole } =
    props;
  const frame = useRef<HTMLDivElement>(null);
  const count = rows.length;
  const rowHeight = useRowHeight('row');
  const { places, slots, show } = useRowsInView(frame, { count, rowHeight });
  const last = places.at(-1) ?? 0;
  useEffect(() => {
    if (last >= count - rowsAhead && !isWhole) void onEnd();
  }, [last, count, readCount, isWhole, onEnd]);
  const isChosen = (row: Row | undefined) => row !== undefined && idOf(row) === selectedId;
  const open = props.onOpen ?? onChoose;
  const move = (event: KeyboardEvent) => {
    const chosen = rows.findIndex(isChosen);
    const chosenRow = rows[chosen];
    if (event.key === 'Enter' && chosenRow) open(chosenRow);
    const target = listTarget(event.key, chosen, count);
    const row = target === undefined ? undefined : rows[target];
    if (target === undefined || !row) return;
    event.preventDefault();
    show(target);
    onChoose(row);
  };
  return (
    <section className={`rb-card rb-pane ${styles.card}`} aria-label={cardLabel}>
      <div className={`rb-list-head ${styles.head}`} aria-hidden="true" style={{ gridTemplateColumns }}>
        {head}
      </div>
      <div
        className={`rb-fill ${styles.frame}`}
        ref={frame}
        role="listbox"
        aria-label={label}
        aria-activedescendant={places.some((place) => isChosen(rows[place])) ? `rb-log-${selectedId}` : undefined}
        tabIndex={0}
        onKeyDown={move}
      >
        <div className={styles.body} style={{ height: count * rowHeight }}>
          {places.map((place) => {
            const row = rows[place];
            return (
              row && (
                // The list itself takes the keys and names the chosen row.
                // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
                <div
                  key={slotOf(place, { count, slots })}
                  id={`rb-log-${idOf(row)}`}
                  className={`rb-list-row ${styles.row}`}
                  role="option"
                  aria-selected={isChosen(row)}
                  aria-posinset={place + 1}
                  aria-setsize={isWhole ? count : -1}
                  style={{ gridTemplateColumns, transform: `translateY(${place * rowHeight}px)` }}
                  onClick={() => open(row)}
                >
                  {props.children(row)}
                </div>
              )
            );
          })}
        </div>
      </div>
      <p className="rb-bar rb-note" role="status">
        {props.footer}
      </p>
    </section>
  );
}
