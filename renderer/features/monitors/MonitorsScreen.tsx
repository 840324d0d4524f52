// The application's monitors: find, create, change, delete, act on many, see them on a map, and make it rain on one.
import { TextInput, Progress } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useMemo, useRef, useState } from 'react';
import { CopyLink } from '#renderer/widgets/CopyLink.tsx';
import { useApp } from '#renderer/store/use-app.ts';
import { useCommands } from '#renderer/store/use-commands.ts';
import { monitorCommands } from '#shared/commands/list-commands.ts';
import { keepColumns, readColumns } from '#renderer/ui/controls/kept-columns.ts';
import { ConfirmDialog } from '#renderer/ui/dialogs/ConfirmDialog.tsx';
import { SplitPane } from '#renderer/widgets/SplitPane.tsx';
import { formatCount } from '#renderer/ui/text/format-count.ts';
import { formatRelativeTime } from '#renderer/ui/text/durations.ts';
import { ListOutline, RequestNotice } from '#renderer/widgets/RequestNotice.tsx';
import { useNow } from '#renderer/ui/hooks/use-now.ts';
import { BulkBar } from './bulk/BulkBar.tsx';
import { BulkResults } from './bulk/BulkResults.tsx';
import { FirstSteps, RainHint } from './FirstSteps.tsx';
import { type MonitorRow, orderedMonitors, shownMonitors } from './table/monitor-rows.ts';
import { MonitorPanel } from './MonitorPanel.tsx';
import { MonitorTable } from './table/MonitorTable.tsx';
import { MonitorTools, StateFilter } from './table/MonitorTools.tsx';
import { columnsKey, type MonitorColumn, monitorColumns, usualColumns } from './table/table-columns.ts';
import classes from './common/MonitorsScreen.module.css';

const MonitorMap = lazy(async () => ({ default: (await import('./MonitorMap.tsx')).MonitorMap }));

export function MonitorsScreen() {
  const { items, fetchedAt, request, load, facts, selectedId, select, marked, deleteLater } = useApp(
    (state) => state.monitors,
  );
  const { text, state, sort, isMapOpen } = useApp((all) => all.monitors.view);
  const setView = useApp((all) => all.monitors.setView);
  const [columns, setColumns] = useState(() => readColumns(columnsKey, monitorColumns, usualColumns));
  const [asked, setAsked] = useState<readonly string[]>([]);
  const now = useNow(5_000);
  const ordered = useMemo(() => orderedMonitors(items, { sort, facts }), [items, sort, facts]);
  const shown = useMemo(() => shownMonitors(ordered, { text, state, facts }, now), [ordered, text, state, facts, now]);
  const selected = items.find(({ id }) => id === selectedId);
  /** One comes back by a single press; for many it is asked first. */
  const onDelete = (ids: readonly string[]) => (ids.length > 1 ? setAsked(ids) : void deleteLater(ids));
  const chooseColumns = (wanted: readonly MonitorColumn[]) => {
    setColumns(wanted);
    keepColumns(columnsKey, wanted);
  };
  // Counts are told by our own service only; the details have the place and the tags.
  const hidden: readonly MonitorColumn[] = [
    ...(facts === null ? (['counts'] as const) : []),
    ...(selected ? (['location', 'tags'] as const) : []),
  ];
  return (
    <div className={classes.screen}>
      <h1 className={classes.title}>Monitors</h1>
      <div className={classes.bar}>
        <TextFilter text={text} onChange={(wanted) => setView({ text: wanted })} />
        <StateFilter state={state} onChange={(wanted) => setView({ state: wanted })} />
        <span className={classes.space} />
        <CopyLink />
        <MonitorTools
          shown={shown}
          columns={columns}
          onColumns={chooseColumns}
          isMapOpen={isMapOpen}
          onMap={(isOpen) => setView({ isMapOpen: isOpen })}
        />
      </div>
      <div className={classes.under}>
        <span className={classes.count} role="status">
          {fetchedAt !== null &&
            `${shownText(shown.length, items.length)} · read ${formatRelativeTime(fetchedAt, now)}`}
        </span>
        <PlanLine />
      </div>
      <RequestNotice
        request={request}
        failedTitle="Couldn’t load the monitors"
        loadingText="Loading monitors"
        hasData={fetchedAt !== null}
        outline={<ListOutline />}
        onRetry={() => void load()}
      />
      {marked.size > 0 && <BulkBar onDelete={onDelete} />}
      <BulkResults />
      {items.length === 0 && !isMapOpen ? (
        request.state !== 'failed' && fetchedAt !== null && <FirstSteps />
      ) : (
        <SplitPane
          name="monitors"
          label="the monitor"
          usual={32}
          onClose={() => select(null)}
          list={
            <div className={classes.list}>
              <MonitorTable
                monitors={shown}
                columns={columns.filter((column) => !hidden.includes(column))}
                isSplit={selected !== undefined}
                sort={sort}
                onSort={(wanted) => setView({ sort: wanted })}
                onDelete={onDelete}
              />
              <UnderTable shown={shown} isMapOpen={isMapOpen} isSplit={selected !== undefined} />
            </div>
          }
          detail={
            selected ? (
              <MonitorPanel key={selected.id} monitor={selected} onDelete={() => onDelete([selected.id])} />
            ) : null
          }
        />
      )}
      <DeleteMany ids={asked} onDone={() => setAsked([])} />
    </div>
  );
}

function TextFilter({ text, onChange }: { readonly text: string; readonly onChange: (text: string) => void }) {
  const field = useRef<HTMLInputElement>(null);
  useCommands(monitorCommands, { 'monitors.filter': () => field.current?.focus() });
  return (
    <TextInput
      className={classes.search ?? ''}
      ref={field}
      aria-label="Filter the monitors"
      placeholder="Filter by name, id, tag, place, callback…"
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

type UnderTableProps = { shown: readonly MonitorRow[]; isMapOpen: boolean; isSplit: boolean };

function UnderTable({ shown, isMapOpen, isSplit }: Readonly<UnderTableProps>) {
  return (
    <>
      {shown.length === 0 && <p className={classes.nothing}>No monitor fits the filter.</p>}
      {isMapOpen && (
        <Suspense fallback={<p className={classes.nothing}>Drawing the map…</p>}>
          <MonitorMap rows={shown} />
        </Suspense>
      )}
      {!isMapOpen && !isSplit && shown.some(({ deliveryStatus }) => deliveryStatus.lastAt === null) && <RainHint />}
    </>
  );
}

function DeleteMany({ ids, onDone }: { readonly ids: readonly string[]; readonly onDone: () => void }) {
  const deleteLater = useApp((state) => state.monitors.deleteLater);
  return (
    <ConfirmDialog
      isOpen={ids.length > 0}
      title={`Delete ${formatCount(ids.length, 'monitor')}?`}
      confirmLabel={`Delete ${ids.length}`}
      onCancel={onDone}
      onConfirm={() => {
        void deleteLater(ids);
        onDone();
      }}
    >
      Nothing is sent for eight seconds, in which you can undo it. After that the service forgets them, and a monitor
      that is created again gets a new id.
    </ConfirmDialog>
  );
}

function shownText(shown: number, all: number): string {
  return shown === all
    ? formatCount(all, 'monitor')
    : `${shown.toLocaleString('en')} of ${formatCount(all, 'monitor')}`;
}

/** How much of the plan is used, where the service tells it (docs/interface.md §8); elsewhere its refusal says it. */
function PlanLine() {
  const plan = useApp((state) => state.monitors.facts?.plan ?? null);
  const used = useApp((state) => state.monitors.items.length);
  if (plan === null) return null;
  const isFull = used >= plan.monitorLimit;
  const ofLimit = `${used.toLocaleString('en')} of ${plan.monitorLimit.toLocaleString('en')}`;
  const words = `${ofLimit} in ${plan.name === null ? 'the plan' : `plan “${plan.name}”`}`;
  return (
    <span className={classes.plan} data-full={isFull}>
      {words}
      {isFull && ': no more can be made before one is deleted, or a larger plan chosen on the website.'}
      <Progress
        aria-label={words}
        value={plan.monitorLimit === 0 ? 100 : Math.min(100, (used / plan.monitorLimit) * 100)}
        w={72}
        size="sm"
        color={isFull ? 'red' : 'rain'}
      />
    </span>
  );
}
