// The table of monitors. Only the rows in view are on the page, so thousands stay quick.
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useApp } from '../../../store/use-app.ts';
import { listTarget } from '../../../ui/hooks/list-target.ts';
import { useRowHeight } from '../../../widgets/use-row-height.ts';
import type { MonitorRow as Row } from './monitor-rows.ts';
import { rowId } from '../common/row-id.ts';
import { MonitorRow } from './MonitorRow.tsx';
import { MonitorTableHead } from './MonitorTableHead.tsx';
import { type MonitorColumn, monitorColumns, tableGrid } from './table-columns.ts';
import classes from './MonitorTable.module.css';

/** Takes the focus when the details close. */
export const monitorGridId = 'monitor-grid';

type Props = {
  monitors: readonly Row[];
  columns: readonly MonitorColumn[];
  onDelete: (ids: readonly string[]) => void;
};

export function MonitorTable({ monitors, columns, onDelete }: Readonly<Props>) {
  const frame = useRef<HTMLDivElement>(null);
  const rowHeight = useRowHeight('tall-row');
  // Its functions change with the scroll position; nothing here keeps them over a render.
  // oxlint-disable-next-line react/incompatible-library
  const rows = useVirtualizer({
    count: monitors.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollPaddingStart: useRowHeight('row'),
    getItemKey: (index) => monitors[index]?.monitor.id ?? index,
  });
  useLayoutEffect(() => rows.measure(), [rows, rowHeight]);
  const shown = monitorColumns.filter(({ key }) => columns.includes(key));
  const { template, min } = tableGrid(shown);
  const keys = useTableKeys({ frame, monitors, onDelete, onShow: (place) => rows.scrollToIndex(place) });
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
      aria-activedescendant={keys.activeId === null ? undefined : rowId(keys.activeId)}
      tabIndex={0}
      onKeyDown={keys.onKeyDown}
    >
      <span className="rb-hidden" id="monitor-keys">
        Arrow keys move, Space selects, Ctrl+A selects all, Enter opens, Delete deletes the monitors (you can undo it),
        Escape closes the details.
      </span>
      <MonitorTableHead monitors={monitors} shown={shown} style={{ gridTemplateColumns: template, minWidth: min }} />
      {/* A rowgroup has rows. */}
      <div
        role={monitors.length > 0 ? 'rowgroup' : undefined}
        className={classes.body}
        style={{ height: rows.getTotalSize(), minWidth: min }}
      >
        {rows.getVirtualItems().map((item) => {
          const row = monitors[item.index];
          if (!row) return null;
          const { id } = row.monitor;
          return (
            <MonitorRow
              key={item.key}
              row={row}
              columns={columns}
              index={item.index}
              template={template}
              top={item.start}
              isActive={id === keys.activeId}
            />
          );
        })}
      </div>
    </div>
  );
}

type Keys = {
  frame: RefObject<HTMLElement | null>;
  monitors: readonly Row[];
  onDelete: (ids: readonly string[]) => void;
  /** Scrolls to a row. */
  onShow: (place: number) => void;
};

/** Arrows move, Space selects, Ctrl+A selects all, Enter opens, Delete deletes with undo, Escape closes the details. */
function useTableKeys({ frame, monitors, onDelete, onShow }: Keys) {
  const { selection, setSelection, select, toggleSelected } = useApp((state) => state.monitors);
  const [movedTo, setMovedTo] = useState<string | null>(null);
  const here = monitors.findIndex(({ monitor }) => monitor.id === movedTo);
  const activeId = monitors[here]?.monitor.id ?? null;
  const actions: Record<string, ((id: string) => void) | undefined> = {
    ' ': toggleSelected,
    Enter: select,
    Delete: (id) =>
      onDelete(
        selection.has(id)
          ? monitors.filter(({ monitor }) => selection.has(monitor.id)).map(({ monitor }) => monitor.id)
          : [id],
      ),
  };
  return {
    /** ID of the row that the keys act on, while it is in the table. */
    activeId,
    onKeyDown(event: KeyboardEvent) {
      if (event.target !== frame.current) return;
      const target = listTarget(event.key, here, monitors.length);
      const next = target === undefined ? undefined : monitors[target];
      const action = actions[event.key];
      if (target !== undefined && next) {
        setMovedTo(next.monitor.id);
        onShow(target);
      } else if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey))
        setSelection(monitors.map(({ monitor }) => monitor.id));
      else if (event.key === 'Escape') select(null);
      else if (activeId !== null && action) action(activeId);
      else return;
      event.preventDefault();
    },
  };
}
