// The head of the table of monitors: selects all that are shown, and orders by a column.
import { UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { CSSProperties } from 'react';
import { useApp } from '../../../store/use-app.ts';
import type { MonitorRow } from './monitor-rows.ts';
import type { MonitorSort } from '../common/monitor-list-slice.ts';
import type { monitorColumns } from './table-columns.ts';
import classes from './MonitorTable.module.css';

type Props = {
  monitors: readonly MonitorRow[];
  shown: readonly (typeof monitorColumns)[number][];
  style: CSSProperties;
};

export function MonitorTableHead({ monitors, shown, style }: Readonly<Props>) {
  const { selection, setSelection } = useApp((state) => state.monitors);
  const isAll = monitors.length > 0 && monitors.every(({ monitor }) => selection.has(monitor.id));
  const isSome = !isAll && monitors.some(({ monitor }) => selection.has(monitor.id));
  return (
    <div className={classes.head} role="rowgroup">
      <div className="rb-list-head" role="row" aria-rowindex={1} style={style}>
        <div role="columnheader">
          <input
            type="checkbox"
            className="rb-tick"
            aria-label={isAll ? 'Clear the selection' : 'Select all shown'}
            checked={isAll}
            ref={(box) => {
              if (box) box.indeterminate = isSome;
            }}
            onChange={() => setSelection(isAll ? [] : monitors.map(({ monitor }) => monitor.id))}
          />
        </div>
        <HeadCell by="name" name="Name" />
        {shown.map(({ key, by, name }) => (
          <HeadCell key={key} by={by} name={name} />
        ))}
        <div role="columnheader" className={`rb-buttons ${classes.actions}`}>
          <span className="rb-hidden">Actions</span>
        </div>
      </div>
    </div>
  );
}

function HeadCell({ by, name }: { readonly by: MonitorSort['by'] | null; readonly name: string }) {
  const sort = useApp((state) => state.monitors.view.sort);
  const setView = useApp((state) => state.monitors.setView);
  if (by === null) return <div role="columnheader">{name}</div>;
  const isSorted = sort.by === by;
  const Arrow = sort.isDescending ? IconArrowDown : IconArrowUp;
  return (
    <div role="columnheader" aria-sort={isSorted ? (sort.isDescending ? 'descending' : 'ascending') : 'none'}>
      <UnstyledButton
        className="rb-row rb-tight"
        onClick={() => setView({ sort: { by, isDescending: isSorted && !sort.isDescending } })}
      >
        {name} {isSorted && <Arrow size={13} aria-hidden />}
      </UnstyledButton>
    </div>
  );
}
