// Where an answer went another way than the standard or the interface says, each with its section.
import type { Deviation } from '@rainbell/contract/app-rpc';
import classes from './Deviations.module.css';

export function Deviations({ deviations }: { readonly deviations: readonly Deviation[] }) {
  return deviations.map(({ section, message }) => (
    <p key={`${section} ${message}`} className={classes.deviation}>
      <span className="rb-badge" data-tone="warn">
        {section}
      </span>{' '}
      {message}
    </p>
  ));
}
