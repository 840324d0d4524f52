// The table of monitors. Only the rows in view are on the page, so thousands stay quick.
import { UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useApp } from '../../../store/use-app.ts';
import { listTarget } from '../../../ui/hooks/list-target.ts';
import { useRowHeight } from '../../../widgets/use-row-height.ts';
import type { MonitorRow as Row } from './monitor-rows.ts';
import type { MonitorSort } from '../common/monitor-list-slice.ts';
import { MonitorRow, rowId } from './MonitorRow.tsx';
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
      <TableHead monitors={monitors} shown={shown} style={{ gridTemplateColumns: template, minWidth: min }} />
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

type HeadProps = {
  monitors: readonly Row[];
  shown: readonly (typeof monitorColumns)[number][];
  style: CSSProperties;
};

/** Selects all that are shown, and orders by a column. */
function TableHead({ monitors, shown, style }: Readonly<HeadProps>) {
  const { selection, setSelection } = useApp((state) => state.monitors);
  const isAll = monitors.length > 0 && monitors.every(({ monitor }) => selection.has(monitor.id));
  const isSome = !isAll && monitors.some(({ monitor }) => selection.has(monitor.id));
  return (
    <div className={classes.head} role="rowgroup">
      <div className="rb-list-head" role="row" aria-rowindex={1} style={style}>
        <div role="columnheader">
          <input
            type="checkbox"
            className="rb-tick"
            aria-label={isAll ? 'Clear the selection' : 'Select all shown'}
            checked={isAll}
            ref={(box) => {
              if (box) box.indeterminate = isSome;
            }}
            onChange={() => setSelection(isAll ? [] : monitors.map(({ monitor }) => monitor.id))}
          />
        </div>
        <HeadCell by="name" name="Name" />
        {shown.map(({ key, by, name }) => (
          <HeadCell key={key} by={by} name={name} />
        ))}
        <div role="columnheader" className={`rb-buttons ${classes.actions}`}>
          <span className="rb-hidden">Actions</span>
        </div>
      </div>
    </div>
  );
}

function HeadCell({ by, name }: { readonly by: MonitorSort['by'] | null; readonly name: string }) {
  const { view, setView } = useApp((state) => state.monitors);
  const { sort } = view;
  if (by === null) return <div role="columnheader">{name}</div>;
  const isSorted = sort.by === by;
  const Arrow = sort.isDescending ? IconArrowDown : IconArrowUp;
  return (
    <div role="columnheader" aria-sort={isSorted ? (sort.isDescending ? 'descending' : 'ascending') : 'none'}>
      <UnstyledButton
        className="rb-row rb-tight"
        onClick={() => setView({ sort: { by, isDescending: isSorted && !sort.isDescending } })}
      >
        {name} {isSorted && <Arrow size={13} aria-hidden />}
      </UnstyledButton>
    </div>
  );
}

/** `onShow`: scrolls to a row. */
type Keys = Omit<Props, 'columns'> & { frame: RefObject<HTMLElement | null>; onShow: (place: number) => void };

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
