// The short messages at the window's lower edge, or elsewhere if they would cover what they are about.
import { useRef } from 'react';
import { useApp } from '../store/use-app.ts';
import classes from './Toasts.module.css';
import { ToastCards } from './ToastCards.tsx';

/** The region is rendered before its first message, so that screen readers announce that one, too. */
export function Toasts() {
  const items = useApp((state) => state.toasts.items);
  const stack = useRef<HTMLDivElement>(null);
  return (
    <div ref={stack} className={`rb-column ${classes.stack}`} role="region" aria-label="Messages" aria-live="polite">
      {items.length > 0 && <ToastCards items={items} stack={stack} />}
    </div>
  );
}
