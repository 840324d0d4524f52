// The application's monitors: find, create, change, delete, act on many, see them on a map, and make it rain on one.
import { Button } from '@mantine/core';
import { IconBellPlus, IconPlus } from '@tabler/icons-react';
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { idle } from '../../store/request.ts';
import { useApp } from '../../store/use-app.ts';
import { EmptyState } from '../../ui/controls/EmptyState.tsx';
import { formatPlace } from '../../ui/text/format-place.ts';
import { LearnMore } from '../../widgets/LearnMore.tsx';
import { useShownPlace } from '../forecast/selectors.ts';
import { useSavedColumns } from '../../ui/hooks/use-saved-columns.ts';
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx';
import { FeatureParts } from '../../widgets/FeatureParts.tsx';
import { SplitPane } from '../../widgets/SplitPane.tsx';
import { plural, visibleText } from '@rainbell/shared';
import { useBoxSize } from '../../ui/hooks/use-box-size.ts';
import { RequestNotice } from '../../widgets/RequestNotice.tsx';
import { useNow } from '../../ui/hooks/use-now.ts';
import { formatAgo, formatServiceClock } from './common/delivery-status.ts';
import { BulkBar } from './bulk/BulkBar.tsx';
import { BulkResults } from './bulk/BulkResults.tsx';
import { orderedMonitors, shownMonitors } from './table/monitor-rows.ts';
import { MonitorPanel } from './MonitorPanel.tsx';
import { MonitorTable } from './table/MonitorTable.tsx';
import { MonitorSearch, MonitorTools, StateFilter } from './table/MonitorTools.tsx';
import { columnsKey, fitColumns, monitorColumns, defaultColumns } from './table/table-columns.ts';
import split from '../../ui/controls/SplitScreen.module.css';
import classes from './common/MonitorsScreen.module.css';

const MonitorMap = lazy(async () => ({ default: (await import('./MonitorMap.tsx')).MonitorMap }));

const shownProblems = 3;

export function MonitorsScreen() {
  const monitors = useApp((all) => all.monitors);
  const { items, problems, fetchedAt, request, load, facts, places, selectedId, select, selection } = monitors;
  const { deleteLater, resumeBulk } = monitors;
  const { text, state, sort, isMapOpen } = monitors.view;
  useEffect(() => void resumeBulk(), [resumeBulk]);
  const baseUrl = useApp((all) => all.frame.status?.receiver.baseUrl ?? '');
  const [columns, chooseColumns] = useSavedColumns(columnsKey, monitorColumns, defaultColumns);
  const [confirming, setConfirming] = useState<readonly string[]>([]);
  const now = useNow(5_000);
  const ordered = useMemo(
    () => orderedMonitors(items, { sort, facts, places, baseUrl }),
    [items, sort, facts, places, baseUrl],
  );
  const { rows: shown, counts } = useMemo(
    () => shownMonitors(ordered, { text, state, facts }, now),
    [ordered, text, state, facts, now],
  );
  const selected = items.find(({ id }) => id === selectedId);
  /** One delete can be undone by a single press; many are confirmed first. */
  const onDelete = useCallback(
    (ids: readonly string[]) => (ids.length > 1 ? setConfirming(ids) : void deleteLater(ids)),
    [deleteLater],
  );
  const [isSplit, hasLog] = [selected !== undefined, facts !== null];
  const { ref: listRef, width } = useBoxSize<HTMLDivElement>();
  const visible = useMemo(() => {
    const reported = columns.filter((column) => hasLog || column !== 'created');
    // Columns that the user chose scroll sideways if they don't fit.
    return width > 0 && (isSplit || columns === defaultColumns) ? fitColumns(reported, width) : reported;
  }, [columns, isSplit, hasLog, width]);
  return (
    <div className={`rb-pane ${split.screen}`}>
      <h1 className="rb-hidden">Monitors</h1>
      <div className={`rb-toolbar ${classes.bar}`} data-over-list>
        <MonitorSearch />
        <PlanLine />
        <span className="rb-fill" />
        <MonitorTools shown={shown} columns={columns} onColumns={chooseColumns} />
      </div>
      <div className="rb-toolbar rb-small" data-over-list>
        <StateFilter counts={counts} />
        <span className="rb-fill" />
        {facts && Math.abs(facts.aheadMs) >= 60_000 && (
          <span className="rb-dim">{formatServiceClock(facts.aheadMs)}</span>
        )}
        <span className="rb-dim" role="status">
          {fetchedAt !== null && `${shownText(shown.length, items.length)} · updated ${formatAgo(fetchedAt, now)}`}
        </span>
      </div>
      <RequestNotice
        request={request}
        failedTitle="Couldn’t load the monitors"
        loadingText="Loading monitors"
        hasData={fetchedAt !== null}
        onRetry={() => void load()}
      />
      {problems.length > 0 && (
        <p className="rb-dim rb-padded" role="alert">
          {visibleText(problems.slice(0, shownProblems).join(' '), 1000)}
          {problems.length > shownProblems && ` And ${problems.length - shownProblems} more.`}
        </p>
      )}
      <FeatureParts name="monitors top" />
      {selection.size > 0 && <BulkBar shown={shown} onDelete={onDelete} />}
      <BulkResults />
      {items.length === 0 && !isMapOpen ? (
        request.state !== 'failed' && fetchedAt !== null && <FirstSteps />
      ) : (
        <SplitPane
          name="monitors"
          sizeLabel="Monitor pane size"
          defaultShare={32}
          onClose={() => select(null)}
          list={
            <div className={`rb-pane ${classes.list}`} ref={listRef}>
              <MonitorTable monitors={shown} columns={visible} onDelete={onDelete} />
              {shown.length === 0 && (
                <p className="rb-dim rb-padded">
                  {items.length === 0 ? 'No monitors yet' : 'No monitors match the filter'}
                </p>
              )}
              {isMapOpen && (
                <Suspense fallback={<p className="rb-dim rb-padded">Loading the map…</p>}>
                  <MonitorMap rows={shown} />
                </Suspense>
              )}
            </div>
          }
          detail={
            selected ? (
              <MonitorPanel key={selected.id} monitor={selected} onDelete={() => onDelete([selected.id])} />
            ) : null
          }
        />
      )}
      {confirming.length > 0 && (
        <ConfirmDialog
          title={plural(confirming.length, ['Delete # monitor?', 'Delete # monitors?'])}
          confirmLabel={plural(confirming.length, ['Delete # monitor', 'Delete # monitors'])}
          onClose={() => setConfirming([])}
          onConfirm={() => void deleteLater(confirming)}
        >
          You can undo this for 8 seconds. After that, the deletion is permanent, and a recreated monitor gets a new ID.
        </ConfirmDialog>
      )}
    </div>
  );
}

/** What leads a newcomer from no monitor to the first callback. */
function FirstSteps() {
  const openDialog = useApp((state) => state.monitors.openDialog);
  const create = useApp((state) => state.monitors.create);
  // A dialog reports its own.
  const saving = useApp(({ monitors }) => (monitors.dialog === null ? monitors.saving : idle));
  const place = useShownPlace();
  const isSandbox = useApp((state) => state.frame.status?.connection.isSandbox ?? false);
  const { lat, lng } = place;
  return (
    <section className="rb-pane rb-surface">
      <EmptyState
        icon={<IconBellPlus size={32} />}
        title="No monitors yet"
        actions={
          <>
            <Button
              variant="filled"
              leftSection={<IconPlus />}
              loading={saving.state === 'loading'}
              onClick={() => void create({ geo: { lat, lng }, callback: { kind: 'this-app' } })}
            >
              Create monitor
            </Button>
            <Button onClick={() => openDialog({ kind: 'create', at: null })}>Choose location and URL…</Button>
          </>
        }
      >
        <p>
          A monitor watches one location. When rain, snow, or hail is near, the service sends a callback to your URL.{' '}
          <LearnMore to="monitors" about="creating monitors" />
        </p>
        <p>
          {isSandbox
            ? `Choose Create monitor to watch ${formatPlace(place)}, then Make it rain in its row. The callback arrives in this app.`
            : `Create a monitor for ${formatPlace(place)}, with callbacks sent to this app.`}
        </p>
      </EmptyState>
      <RequestNotice
        request={saving}
        failedTitle="Couldn’t create the monitor"
        loadingText="Creating the monitor"
        hasData
      />
    </section>
  );
}

function shownText(shown: number, all: number): string {
  return shown === all
    ? plural(all, ['# monitor', '# monitors'])
    : plural(all, ['{shown} of # monitor', '{shown} of # monitors'], { shown: shown.toLocaleString('en') });
}

/** How much of the plan is used, from 80% on, if the service reports it (docs/interface.md §8); otherwise only its refusal shows it. */
function PlanLine() {
  const plan = useApp((state) => state.monitors.facts?.plan ?? null);
  const used = useApp((state) => state.monitors.items.length);
  if (plan === null || used < 0.8 * plan.monitorLimit) return null;
  const isFull = used >= plan.monitorLimit;
  const [count, limit] = [used.toLocaleString('en'), plan.monitorLimit.toLocaleString('en')];
  const text =
    plan.name === null ? `${count} of ${limit} on your plan` : `${count} of ${limit} on the “${plan.name}” plan`;
  return (
    <span className={`rb-row rb-dim ${classes.plan}`} data-bad={isFull || undefined}>
      {isFull ? `${text}. To create more, delete a monitor or choose a larger plan on the website.` : text}
    </span>
  );
}
