// A dialog: focus stays inside, Escape closes it, its heading names it, and what had the focus before gets it back.
import { Modal } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';

type Props = { title: string; onClose: () => void; size?: string; isCentered?: boolean; children: ReactNode };

export function Dialog({ title, onClose, size = 'md', isCentered = false, children }: Readonly<Props>) {
  useFocusReturn();
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

/** Mantine returns the focus of a dialog that is told to close; ours are taken off the page instead. */
function useFocusReturn(): void {
  const [before] = useState(() => lastingOf(document.activeElement));
  useEffect(
    () => () => {
      // Once the focus trap has let go.
      requestAnimationFrame(() => {
        const isFree = document.activeElement === null || document.activeElement === document.body;
        if (isFree && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
      });
    },
    [before],
  );
}

/** The item of a menu or panel is gone when its dialog closes; the button that opened it is still there. */
function lastingOf(element: Element | null): Element | null {
  const panel = element?.closest('[popover]');
  if (panel) return document.querySelector(`[popovertarget="${panel.id}"]`);
  const menu = element?.closest('[role="menu"]');
  const opener = menu?.getAttribute('aria-labelledby');
  return opener ? document.getElementById(opener) : element;
}
