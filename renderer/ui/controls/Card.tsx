// A titled card.
import type { ReactNode } from 'react';
import classes from './Card.module.css';

export function Card({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={`rb-card ${classes.card}`} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
