// Headers, or fields of a form, in the received order, with duplicates; of many, the first, and more on request.
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { HeaderList } from '@rainbell/contract/app-rpc';
import { CopyIcon } from '../ui/controls/CopyIcon.tsx';
import { ForeignText } from '../ui/text/ForeignText.tsx';
import { budget } from './budget.ts';
import classes from './HeaderTable.module.css';

type Props = { headers: HeaderList; label?: string };

export function HeaderTable({ headers, label = 'Headers' }: Readonly<Props>) {
  const [count, setCount] = useState<number>(budget.wholeFields);
  return (
    <>
      <table className={`rb-mono rb-sunken ${classes.headers}`} aria-label={label}>
        <tbody>
          {headers.slice(0, count).map(([name, value], index) => (
            // Headers may have the same name, so the index is the key.
            <tr key={index}>
              <th scope="row" className={name.length > longName ? classes.long : undefined}>
                <ForeignText text={name} limit={200} canShowMore />
              </th>
              <td>
                <ForeignText text={value} limit={budget.fieldCharacters} canShowMore />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {headers.length > count && (
        <div className="rb-row rb-note">
          {`Showing the first ${count.toLocaleString('en')} of ${headers.length.toLocaleString('en')}.`}
          <Button size="compact-xs" variant="light" onClick={() => setCount(count + budget.wholeFields)}>
            Show more
          </Button>
          <CopyIcon text={() => headers.map((field) => field.join(': ')).join('\n')} label={`Copy: ${label}`} />
        </div>
      )}
    </>
  );
}

/** Longer names would push the values off the page, and are wrapped. */
const longName = 20;
