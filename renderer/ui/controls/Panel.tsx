// A panel that its button opens and closes: the browser's own popover. It appears next to the button (which names it by
// `popoverTarget`), above everything, closes at Escape and at a click elsewhere, and returns the focus.
import { type ReactNode, type ToggleEvent, useState } from 'react';
import classes from './Panel.module.css';

type Props = {
  /** What its button, and buttons in it that close it (`popoverTargetAction="hide"`), have as `popoverTarget`. */
  id: string;
  label: string;
  /** The side of the button that it is flush with. */
  align?: 'start' | 'end';
  className?: string | undefined;
  /** There only while the panel is open. */
  children: ReactNode;
};

export function Panel({ id, label, align = 'start', className = '', children }: Readonly<Props>) {
  const [isOpen, setOpen] = useState(false);
  const onToggle = ({ newState, currentTarget }: ToggleEvent<HTMLElement>) => {
    if (newState !== 'open') setOpen(false);
    // A busy browser reports this so late that the user may already be typing in one of the panel's fields.
    else if (!currentTarget.contains(document.activeElement)) currentTarget.focus();
  };
  return (
    <div
      popover="auto"
      id={id}
      role="dialog"
      aria-label={label}
      tabIndex={-1}
      className={`rb-floating ${classes.panel} ${className}`}
      data-align={align}
      // Its content is removed after it has closed, because the browser returns the focus only while the focused element exists.
      onBeforeToggle={({ newState }) => newState === 'open' && setOpen(true)}
      onToggle={onToggle}
    >
      {isOpen && children}
    </div>
  );
}
