// The card beside a list with what was chosen there, or that nothing is.
import type { ReactNode } from 'react';
import classes from './DetailCard.module.css';

type Props = {
  label: string;
  isChosen: boolean;
  emptyText: string;
  children: ReactNode;
};

export function DetailCard({ label, isChosen, emptyText, children }: Readonly<Props>) {
  return (
    <section className={`rb-card rb-column ${classes.card}`} aria-label={label}>
      {isChosen ? children : <p className={`rb-dim ${classes.nothing}`}>{emptyText}</p>}
    </section>
  );
}
