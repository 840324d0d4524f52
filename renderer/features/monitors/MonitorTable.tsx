// The table of monitors. Only the rows in view are on the page, so thousands stay quick.
import { ActionIcon, Tooltip, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconDroplet, IconPencil, IconTrash } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import type { AppMonitor } from '#contract/procedures/monitors.ts';
import { useApp } from '#renderer/store/use-app.ts';
import { coordinateWords, relativeWords } from '#renderer/ui/durations.ts';
import { zonedTimes } from '#renderer/ui/zoned-times.ts';
import { type MonitorSort, nextAllowedAt } from './monitor-rows.ts';
import classes from './MonitorTable.module.css';

const rowHeight = 54;

const columns: readonly { by: MonitorSort['by'] | null; name: string }[] = [
  { by: 'id', name: 'Monitor' },
  { by: 'location', name: 'Location' },
  { by: 'callback', name: 'Callback' },
  { by: 'last', name: 'Last callback' },
  { by: null, name: 'Next allowed' },
  { by: null, name: 'Actions' },
];

type Props = { monitors: readonly AppMonitor[]; sort: MonitorSort; onSort: (sort: MonitorSort) => void; now: number };

export function MonitorTable({ monitors, sort, onSort, now }: Readonly<Props>) {
  const frame = useRef<HTMLDivElement>(null);
  // Its functions change with the scroll position; nothing here keeps them over a render.
  // oxlint-disable-next-line react/incompatible-library
  const rows = useVirtualizer({
    count: monitors.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    getItemKey: (index) => monitors[index]?.id ?? index,
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
          const monitor = monitors[item.index];
          return (
            monitor && <MonitorRow key={item.key} monitor={monitor} now={now} top={item.start} index={item.index} />
          );
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

type RowProps = { monitor: AppMonitor; now: number; top: number; index: number };

function MonitorRow({ monitor, now, top, index }: Readonly<RowProps>) {
  const { id, geo, lastCallback } = monitor;
  const goTo = useApp((state) => state.frame.goTo);
  const select = useApp((state) => state.callbacks.select);
  const next = nextAllowedAt(monitor, now);
  const times = zonedTimes(Intl.DateTimeFormat().resolvedOptions().timeZone);
  const show = (callbackId: number) => {
    void select(callbackId);
    goTo('callbacks');
  };
  return (
    <div className={classes.row} role="row" aria-rowindex={index + 2} style={{ transform: `translateY(${top}px)` }}>
      <div role="cell" className={`rb-mono rb-truncate ${classes.id}`} title={id}>
        {id}
      </div>
      <div role="cell" className={`rb-mono rb-truncate ${classes.small}`}>
        {coordinateWords(geo)}
      </div>
      <div role="cell" className="rb-truncate">
        <CallbackWords monitor={monitor} />
      </div>
      <div role="cell">
        {lastCallback === null ? (
          <span className={classes.dim}>
            <span className={classes.dot} /> none here
          </span>
        ) : (
          <UnstyledButton
            className={classes.link ?? ''}
            title={times.dayClock(Date.parse(lastCallback.receivedAt))}
            onClick={() => show(lastCallback.id)}
          >
            <span className={classes.dot} data-state="good" /> {relativeWords(Date.parse(lastCallback.receivedAt), now)}
          </UnstyledButton>
        )}
      </div>
      <div role="cell" className="rb-numbers">
        {next === null ? <span className={classes.dim}>now</span> : relativeWords(next, now)}
      </div>
      <div role="cell" className={classes.actions}>
        <RowActions monitor={monitor} />
      </div>
    </div>
  );
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
