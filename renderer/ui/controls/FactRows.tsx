// The content of a list of definitions (`dl`): terms and their values.
import { ForeignText } from '../text/ForeignText.tsx';

type Props = { facts: readonly (readonly [term: string, value: string])[] };

export function FactRows({ facts }: Readonly<Props>) {
  return facts.map(([term, value]) => (
    <div key={term}>
      <dt>{term}</dt>
      <dd>
        <ForeignText text={value} canShowMore />
      </dd>
    </div>
  ));
}
