// What a screen shows while it has nothing: what belongs here, and the next step.
import type { ReactNode } from 'react';
import classes from './EmptyState.module.css';

type Props = {
  icon: ReactNode;
  title: string;
  children: ReactNode;
  actions?: ReactNode;
  /** `bad`: it is empty because something failed. */
  tone?: 'accent' | 'bad';
};

export function EmptyState({ icon, title, children, actions, tone = 'accent' }: Readonly<Props>) {
  return (
    <div className={`rb-stack ${classes.empty}`}>
      <span className={`rb-row rb-tone ${classes.icon}`} data-tone={tone} aria-hidden="true">
        {icon}
      </span>
      <h2 className="rb-figure">{title}</h2>
      <div className="rb-column rb-tight rb-dim">{children}</div>
      {actions && <div className="rb-row rb-wrap rb-middle">{actions}</div>}
    </div>
  );
}
