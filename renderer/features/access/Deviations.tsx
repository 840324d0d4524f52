// Where an answer went another way than the standard or the interface says, each with its section.
import type { Deviation } from '@rainbell/contract/app-rpc';
import { Badge } from '../../ui/controls/Badge.tsx';

export function Deviations({ deviations }: { readonly deviations: readonly Deviation[] }) {
  return deviations.map(({ section, message }) => (
    <p key={`${section} ${message}`} className="rb-tone" data-tone="warn">
      <Badge tone="warn">{section}</Badge> {message}
    </p>
  ));
}
