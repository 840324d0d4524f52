// A dialog: focus stays inside, Escape closes it, its heading names it, and what had the focus before gets it back.
import { Modal } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';

type Props = {
  title: string;
  onClose: () => void;
  size?: string;
  isCentered?: boolean;
  /** Another dialog covers it and handles Escape. */
  isCovered?: boolean;
  children: ReactNode;
};

export function Dialog({
  title,
  onClose,
  size = 'md',
  isCentered = false,
  isCovered = false,
  children,
}: Readonly<Props>) {
  useFocusReturn();
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnEscape={!isCovered}
      title={title}
      size={size}
      centered={isCentered}
      closeButtonProps={{ 'aria-label': 'Close' }}
      // Mantine's <header> would be a second banner of the page.
      attributes={{ header: { role: 'presentation' } }}
    >
      <div className="rb-stack" ref={keepFocus}>
        {children}
      </div>
    </Modal>
  );
}

/**
 * A button that is disabled while it works loses the focus, and Tab would go on behind the dialog: it gets the focus back as
 * soon as it can have it.
 */
function keepFocus(content: HTMLElement | null): (() => void) | undefined {
  if (!content) return undefined;
  let last: EventTarget | null = null;
  const remember = (event: FocusEvent) => void (last = event.target);
  const observer = new MutationObserver(() => {
    const isFree = document.activeElement === null || document.activeElement === document.body;
    if (isFree && last instanceof HTMLElement && last.isConnected) last.focus({ preventScroll: true });
  });
  content.addEventListener('focusin', remember);
  observer.observe(content, { subtree: true, attributes: true, attributeFilter: ['disabled'] });
  return () => {
    content.removeEventListener('focusin', remember);
    observer.disconnect();
  };
}

/** Mantine returns the focus only if a dialog closes by its prop; ours are removed from the page instead. */
function useFocusReturn(): void {
  const [before] = useState(() => {
    const { activeElement, body } = document;
    // A busy button is disabled, and the browser took the focus off it.
    return lastingOf(activeElement === body ? document.querySelector('button[data-loading]') : activeElement);
  });
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
