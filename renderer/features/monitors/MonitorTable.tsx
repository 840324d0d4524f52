// The table of monitors. Only the rows in view are on the page, so thousands stay quick.
import { ActionIcon, Tooltip, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconDroplet, IconPencil, IconTrash } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import type { AppMonitor } from '#contract/procedures/monitors.ts';
import { useApp } from '#renderer/store/use-app.ts';
import { coordinateWords } from '#renderer/ui/durations.ts';
import { useLogTimes } from '#renderer/ui/use-log-times.ts';
import type { MonitorRow as Row, MonitorSort } from './monitor-rows.ts';
import { nextWords, type Standing } from './standing.ts';
import classes from './MonitorTable.module.css';

const rowHeight = 54;

const columns: readonly { by: MonitorSort['by'] | null; name: string }[] = [
  { by: 'id', name: 'Monitor' },
  { by: 'location', name: 'Location' },
  { by: 'callback', name: 'Callback' },
  { by: 'last', name: 'Last event' },
  { by: 'next', name: 'Next allowed' },
  { by: null, name: 'Actions' },
];

type Props = { monitors: readonly Row[]; sort: MonitorSort; onSort: (sort: MonitorSort) => void };

export function MonitorTable({ monitors, sort, onSort }: Readonly<Props>) {
  const frame = useRef<HTMLDivElement>(null);
  // Its functions change with the scroll position; nothing here keeps them over a render.
  // oxlint-disable-next-line react/incompatible-library
  const rows = useVirtualizer({
    count: monitors.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    getItemKey: (index) => monitors[index]?.monitor.id ?? index,
  });
  return (
    <div
      className={`rb-card ${classes.frame}`}
      ref={frame}
      role="table"
      aria-label="Monitors"
      aria-rowcount={monitors.length + 1}
    >
      <div className={classes.head} role="rowgroup">
        <div className={classes.row} role="row" aria-rowindex={1}>
          {columns.map(({ by, name }) => (
            <HeadCell key={name} by={by} name={name} sort={sort} onSort={onSort} />
          ))}
        </div>
      </div>
      <div role="rowgroup" className={classes.body} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map((item) => {
          const row = monitors[item.index];
          return row && <MonitorRow key={item.key} row={row} top={item.start} index={item.index} />;
        })}
      </div>
    </div>
  );
}

type HeadProps = { by: MonitorSort['by'] | null; name: string; sort: MonitorSort; onSort: (sort: MonitorSort) => void };

function HeadCell({ by, name, sort, onSort }: Readonly<HeadProps>) {
  if (by === null) {
    return (
      <div role="columnheader" className={name === 'Actions' ? classes.actions : undefined}>
        {name === 'Actions' ? <span className={classes.unseen}>{name}</span> : name}
      </div>
    );
  }
  const isSorted = sort.by === by;
  const Arrow = sort.isDescending ? IconArrowDown : IconArrowUp;
  return (
    <div role="columnheader" aria-sort={isSorted ? (sort.isDescending ? 'descending' : 'ascending') : 'none'}>
      <UnstyledButton
        className={classes.sort ?? ''}
        onClick={() => onSort({ by, isDescending: isSorted && !sort.isDescending })}
      >
        {name} {isSorted && <Arrow size={13} aria-hidden />}
      </UnstyledButton>
    </div>
  );
}

type RowProps = { row: Row; top: number; index: number };

function MonitorRow({ row: { monitor, standing }, top, index }: Readonly<RowProps>) {
  const { id, geo } = monitor;
  const select = useApp((state) => state.monitors.select);
  const isSelected = useApp((state) => state.monitors.selectedId === id);
  return (
    <div
      className={classes.row}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      style={{ transform: `translateY(${top}px)` }}
    >
      <div role="cell" className="rb-truncate">
        <UnstyledButton
          className={`rb-mono ${classes.id} ${classes.whole}`}
          title={id}
          aria-expanded={isSelected}
          onClick={() => select(isSelected ? null : id)}
        >
          {id}
        </UnstyledButton>
      </div>
      <div role="cell" className={`rb-mono rb-truncate ${classes.small}`}>
        {coordinateWords(geo)}
      </div>
      <div role="cell" className="rb-truncate">
        <CallbackWords monitor={monitor} />
      </div>
      <div role="cell" className="rb-truncate">
        <LastEvent monitor={monitor} standing={standing} />
      </div>
      <div role="cell" className="rb-numbers">
        <NextAllowed standing={standing} />
      </div>
      <div role="cell" className={classes.actions}>
        <RowActions monitor={monitor} />
      </div>
    </div>
  );
}

type StandingProps = { monitor: AppMonitor; standing: Standing };

/** Leads to the newest callback where this app received one. */
function LastEvent({ monitor: { lastCallback }, standing }: Readonly<StandingProps>) {
  const goTo = useApp((state) => state.frame.goTo);
  const show = useApp((state) => state.callbacks.select);
  const times = useLogTimes();
  const at = standing.lastAt === null ? '' : `${times.dayClock(standing.lastAt)} ${times.offsetName(standing.lastAt)}`;
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
  const title = `${times.dayClock(nextAllowedAt)} ${times.offsetName(nextAllowedAt)}, by the service’s clock`;
  return <span title={title}>{nextWords(standing)}</span>;
}

function CallbackWords({ monitor: { callbackUri, toThisApp } }: { readonly monitor: AppMonitor }) {
  if (callbackUri === null) return <span className={classes.dim}>(not given by the service)</span>;
  if (!toThisApp)
    return (
      <span className={`rb-mono ${classes.small}`} title={callbackUri}>
        {callbackUri}
      </span>
    );
  const path = URL.canParse(callbackUri) ? new URL(callbackUri).pathname : callbackUri;
  return (
    <span title={callbackUri}>
      <span className="rb-badge" data-tone="accent">
        this app
      </span>{' '}
      <span className={`rb-mono ${classes.small}`}>{path}</span>
    </span>
  );
}

const rainMinutes = 20;

function RowActions({ monitor }: { readonly monitor: AppMonitor }) {
  const openDialog = useApp((state) => state.monitors.openDialog);
  const deleteLater = useApp((state) => state.monitors.deleteLater);
  const addScenario = useApp((state) => state.sandbox.addScenario);
  const isSandbox = useApp((state) => state.frame.status?.connection.isSandbox ?? false);
  const { id, geo } = monitor;
  return (
    <>
      {isSandbox && (
        <Action
          label={`Make it rain on ${id} for ${rainMinutes} minutes`}
          icon={<IconDroplet size={17} />}
          onClick={() => void addScenario({ center: geo, minutes: rainMinutes }, coordinateWords(geo))}
        />
      )}
      <Action
        label={`Edit ${id}`}
        icon={<IconPencil size={17} />}
        onClick={() => openDialog({ kind: 'edit', monitor })}
      />
      <Action label={`Delete ${id}`} icon={<IconTrash size={17} />} color="red" onClick={() => deleteLater(id)} />
    </>
  );
}

type ActionProps = { label: string; icon: React.ReactNode; color?: string; onClick: () => void };

function Action({ label, icon, color = 'rain', onClick }: Readonly<ActionProps>) {
  return (
    <Tooltip label={label} openDelay={400}>
      <ActionIcon variant="subtle" color={color} aria-label={label} onClick={onClick}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
