// A screen of cards under its title, what it is for, and its buttons (access, connections, sandbox).
import type { ReactNode } from 'react';
import classes from './CardScreen.module.css';

export function CardScreen({
  title,
  intro,
  actions,
  isNarrow = false,
  children,
}: {
  title: string;
  /** What the screen is for, in a sentence or two. */
  intro: ReactNode;
  /** Buttons at the right of the intro. */
  actions?: ReactNode;
  /** One column of cards, no wider than its lines can be read. */
  isNarrow?: boolean;
  children: ReactNode;
}) {
  return (
    <div className={`rb-pane ${classes.screen}`} data-narrow={isNarrow || undefined}>
      <div className={classes.intro}>
        <h1>{title}</h1>
        <p>{intro}</p>
        {actions}
      </div>
      {children}
    </div>
  );
}
