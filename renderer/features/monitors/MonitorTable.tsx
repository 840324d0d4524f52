// The table of monitors. Only the rows in view are on the page, so thousands stay quick. By keys alone: arrows move, Space
// marks, Enter opens, F2 edits the callback in place, Shift+F2 the place, Delete deletes with undo,
// Escape closes the details.
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useApp } from '#renderer/store/use-app.ts';
import { listTarget } from '#renderer/ui/list-keys.ts';
import type { EditedCell } from './InPlaceEdit.tsx';
import type { MonitorRow as Row, MonitorSort } from './monitor-rows.ts';
import { MonitorRow } from './MonitorRow.tsx';
import { MonitorTableHead } from './MonitorTableHead.tsx';
import { type MonitorColumn, monitorColumns } from './table-columns.ts';
import classes from './MonitorTable.module.css';

const rowHeight = 54;
/** Takes the focus when the details close. */
export const monitorGridId = 'monitor-grid';

type Props = {
  monitors: readonly Row[];
  columns: readonly MonitorColumn[];
  /** Beside the details, which have them too, the row has no buttons. */
  isSplit: boolean;
  sort: MonitorSort;
  onSort: (sort: MonitorSort) => void;
  onDelete: (ids: readonly string[]) => void;
};

export function MonitorTable({ monitors, columns, isSplit, sort, onSort, onDelete }: Readonly<Props>) {
  const frame = useRef<HTMLDivElement>(null);
  const { marked, mark, select } = useApp((state) => state.monitors);
  const [activeId, setActiveId] = useState<string | null>(null);
  const [edited, setEdited] = useState<EditedCell | null>(null);
  // Its functions change with the scroll position; nothing here keeps them over a render.
  // oxlint-disable-next-line react/incompatible-library
  const rows = useVirtualizer({
    count: monitors.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollPaddingStart: 44,
    getItemKey: (index) => monitors[index]?.monitor.id ?? index,
  });
  const shown = monitorColumns.filter(({ key }) => columns.includes(key));
  const template = ['28px', 'minmax(150px, 1fr)', ...shown.map(({ width }) => width), ...(isSplit ? [] : ['136px'])];
  const style = { gridTemplateColumns: template.join(' ') };
  const here = monitors.findIndex(({ monitor }) => monitor.id === activeId);
  const active = monitors[here]?.monitor;
  const toggle = (id: string) => mark(marked.has(id) ? [...marked].filter((other) => other !== id) : [...marked, id]);
  const edit = (id: string, field: EditedCell['field']) => {
    if (columns.includes(field)) setEdited({ id, field });
  };
  const act: Record<string, ((id: string) => void) | undefined> = {
    ' ': toggle,
    Enter: select,
    F2: (id) => edit(id, 'callback'),
    'Shift+F2': (id) => edit(id, 'location'),
    Delete: (id) => onDelete(marked.has(id) ? [...marked] : [id]),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== frame.current) return;
    const target = listTarget(event.key, here, monitors.length);
    const next = target === undefined ? undefined : monitors[target];
    const action = act[event.shiftKey ? `Shift+${event.key}` : event.key];
    if (target !== undefined && next) {
      setActiveId(next.monitor.id);
      rows.scrollToIndex(target);
    } else if (event.key === 'a' && (event.ctrlKey || event.metaKey)) mark(monitors.map(({ monitor }) => monitor.id));
    else if (event.key === 'Escape') select(null);
    else if (active && action) action(active.id);
    else return;
    event.preventDefault();
  };
  return (
    <div
      className={`rb-card ${classes.frame}`}
      ref={frame}
      id={monitorGridId}
      role="grid"
      aria-label="Monitors"
      aria-multiselectable
      aria-rowcount={monitors.length + 1}
      aria-describedby="monitor-keys"
      aria-activedescendant={here >= 0 ? `monitor-row-${activeId}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <span className={classes.unseen} id="monitor-keys">
        Arrows move, Space marks, Enter opens, F2 edits the callback, Shift+F2 the place, Delete deletes with undo,
        Escape closes the details.
      </span>
      <MonitorTableHead monitors={monitors} shown={shown} isSplit={isSplit} sort={sort} onSort={onSort} style={style} />
      <div role="rowgroup" className={classes.body} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map((item) => {
          const row = monitors[item.index];
          if (!row) return null;
          const { id } = row.monitor;
          return (
            <MonitorRow
              key={item.key}
              row={row}
              columns={columns}
              isSplit={isSplit}
              index={item.index}
              style={{ ...style, transform: `translateY(${item.start}px)` }}
              isActive={id === activeId}
              edited={edited?.id === id ? edited : null}
              onEdit={(cell) => {
                // A field that goes while it has the focus gives it back; one that lost it does not take it from who has it.
                if (cell === null && frame.current?.contains(document.activeElement)) frame.current.focus();
                setEdited(cell);
              }}
              onToggle={() => toggle(id)}
              onDelete={() => onDelete([id])}
            />
          );
        })}
      </div>
    </div>
  );
}
