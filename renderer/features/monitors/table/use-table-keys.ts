// The table by keys: arrows move, Space selects, Ctrl+A selects all, Enter opens, Delete deletes with undo, Escape closes the details.
import { type KeyboardEvent, type RefObject, useState } from 'react';
import { useApp } from '../../../store/use-app.ts';
import { listTarget } from '../../../ui/hooks/list-target.ts';
import type { MonitorRow } from './monitor-rows.ts';

type Table = {
  frame: RefObject<HTMLElement | null>;
  monitors: readonly MonitorRow[];
  onDelete: (ids: readonly string[]) => void;
  /** Scrolls to a row. */
  onShow: (place: number) => void;
};

export function useTableKeys({ frame, monitors, onDelete, onShow }: Table) {
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
