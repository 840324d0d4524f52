// A table in a part of a screen that scrolls: the first rows, and how many more there are.
import type { ReactNode } from 'react';
import { ScrollRegion } from './ScrollRegion.tsx';

type Props<Row> = {
  label: string;
  /** None: without a head. */
  heads: readonly string[];
  rows: readonly Row[];
  /** How many of them are on the page. */
  max: number;
  /** A row of the table. */
  children: (row: Row, index: number) => ReactNode;
};

export function RowsTable<Row>({ label, heads, rows, max, children }: Readonly<Props<Row>>) {
  return (
    <ScrollRegion label={label} className="rb-short">
      <table className="rb-table rb-small">
        {heads.length > 0 && (
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>{rows.slice(0, max).map(children)}</tbody>
      </table>
      {rows.length > max && <p>{`And ${(rows.length - max).toLocaleString('en')} more`}</p>}
    </ScrollRegion>
  );
}
