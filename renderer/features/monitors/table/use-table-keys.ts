// The table by keys: arrows move, Space selects, Ctrl+A selects all, Enter opens, F2 edits the callback URL in place, Shift+F2
// the place, Delete deletes with undo, Escape closes the details.
import { type KeyboardEvent, type RefObject, useCallback, useState } from 'react';
import { useApp } from '../../../store/use-app.ts';
import { listTarget } from '../../../ui/hooks/list-target.ts';
import type { EditedCell } from './InPlaceEdit.tsx';
import type { MonitorRow } from './monitor-rows.ts';

type Table = {
  frame: RefObject<HTMLElement | null>;
  monitors: readonly MonitorRow[];
  onDelete: (ids: readonly string[]) => void;
  /** Scrolls to a row. */
  onShow: (place: number) => void;
};

type TableKeys = {
  /** ID of the row that the keys act on, while it is in the table. */
  activeId: string | null;
  edited: EditedCell | null;
  /** Null ends it. */
  edit: (cell: EditedCell | null) => void;
  onKeyDown: (event: KeyboardEvent) => void;
};

export function useTableKeys({ frame, monitors, onDelete, onShow }: Table): TableKeys {
  const { selection, setSelection, select, toggleSelected } = useApp((state) => state.monitors);
  const [movedTo, setMovedTo] = useState<string | null>(null);
  const [edited, setEdited] = useState<EditedCell | null>(null);
  const here = monitors.findIndex(({ monitor }) => monitor.id === movedTo);
  const activeId = monitors[here]?.monitor.id ?? null;
  // Stable, so that rows are not drawn again.
  const edit = useCallback(
    (cell: EditedCell | null) => {
      // A field that goes while it has the focus gives it back; one that lost it does not take it from who has it.
      if (cell === null && frame.current?.contains(document.activeElement)) frame.current.focus();
      setEdited(cell);
    },
    [frame],
  );
  const actions: Record<string, ((id: string) => void) | undefined> = {
    ' ': toggleSelected,
    Enter: select,
    F2: (id) => setEdited({ id, field: 'callback' }),
    'Shift+F2': (id) => setEdited({ id, field: 'place' }),
    Delete: (id) =>
      onDelete(
        selection.has(id)
          ? monitors.filter(({ monitor }) => selection.has(monitor.id)).map(({ monitor }) => monitor.id)
          : [id],
      ),
  };
  return {
    activeId,
    edited,
    edit,
    onKeyDown(event) {
      if (event.target !== frame.current) return;
      const target = listTarget(event.key, here, monitors.length);
      const next = target === undefined ? undefined : monitors[target];
      const action = actions[event.shiftKey ? `Shift+${event.key}` : event.key];
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
