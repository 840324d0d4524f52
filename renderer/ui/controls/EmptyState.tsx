// What a screen shows while it has nothing: what belongs here, and the next step.
import type { ReactNode } from 'react';
import classes from './EmptyState.module.css';

type Props = { icon: ReactNode; title: string; children: ReactNode; actions?: ReactNode };

export function EmptyState({ icon, title, children, actions }: Readonly<Props>) {
  return (
    <div className={classes.empty}>
      <span className={classes.icon} aria-hidden="true">
        {icon}
      </span>
      <h2>{title}</h2>
      <div className={classes.words}>{children}</div>
      {actions && <div className={classes.actions}>{actions}</div>}
    </div>
  );
}
