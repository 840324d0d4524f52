// A dialog: focus stays inside, Escape closes it, and its heading names it.
import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';

type Props = { title: string; onClose: () => void; size?: string; isCentered?: boolean; children: ReactNode };

export function Dialog({ title, onClose, size = 'md', isCentered = false, children }: Readonly<Props>) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={size}
      centered={isCentered}
      closeButtonProps={{ 'aria-label': 'Close' }}
      // Mantine's <header> would be a second banner of the page.
      attributes={{ header: { role: 'presentation' } }}
    >
      {children}
    </Modal>
  );
}
