// A list of cards in a dialog that are added, changed, removed, and then saved together, and where the focus goes.
import { type RefObject, useRef, useState, useEffect } from 'react';
import { useLateFocus } from './use-late-focus.ts';
import { useUnsaved } from './use-unsaved.ts';

export type EditedRows<Row extends { id: string | number }> = {
  rows: readonly Row[];
  /** For what holds the cards. */
  fields: RefObject<HTMLDivElement | null>;
  /** For the button that adds one: it has the focus when a card is removed. */
  addButton: RefObject<HTMLButtonElement | null>;
  /** The card that was added last, whose first field takes the focus. */
  addedId: Row['id'] | null;
  areProblemsShown: boolean;
  add(...rows: readonly [Row, ...Row[]]): void;
  change(row: Row): void;
  remove(id: Row['id']): void;
  /** At a Save: leads to the first field that is wrong. */
  showProblems(): void;
};

export function useEditedRows<Row extends { id: string | number }>(first: readonly Row[]): EditedRows<Row> {
  const [rows, setRows] = useState(first);
  const [addedId, setAddedId] = useState<Row['id'] | null>(null);
  const [areProblemsShown, setProblemsShown] = useState(false);
  const fields = useLateFocus();
  const addButton = useRef<HTMLButtonElement>(null);
  useUnsaved(rows);
  const focusProblem = useProblemFocus(fields);
  return {
    rows,
    fields,
    addButton,
    addedId,
    areProblemsShown,
    add(...added) {
      setRows([...rows, ...added]);
      setAddedId(added[0].id);
    },
    change: (changed) => setRows(rows.map((row) => (row.id === changed.id ? changed : row))),
    remove(id) {
      setRows(rows.filter((row) => row.id !== id));
      addButton.current?.focus();
    },
    showProblems() {
      setProblemsShown(true);
      focusProblem();
    },
  };
}

/** Returns a function to call with the change that shows the problems; it focuses the first one. */
function useProblemFocus(fields: RefObject<HTMLElement | null>): () => void {
  const [requested, setRequested] = useState(0);
  useEffect(() => {
    if (requested > 0) fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [requested, fields]);
  return () => setRequested((count) => count + 1);
}
