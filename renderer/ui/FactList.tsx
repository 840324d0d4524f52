// Terms and what they are here, as a list of definitions; `className` lays them out.
type Props = { facts: readonly (readonly [term: string, value: string])[]; className: string | undefined };

export function FactList({ facts, className }: Readonly<Props>) {
  return (
    <dl className={className}>
      {facts.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
