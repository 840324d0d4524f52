// Confirms an action that can't be undone, or that changes something elsewhere.
import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from './Dialog.tsx';

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
      <Group justify="flex-end" gap="xs" mt="md">
        <Button onClick={onCancel} data-autofocus>
          {cancelLabel ?? 'Cancel'}
        </Button>
        <Button
          variant="filled"
          {...(tone === 'destroys' ? { color: 'red.8' } : {})}
          loading={isBusy}
          onClick={onConfirm}
        >
          {confirmLabel}
        </Button>
      </Group>
    </Dialog>
  );
}
