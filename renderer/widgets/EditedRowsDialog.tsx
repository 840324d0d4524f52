// A dialog with a list of cards that are added, changed, removed, and then saved together, and where the focus goes.
import { ActionIcon, Button } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Request } from '../store/request.ts';
import { FormDialog } from '../ui/dialogs/FormDialog.tsx';
import { boundFields } from '../ui/hooks/bound-fields.ts';
import { useLateFocus } from '../ui/hooks/use-late-focus.ts';
import { useUnsaved } from '../ui/hooks/use-unsaved.ts';
import type { RequestNoticeProps } from './RequestFailure.tsx';
import { RequestNotice } from './RequestNotice.tsx';

type EditedRow = { id: string | number };
type Problems<Row> = { readonly [Name in keyof Row]?: string | undefined };

/** What a card gets of its row: its values, what is wrong with them, and the fields that show and change them. */
export type EditedCard<Row extends EditedRow> = ReturnType<typeof boundFields<Row>> & {
  row: Row;
  problems: Problems<Row>;
  /** Just now, by hand: its first field has the focus. */
  isAdded: boolean;
  onChange: (row: Row) => void;
  onRemove: () => void;
};

type Props<Row extends EditedRow> = {
  title: string;
  intro?: ReactNode;
  /** The saved rows; null until they are read. */
  first: readonly Row[] | null;
  reading?: RequestNoticeProps;
  newRow: (rows: readonly Row[]) => Row;
  addLabel: string;
  max?: number;
  /** None if the row can be saved. */
  problemsOf: (row: Row) => Problems<Row>;
  above?: ReactNode;
  saving: Request;
  failedTitle: string;
  /** Returns whether they are saved; then the dialog closes. */
  onSave: (rows: readonly Row[]) => Promise<boolean>;
  onClose: () => void;
  children: (card: EditedCard<Row>) => ReactNode;
};

export function EditedRowsDialog<Row extends EditedRow>(props: Readonly<Props<Row>>) {
  const { title, intro, first, reading, onClose } = props;
  return (
    <FormDialog title={title} size="xl" onClose={onClose}>
      {intro && <p className="rb-dim">{intro}</p>}
      {first ? <EditedRowsForm {...props} first={first} /> : reading && <RequestNotice {...reading} />}
    </FormDialog>
  );
}

function EditedRowsForm<Row extends EditedRow>(props: Readonly<Props<Row> & { first: readonly Row[] }>) {
  const { newRow, addLabel, max = Infinity, problemsOf, above, saving, onClose } = props;
  const [rows, setRows] = useState(props.first);
  const [addedId, setAddedId] = useState<Row['id'] | null>(null);
  /** Each Save that found a problem leads to the first field that is wrong. */
  const [refusals, setRefusals] = useState(0);
  const fields = useLateFocus();
  const addButton = useRef<HTMLButtonElement>(null);
  useUnsaved(rows);
  useEffect(() => {
    if (refusals > 0) fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refusals, fields]);
  const add = () => {
    const added = newRow(rows);
    setRows([...rows, added]);
    setAddedId(added.id);
  };
  const change = (changed: Row) => setRows(rows.map((row) => (row.id === changed.id ? changed : row)));
  const remove = (id: Row['id']) => {
    setRows(rows.filter((row) => row.id !== id));
    addButton.current?.focus();
  };
  const save = async () => {
    const isWrong = rows.some((row) => Object.keys(problemsOf(row)).length > 0);
    if (isWrong) setRefusals(refusals + 1);
    else if (await props.onSave(rows)) onClose();
  };
  return (
    <div className="rb-stack" ref={fields}>
      {above}
      {rows.map((row) => (
        <BoundCard
          key={row.id}
          row={row}
          problems={refusals > 0 ? problemsOf(row) : {}}
          isAdded={row.id === addedId}
          onChange={change}
          onRemove={() => remove(row.id)}
        >
          {props.children}
        </BoundCard>
      ))}
      <RequestNotice request={saving} failedTitle={props.failedTitle} />
      <div className="rb-row rb-wrap">
        <Button ref={addButton} data-autofocus leftSection={<IconPlus />} disabled={rows.length >= max} onClick={add}>
          {addLabel}
        </Button>
        <span className="rb-fill" />
        <Button variant="subtle" onClick={onClose}>
          Cancel
        </Button>
        <Button variant="filled" loading={saving.state === 'loading'} onClick={() => void save()}>
          Save
        </Button>
      </div>
    </div>
  );
}

type BoundProps<Row extends EditedRow> = Omit<EditedCard<Row>, keyof ReturnType<typeof boundFields>> &
  Pick<Props<Row>, 'children'>;

function BoundCard<Row extends EditedRow>({ children, ...card }: Readonly<BoundProps<Row>>) {
  return children({ ...card, ...boundFields(card.row, card.onChange, card.problems) });
}

export function RemoveButton({ label, onRemove }: { readonly label: string; readonly onRemove: () => void }) {
  return (
    <ActionIcon color="gray" aria-label={label} onClick={onRemove}>
      <IconTrash />
    </ActionIcon>
  );
}
