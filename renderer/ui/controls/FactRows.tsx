// The content of a list of definitions (`dl`): terms and their values.
import type { ReactNode } from 'react';
import { ForeignText } from '../text/ForeignText.tsx';

type Props = { facts: readonly (readonly [term: string, value: string])[] };

export function FactRows({ facts }: Readonly<Props>) {
  return facts.map(([term, value]) => (
    <Term key={term} name={term}>
      <ForeignText text={value} canShowMore />
    </Term>
  ));
}

type TermProps = { name: string; className?: string | undefined; children: ReactNode };

export function Term({ name, className, children }: Readonly<TermProps>) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={className}>{children}</dd>
    </div>
  );
}
