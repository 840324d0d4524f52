// Confirms an action that can't be undone, or that changes something elsewhere.
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from './Dialog.tsx';
import classes from './ConfirmDialog.module.css';

type Props = {
  isOpen: boolean;
  title: string;
  children: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  isBusy?: boolean;
  /** Red is for what destroys something. */
  tone?: 'destroys' | 'plain';
  onConfirm: () => void;
  onCancel: () => void;
};

export function ConfirmDialog({
  isOpen,
  title,
  children,
  confirmLabel,
  cancelLabel,
  isBusy = false,
  tone = 'destroys',
  onConfirm,
  onCancel,
}: Readonly<Props>) {
  if (!isOpen) return null;
  return (
    <Dialog title={title} onClose={onCancel} isCentered>
      <div>{children}</div>
      <div className={`rb-buttons ${classes.actions}`}>
        <Button variant="default" onClick={onCancel} data-autofocus>
          {cancelLabel ?? 'Cancel'}
        </Button>
        <Button {...(tone === 'destroys' ? { color: 'red.8' } : {})} loading={isBusy} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </div>
    </Dialog>
  );
}
