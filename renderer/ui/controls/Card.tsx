// A titled card.
import type { ReactNode } from 'react';
import classes from './Card.module.css';

type Props = {
  title: string;
  /** Its name in links. */
  section?: string;
  children: ReactNode;
};

export function Card({ title, section, children }: Readonly<Props>) {
  return (
    <section className={`rb-card rb-stack ${classes.card}`} aria-label={title} data-section={section}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
