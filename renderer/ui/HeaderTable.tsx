// Headers in the order and with the duplicates in which they came.
import type { HeaderList } from '#contract/procedures/base.ts';
import classes from './HeaderTable.module.css';

export function HeaderTable({ headers }: { readonly headers: HeaderList }) {
  return (
    <table className={`rb-mono ${classes.headers}`}>
      <tbody>
        {headers.map(([name, value], index) => (
          // Headers may come twice with one name; their place is their identity.
          // oxlint-disable-next-line react/no-array-index-key
          <tr key={index}>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
