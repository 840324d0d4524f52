// One row of the table of monitors: who it is, where it calls, how its last event fared, and what can be done at once.
import { ActionIcon, Button, Checkbox, Tooltip, UnstyledButton } from '@mantine/core';
import { IconDroplet, IconPencil, IconPlugConnected, IconTrash } from '@tabler/icons-react';
import { type CSSProperties, type ReactNode, useRef } from 'react';
import type { AppMonitor } from '#contract/procedures/monitors.ts';
import { useApp } from '#renderer/store/use-app.ts';
import { coordinateWords } from '#renderer/ui/durations.ts';
import { useLogTimes } from '#renderer/ui/use-log-times.ts';
import { type EditedCell, InPlaceEdit } from './InPlaceEdit.tsx';
import { instantTitle } from './instant-title.ts';
import type { MonitorRow as Row } from './monitor-rows.ts';
import { nextWords, type Standing } from './standing.ts';
import type { MonitorColumn } from './table-columns.ts';
import classes from './MonitorTable.module.css';

type RowProps = {
  row: Row;
  columns: readonly MonitorColumn[];
  isSplit: boolean;
  index: number;
  style: CSSProperties;
  isActive: boolean;
  edited: EditedCell | null;
  onEdit: (cell: EditedCell | null) => void;
  onToggle: () => void;
  onDelete: () => void;
};

export function MonitorRow(props: Readonly<RowProps>) {
  const { row, columns, index, style } = props;
  const { monitor } = row;
  const { id, name, going } = monitor;
  const select = useApp((state) => state.monitors.select);
  const isOpen = useApp((state) => state.monitors.selectedId === id);
  const isMarked = useApp((state) => state.monitors.marked.has(id));
  return (
    <div
      className={classes.row}
      id={`monitor-row-${id}`}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isMarked}
      data-open={isOpen}
      data-active={props.isActive}
      data-going={going?.state}
      style={style}
    >
      <div role="gridcell">
        <Checkbox
          size="xs"
          tabIndex={-1}
          className={classes.above ?? ''}
          aria-label={`Mark ${name || id}`}
          checked={isMarked}
          onChange={props.onToggle}
        />
      </div>
      <div role="gridcell" className={classes.who}>
        <UnstyledButton
          className={`rb-truncate ${name === '' ? 'rb-mono' : ''} ${classes.id} ${classes.whole}`}
          title={name === '' ? id : `${name} · ${id}`}
          aria-label={name === '' ? id : `${name}, ${id}`}
          aria-expanded={isOpen}
          onClick={() => select(isOpen ? null : id)}
        >
          {name || id}
        </UnstyledButton>
        {name !== '' && <span className={`rb-mono rb-truncate ${classes.under}`}>{id}</span>}
      </div>
      {going === null ? (
        columns.map((column) => (
          <Cell key={column} column={column} row={row} edited={props.edited} onEdit={props.onEdit} />
        ))
      ) : (
        <Going monitor={monitor} columnCount={columns.length} />
      )}
      {!props.isSplit && (
        <div role="gridcell" className={classes.actions}>
          {going === null && <RowActions monitor={monitor} onDelete={props.onDelete} />}
        </div>
      )}
    </div>
  );
}

const doubleClickMs = 250;

type CellProps = { column: MonitorColumn; row: Row } & Pick<RowProps, 'edited' | 'onEdit'>;

/** A double click edits a place or an address where it stands. */
function Cell({ column, row: { monitor, standing }, edited, onEdit }: Readonly<CellProps>) {
  const { id, geo, tags } = monitor;
  const isEdited = edited?.field === column;
  const field = column === 'location' || column === 'callback' ? column : null;
  const select = useApp((state) => state.monitors.select);
  const opening = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** Opening moves the columns, so it waits for a second click that would edit. */
  const onClick = () => {
    clearTimeout(opening.current);
    if (field && !isEdited) opening.current = setTimeout(() => select(id), doubleClickMs);
  };
  const onDoubleClick = () => {
    clearTimeout(opening.current);
    if (field) onEdit({ id, field });
  };
  const content = () => {
    switch (column) {
      case 'location':
        return <span className={`rb-mono rb-truncate ${classes.small}`}>{coordinateWords(geo)}</span>;
      case 'callback':
        return <CallbackWords monitor={monitor} />;
      case 'last':
        return <LastEvent monitor={monitor} standing={standing} />;
      case 'next':
        return <NextAllowed standing={standing} />;
      case 'counts':
        return <Counts id={id} />;
      case 'tags':
        return <span className={classes.small}>{tags.join(', ')}</span>;
    }
  };
  return (
    // The grid itself has the focus; F2 does by keys what the double click does.
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus, jsx-a11y/click-events-have-key-events
    <div
      role="gridcell"
      className={isEdited ? classes.edited : field === null ? 'rb-truncate' : `rb-truncate ${classes.editable}`}
      onClick={onClick}
      onDoubleClick={onDoubleClick}
    >
      {isEdited && field ? <InPlaceEdit monitor={monitor} field={field} onDone={() => onEdit(null)} /> : content()}
    </div>
  );
}

function Going({ monitor, columnCount }: { readonly monitor: AppMonitor; readonly columnCount: number }) {
  const undoDelete = useApp((state) => state.monitors.undoDelete);
  const deleteLater = useApp((state) => state.monitors.deleteLater);
  const { id, going } = monitor;
  if (going === null) return null;
  const isFailed = going.state === 'failed';
  return (
    <div role="gridcell" className={classes.going} style={{ gridColumn: `span ${Math.max(1, columnCount)}` }}>
      <span className="rb-truncate" title={isFailed ? going.message : undefined} data-tone={isFailed ? 'bad' : 'plain'}>
        {isFailed ? `Not deleted: ${going.message}` : going.state === 'held' ? 'Is going' : 'Being deleted…'}
      </span>
      {isFailed && (
        <Button size="compact-xs" variant="default" onClick={() => void deleteLater([id])}>
          Try again
        </Button>
      )}
      {going.state !== 'sending' && (
        <Button size="compact-xs" variant="light" aria-label={`Keep ${id}`} onClick={() => void undoDelete([id])}>
          {isFailed ? 'Keep' : 'Undo'}
        </Button>
      )}
    </div>
  );
}

function Counts({ id }: { readonly id: string }) {
  const told = useApp((state) => state.monitors.facts?.byMonitor.get(id));
  if (!told) return <span className={classes.dim}>–</span>;
  return (
    <span className="rb-numbers" title={`${told.delivered} events delivered, ${told.failed} failed`}>
      {told.delivered} / {told.failed} failed
    </span>
  );
}

type StandingProps = { monitor: AppMonitor; standing: Standing };

/** Leads to the newest callback where this app received one. */
function LastEvent({ monitor: { lastCallback }, standing }: Readonly<StandingProps>) {
  const goTo = useApp((state) => state.frame.goTo);
  const show = useApp((state) => state.callbacks.select);
  const times = useLogTimes();
  const at = standing.lastAt === null ? '' : instantTitle(standing.lastAt, times);
  const title = [standing.reason, at].filter((part) => part !== '').join(' · ');
  const words = (
    <>
      <span className={classes.dot} data-tone={standing.tone} aria-hidden /> {standing.words}
    </>
  );
  if (lastCallback === null) {
    return (
      <span className={classes.standing} data-tone={standing.tone} title={title}>
        {words}
      </span>
    );
  }
  return (
    <UnstyledButton
      tabIndex={-1}
      className={`${classes.standing} ${classes.link}`}
      data-tone={standing.tone}
      title={`${title} · opens the newest callback received here`}
      onClick={() => {
        void show(lastCallback.id);
        goTo('callbacks');
      }}
    >
      {words}
    </UnstyledButton>
  );
}

function NextAllowed({ standing }: { readonly standing: Standing }) {
  const times = useLogTimes();
  const { nextAllowedAt } = standing;
  if (standing.state === 'off') return <span className={classes.dim}>not called</span>;
  if (nextAllowedAt === null) return <span className={classes.dim}>now</span>;
  const title = `${instantTitle(nextAllowedAt, times)}, by the service’s clock`;
  return <span title={title}>{nextWords(standing)}</span>;
}

/** Three lines, so that a long path can be read; the whole is in the title and in the details. */
function CallbackWords({ monitor: { callbackUri, toThisApp } }: { readonly monitor: AppMonitor }) {
  if (callbackUri === null) return <span className={classes.dim}>(not given by the service)</span>;
  const path = toThisApp && URL.canParse(callbackUri) ? new URL(callbackUri).pathname : callbackUri;
  return (
    <span className={classes.address} title={callbackUri}>
      {toThisApp && (
        <span className="rb-badge" data-tone="accent">
          this app
        </span>
      )}{' '}
      <span className="rb-mono">{path}</span>
    </span>
  );
}

export const rainMinutes = 20;

function RowActions({ monitor, onDelete }: { readonly monitor: AppMonitor; readonly onDelete: () => void }) {
  const { openDialog, callThisApp } = useApp((state) => state.monitors);
  const isAsking = useApp((state) => state.monitors.asking.has(monitor.id));
  const addScenario = useApp((state) => state.sandbox.addScenario);
  const isSandbox = useApp((state) => state.frame.status?.connection.isSandbox ?? false);
  const { id, geo, toThisApp } = monitor;
  return (
    <>
      {isSandbox && (
        <Action
          label={`Make it rain on ${id} for ${rainMinutes} minutes`}
          icon={<IconDroplet size={17} />}
          onClick={() => void addScenario({ center: geo, minutes: rainMinutes }, coordinateWords(geo))}
        />
      )}
      {!toThisApp && (
        <Action
          label={`Make ${id} call this app`}
          icon={<IconPlugConnected size={17} />}
          isBusy={isAsking}
          onClick={() => void callThisApp(id)}
        />
      )}
      <Action
        label={`Edit ${id}`}
        icon={<IconPencil size={17} />}
        onClick={() => openDialog({ kind: 'edit', monitor })}
      />
      <Action label={`Delete ${id}`} icon={<IconTrash size={17} />} color="red" onClick={onDelete} />
    </>
  );
}

type ActionProps = { label: string; icon: ReactNode; color?: string; isBusy?: boolean; onClick: () => void };

function Action({ label, icon, color = 'rain', isBusy = false, onClick }: Readonly<ActionProps>) {
  return (
    <Tooltip label={label} openDelay={400}>
      <ActionIcon variant="subtle" color={color} aria-label={label} loading={isBusy} onClick={onClick}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
