// Headers, or fields of a form, in the received order, with duplicates. A few are an ordinary table; of many, only the
// rows in view are on the page.
import { useState } from 'react';
import type { HeaderList } from '@rainbell/contract/app-rpc';
import { CopyIcon } from '../ui/controls/CopyIcon.tsx';
import { ForeignText } from '../ui/text/ForeignText.tsx';
import { ScrollRegion } from '../ui/controls/ScrollRegion.tsx';
import { budget } from './budget.ts';
import { WindowedRows } from './WindowedRows.tsx';
import classes from './HeaderTable.module.css';

type Props = { headers: HeaderList; label?: string };

export function HeaderTable({ headers, label }: Readonly<Props>) {
  if (headers.length > budget.wholeFields) return <ManyFields fields={headers} label={label ?? 'Headers'} />;
  return (
    <table className={`rb-mono rb-sunken ${classes.headers}`}>
      <tbody>
        {headers.map(([name, value], index) => (
          // Headers may have the same name, so the index is the key.
          // oxlint-disable-next-line react/no-array-index-key
          <tr key={index}>
            <th scope="row" className={name.length > longName ? classes.long : undefined}>
              <Name name={name} />
            </th>
            <td>
              <ForeignText text={value} limit={budget.fieldCharacters} canShowMore />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Longer names than this are wrapped. */
const longName = 20;

/** Long names would push the values off the page. */
function Name({ name }: { readonly name: string }) {
  return <ForeignText text={name} limit={200} canShowMore />;
}

function ManyFields({ fields, label }: { readonly fields: HeaderList; readonly label: string }) {
  const [frame, setFrame] = useState<HTMLDivElement | null>(null);
  return (
    <>
      {/* The browser cannot find or select what is out of view. */}
      <div className="rb-buttons">
        <CopyIcon text={() => fields.map((field) => field.join(': ')).join('\n')} label={`Copy: ${label}`} />
      </div>
      <ScrollRegion className={`rb-mono rb-sunken ${classes.many}`} label={label} ref={setFrame}>
        <div role="table" aria-label={label} aria-rowcount={fields.length}>
          <WindowedRows frame={frame} count={fields.length} estimate={() => 22} overscan={4} rowRole="row">
            {(index) => {
              const [name = '', value = ''] = fields[index] ?? [];
              return (
                <div className={classes.field} role="presentation">
                  <span role="rowheader">
                    <Name name={name} />
                  </span>
                  <span role="cell">
                    <ForeignText text={value} limit={budget.fieldCharacters} canShowMore />
                  </span>
                </div>
              );
            }}
          </WindowedRows>
        </div>
      </ScrollRegion>
    </>
  );
}
