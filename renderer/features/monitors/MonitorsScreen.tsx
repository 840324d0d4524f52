// The application's monitors: find, create, change, delete, act on many, see them on a map, and make it rain on one.
import { ActionIcon, Button, Menu, Select, TextInput } from '@mantine/core';
import {
  IconBellPlus,
  IconCloudRain,
  IconDownload,
  IconMap,
  IconPlus,
  IconRefresh,
  IconSearch,
  IconUpload,
} from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import { useApp } from '#renderer/store/use-app.ts';
import { ColumnMenu } from '#renderer/ui/ColumnMenu.tsx';
import { keepColumns, readColumns } from '#renderer/ui/kept-columns.ts';
import { ConfirmDialog } from '#renderer/ui/ConfirmDialog.tsx';
import { relativeWords } from '#renderer/ui/durations.ts';
import { EmptyState } from '#renderer/ui/EmptyState.tsx';
import { placeWords } from '#renderer/ui/place-words.ts';
import { RequestNotice } from '#renderer/ui/RequestNotice.tsx';
import { useNow } from '#renderer/ui/use-now.ts';
import { BulkBar } from './BulkBar.tsx';
import { BulkResults } from './BulkResults.tsx';
import {
  type MonitorRow,
  type MonitorSort,
  type MonitorState,
  monitorStates,
  orderedMonitors,
  shownMonitors,
  toldStates,
} from './monitor-rows.ts';
import { MonitorPanel } from './MonitorPanel.tsx';
import { MonitorTable } from './MonitorTable.tsx';
import { PlanLine } from './PlanLine.tsx';
import { saveMonitors } from './save-monitors.ts';
import { columnsKey, type MonitorColumn, monitorColumns, usualColumns } from './table-columns.ts';
import classes from './MonitorsScreen.module.css';

const MonitorMap = lazy(async () => ({ default: (await import('./MonitorMap.tsx')).MonitorMap }));

export function MonitorsScreen() {
  const { items, fetchedAt, request, load, facts, selectedId, marked, deleteLater } = useApp((state) => state.monitors);
  const [text, setText] = useState('');
  const [state, setState] = useState<MonitorState>('any');
  const [sort, setSort] = useState<MonitorSort>({ by: 'name', isDescending: false });
  const [columns, setColumns] = useState(() => readColumns(columnsKey, monitorColumns, usualColumns));
  const [isMapOpen, setMapOpen] = useState(false);
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
  const visible = columns.filter((column) => !hidden.includes(column));
  return (
    <div className={classes.screen}>
      <h1 className={classes.title}>Monitors</h1>
      <div className={classes.bar}>
        <TextInput
          className={classes.search ?? ''}
          aria-label="Filter the monitors"
          placeholder="Filter by name, id, tag, place, callback…"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <StateFilter state={state} onChange={setState} />
        <span className={classes.space} />
        <Tools shown={shown} columns={columns} onColumns={chooseColumns} isMapOpen={isMapOpen} onMap={setMapOpen} />
      </div>
      <div className={classes.under}>
        <span className={classes.count} role="status">
          {countWords(shown.length, items.length)}
          {fetchedAt !== null && ` · read ${relativeWords(fetchedAt, now)}`}
        </span>
        <PlanLine />
      </div>
      <RequestNotice
        request={request}
        failedTitle="The monitors could not be read"
        loadingWords={fetchedAt === null ? 'Reading the monitors…' : ''}
        onRetry={() => void load()}
      />
      {marked.size > 0 && <BulkBar onDelete={onDelete} />}
      <BulkResults />
      {items.length === 0 && !isMapOpen ? (
        request.state !== 'failed' && fetchedAt !== null && <FirstSteps />
      ) : (
        <div className={classes.columns} data-split={selected !== undefined}>
          <div className={classes.list}>
            <MonitorTable
              monitors={shown}
              columns={visible}
              isSplit={selected !== undefined}
              sort={sort}
              onSort={setSort}
              onDelete={onDelete}
            />
            {shown.length === 0 && <p className={classes.nothing}>No monitor fits the filter.</p>}
            {isMapOpen && (
              <Suspense fallback={<p className={classes.nothing}>Drawing the map…</p>}>
                <MonitorMap rows={shown} />
              </Suspense>
            )}
            {!isMapOpen && !selected && shown.some(({ standing }) => standing.lastAt === null) && <RainHint />}
          </div>
          {selected && <MonitorPanel key={selected.id} monitor={selected} onDelete={() => onDelete([selected.id])} />}
        </div>
      )}
      <ConfirmDialog
        isOpen={asked.length > 0}
        title={`Delete ${asked.length} monitors?`}
        confirmLabel={`Delete ${asked.length}`}
        onCancel={() => setAsked([])}
        onConfirm={() => {
          void deleteLater(asked);
          setAsked([]);
        }}
      >
        Nothing is sent for eight seconds, in which you can undo it. After that the service forgets them, and a monitor
        that is created again gets a new id.
      </ConfirmDialog>
    </div>
  );
}

type StateFilterProps = { state: MonitorState; onChange: (state: MonitorState) => void };

function StateFilter({ state, onChange }: Readonly<StateFilterProps>) {
  const isTold = useApp((all) => all.monitors.facts !== null);
  const states = Object.entries(monitorStates).filter(([name]) => isTold || !toldStates.includes(name as MonitorState));
  return (
    <Select
      aria-label="State of the monitors shown"
      data={states.map(([value, label]) => ({ value, label }))}
      value={state}
      allowDeselect={false}
      onChange={(value) => onChange((value ?? 'any') as MonitorState)}
      w={180}
    />
  );
}

type ToolsProps = {
  shown: readonly MonitorRow[];
  columns: readonly MonitorColumn[];
  onColumns: (columns: readonly MonitorColumn[]) => void;
  isMapOpen: boolean;
  onMap: (isOpen: boolean) => void;
};

function Tools({ shown, columns, onColumns, isMapOpen, onMap }: Readonly<ToolsProps>) {
  const { load, openDialog, facts } = useApp((state) => state.monitors);
  const offered = monitorColumns.filter(({ key }) => facts !== null || key !== 'counts');
  return (
    <>
      <Tool label="Map" icon={<IconMap size={17} />} isPressed={isMapOpen} onClick={() => onMap(!isMapOpen)} />
      <ColumnMenu all={offered} shown={columns} onChange={onColumns} />
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default">Files</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconUpload size={16} />} onClick={() => openDialog({ kind: 'import' })}>
            Create many: paste or CSV…
          </Menu.Item>
          {(['csv', 'json'] as const).map((format) => (
            <Menu.Item
              key={format}
              disabled={shown.length === 0}
              leftSection={<IconDownload size={16} />}
              onClick={() =>
                saveMonitors(
                  format,
                  shown.map(({ monitor }) => monitor),
                )
              }
            >
              Export the {shown.length} shown as {format.toUpperCase()}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Tool label="Refresh" icon={<IconRefresh size={17} />} onClick={() => void load()} />
      <Button leftSection={<IconPlus size={16} />} onClick={() => openDialog({ kind: 'create', at: null })}>
        New monitor
      </Button>
    </>
  );
}
type ToolProps = { label: string; icon: ReactNode; isPressed?: boolean; onClick: () => void };

function Tool({ label, icon, isPressed, onClick }: Readonly<ToolProps>) {
  return (
    <ActionIcon
      variant={isPressed ? 'light' : 'default'}
      size={36}
      title={label}
      aria-label={label}
      aria-pressed={isPressed}
      onClick={onClick}
    >
      {icon}
    </ActionIcon>
  );
}

function countWords(shown: number, all: number): string {
  const noun = all === 1 ? 'monitor' : 'monitors';
  return shown === all ? `${all} ${noun}` : `${shown} of ${all} ${noun}`;
}

/** Leads a newcomer from nothing to the first callback. */
function FirstSteps() {
  const openDialog = useApp((state) => state.monitors.openDialog);
  const create = useApp((state) => state.monitors.create);
  const saving = useApp((state) => state.monitors.saving);
  const place = useApp((state) => state.settings.values.place);
  const isSandbox = useApp((state) => state.frame.status?.connection.isSandbox ?? false);
  const { lat, lng } = place;
  return (
    <section className={`rb-card ${classes.first}`}>
      <EmptyState
        icon={<IconBellPlus size={32} />}
        title="No monitors yet"
        actions={
          <>
            <Button
              leftSection={<IconPlus size={16} />}
              loading={saving.state === 'loading'}
              onClick={() => void create({ geo: { lat, lng }, callback: { kind: 'this-app' } })}
            >
              Create a monitor to this app
            </Button>
            <Button variant="default" onClick={() => openDialog({ kind: 'create', at: null })}>
              Choose place and address…
            </Button>
          </>
        }
      >
        <p>A monitor watches one place. When rain, snow or hail comes near, the service calls an address of yours.</p>
        <p>
          Step 1: create one for {placeWords(place)} that calls this app.
          {isSandbox && ' Step 2: make it rain there, and watch the callback arrive.'}
        </p>
      </EmptyState>
      <RequestNotice request={saving} failedTitle="The monitor was not created" />
    </section>
  );
}

function RainHint() {
  const isSandbox = useApp((state) => state.frame.status?.connection.isSandbox ?? false);
  if (!isSandbox) return null;
  return (
    <p className={classes.hint}>
      <IconCloudRain size={18} aria-hidden /> Press the drop in a monitor’s row to make it rain there; its callback then
      appears under Callbacks.
    </p>
  );
}
