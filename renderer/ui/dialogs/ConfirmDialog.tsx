// Confirms an action that can't be undone, or that changes something elsewhere.
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { TaskButton } from '../controls/TaskButton.tsx';
import { Dialog } from './Dialog.tsx';

type Props = {
  title: string;
  children: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  /** Red is for what destroys something. */
  tone?: 'destroys' | 'plain';
  /** The dialog stays while it runs, and if it resolves to false. */
  onConfirm: () => unknown;
  onClose: () => void;
};

export function ConfirmDialog(props: Readonly<Props>) {
  const { title, children, confirmLabel, cancelLabel = 'Cancel', tone = 'destroys', onConfirm, onClose } = props;
  const confirm = async () => {
    if ((await onConfirm()) !== false) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose} isCentered>
      <div>{children}</div>
      <div className="rb-buttons">
        <Button onClick={onClose} data-autofocus>
          {cancelLabel}
        </Button>
        <TaskButton variant="filled" {...(tone === 'destroys' && { color: 'red.8' })} task={confirm}>
          {confirmLabel}
        </TaskButton>
      </div>
    </Dialog>
  );
}
