// The frame of a dialog's cards: the content above them, the cards, the result of saving, and the buttons to add, cancel, and save.
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Request } from '../store/request.ts';
import classes from './EditedRowsForm.module.css';
import { RequestNotice } from './RequestNotice.tsx';
import type { EditedRows } from '../ui/hooks/use-edited-rows.ts';

type Props = Pick<EditedRows<{ id: string | number }>, 'fields' | 'addButton'> & {
  children: ReactNode;
  addLabel: string;
  isFull?: boolean;
  /** Further buttons that add something. */
  moreButtons?: ReactNode;
  saving: Request;
  failedTitle: string;
  onAdd: () => void;
  onSave: () => void;
  onCancel: () => void;
};

export function EditedRowsForm({
  fields,
  addButton,
  children,
  addLabel,
  isFull = false,
  moreButtons,
  saving,
  failedTitle,
  onAdd,
  onSave,
  onCancel,
}: Readonly<Props>) {
  return (
    <div className={`rb-stack ${classes.form}`} ref={fields}>
      {children}
      <RequestNotice request={saving} failedTitle={failedTitle} />
      <div className="rb-row rb-wrap">
        <Button
          variant="default"
          ref={addButton}
          data-autofocus
          leftSection={<IconPlus size={16} />}
          disabled={isFull}
          onClick={onAdd}
        >
          {addLabel}
        </Button>
        {moreButtons}
        <span className="rb-fill" />
        <Button variant="subtle" onClick={onCancel}>
          Cancel
        </Button>
        <Button loading={saving.state === 'loading'} onClick={onSave}>
          Save
        </Button>
      </div>
    </div>
  );
}
