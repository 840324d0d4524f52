// Where an answer went another way than the standard or the interface says, each with its section.
import type { Deviation } from '@rainbell/contract/app-rpc';

export function Deviations({ deviations }: { readonly deviations: readonly Deviation[] }) {
  return deviations.map(({ section, message }) => (
    <p key={`${section} ${message}`} className="rb-tone" data-tone="warn">
      <span className="rb-badge" data-tone="warn">
        {section}
      </span>{' '}
      {message}
    </p>
  ));
}
