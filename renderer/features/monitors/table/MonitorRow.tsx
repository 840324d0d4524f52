// One row of the table of monitors: its checkbox, its name, its cells, and what can be done at once; or that it is being deleted.
import { TrafficButton } from '../../../widgets/TrafficButton.tsx';
import { TaskButton } from '../../../ui/controls/TaskButton.tsx';
import { IconCloudRain, IconPlayerPlay, IconSend, type TablerIcon } from '@tabler/icons-react';
import { memo } from 'react';
import type { AppMonitor } from '@rainbell/contract/app-rpc';
import { useApp } from '../../../store/use-app.ts';
import { useTask } from '../../../ui/hooks/use-task.ts';
import { ForeignText } from '../../../ui/text/ForeignText.tsx';
import { MonitorCell } from './MonitorCell.tsx';
import type { MonitorRow as Row } from './monitor-rows.ts';
import type { MonitorColumn } from './table-columns.ts';
import { hasUnsaved } from '../common/edits-slice.ts';
import classes from './MonitorTable.module.css';

/** The element ID of a monitor's row. */
export const rowId = (monitorId: string) => `monitor-row-${monitorId}`;

type RowProps = {
  row: Row;
  columns: readonly MonitorColumn[];
  index: number;
  /** The columns of the grid. */
  template: string;
  top: number;
  isActive: boolean;
};

/** Drawn again only if something of it changed: scrolling moves all rows in view with each frame. */
export const MonitorRow = memo(function MonitorRow(props: Readonly<RowProps>) {
  const { row, columns, index, template, top } = props;
  const { monitor } = row;
  const { id, name, deletion } = monitor;
  const select = useApp((state) => state.monitors.select);
  const toggleSelected = useApp((state) => state.monitors.toggleSelected);
  const isOpen = useApp((state) => state.monitors.selectedId === id);
  const isSelected = useApp((state) => state.monitors.selection.has(id));
  const isUnsaved = useApp(({ monitors }) => hasUnsaved(monitor, monitors));
  return (
    <div
      className={`rb-list-row ${classes.row}`}
      id={rowId(id)}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-open={isOpen}
      data-active={props.isActive}
      data-going={deletion?.state}
      style={{ gridTemplateColumns: template, transform: `translateY(${top}px)` }}
    >
      <div role="gridcell">
        <input
          type="checkbox"
          tabIndex={-1}
          className="rb-tick"
          aria-label={`Select ${name || id}`}
          checked={isSelected}
          onChange={() => toggleSelected(id)}
        />
      </div>
      <div role="gridcell" className="rb-lined">
        <button
          type="button"
          className={`rb-truncate rb-strong ${name === '' ? 'rb-mono' : ''} ${classes.whole}`}
          title={name === '' ? id : `${name} · ${id}`}
          aria-label={name === '' ? id : `${name}, ${id}`}
          aria-expanded={isOpen}
          onClick={() => select(isOpen ? null : id)}
        >
          <ForeignText text={name || id} />
        </button>
        {isUnsaved && !isOpen ? (
          <span className="rb-small rb-tone" data-tone="warn">
            Not saved yet
          </span>
        ) : (
          name !== '' && (
            <span className="rb-mono rb-truncate rb-note">
              <ForeignText text={id} />
            </span>
          )
        )}
      </div>
      {deletion !== null ? (
        <DeletedRow monitor={monitor} columnCount={columns.length} />
      ) : (
        columns.map((column) => <MonitorCell key={column} column={column} row={row} />)
      )}
      <div role="gridcell" className={`rb-buttons ${classes.actions}`}>
        {deletion === null && <RowAction row={row} />}
      </div>
    </div>
  );
});

/** A pending delete, over all columns; over one if all are hidden. */
function DeletedRow({ monitor, columnCount }: { readonly monitor: AppMonitor; readonly columnCount: number }) {
  const { undoDelete, deleteLater } = useApp((state) => state.monitors);
  const { id, deletion } = monitor;
  if (deletion === null) return null;
  const isFailed = deletion.state === 'failed';
  return (
    <div role="gridcell" className="rb-row" style={{ gridColumn: `span ${Math.max(1, columnCount)}` }}>
      <span
        className="rb-truncate rb-tone"
        title={isFailed ? deletion.message : undefined}
        data-tone={isFailed ? 'bad' : 'plain'}
      >
        {isFailed
          ? `Not deleted: ${deletion.message}`
          : deletion.state === 'held'
            ? 'Deleting in a few seconds'
            : 'Deleting…'}
      </span>
      {isFailed && <TrafficButton id={deletion.trafficId} about={id} />}
      {isFailed && (
        <TaskButton size="compact-xs" task={() => deleteLater([id])}>
          Try again
        </TaskButton>
      )}
      {deletion.state !== 'sending' && (
        <TaskButton size="compact-xs" variant="light" aria-label={`Keep ${id}`} task={() => undoDelete([id])}>
          {isFailed ? 'Keep monitor' : 'Undo'}
        </TaskButton>
      )}
    </div>
  );
}

/** Resume, rain, or a test event. The details have the other actions. */
function RowAction({ row: { monitor, deliveryStatus } }: { readonly row: Row }) {
  const { condition } = deliveryStatus;
  const { rainOn, sendTest, resume, facts } = useApp((state) => state.monitors);
  const isSandbox = useApp((state) => state.frame.status?.connection.isSandbox ?? false);
  const { id } = monitor;
  const about = monitor.name || id;
  if (condition === 'off' || condition === 'paused')
    return <RowButton label="Resume" name={`Resume ${about}`} Icon={IconPlayerPlay} task={() => resume(id)} />;
  if (isSandbox) {
    const name = `Make it rain near ${about}`;
    return <RowButton label="Make it rain" name={name} Icon={IconCloudRain} task={() => rainOn(monitor)} />;
  }
  if (facts === null) return null;
  const name = `Send test event for ${about}`;
  return <RowButton label="Send test event" name={name} Icon={IconSend} task={() => sendTest(id)} />;
}

type ButtonProps = { label: string; name: string; Icon: TablerIcon; task: () => Promise<unknown> };

/** A plain button: a library's costs a hundred times as much for each row that comes into view. */
function RowButton({ label, name, Icon, task }: Readonly<ButtonProps>) {
  const { run, isBusy } = useTask(task);
  return (
    <button type="button" className="rb-button" aria-label={name} aria-busy={isBusy} disabled={isBusy} onClick={run}>
      <Icon size={15} />
      {label}
    </button>
  );
}
