// The application's monitors: find, create, change, delete, and make it rain on one.
import { Button, Select, TextInput } from '@mantine/core';
import { IconBellPlus, IconCloudRain, IconPlus, IconRefresh, IconSearch } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useApp } from '#renderer/store/use-app.ts';
import { relativeWords } from '#renderer/ui/durations.ts';
import { EmptyState } from '#renderer/ui/EmptyState.tsx';
import { placeWords } from '#renderer/ui/place-words.ts';
import { RequestNotice } from '#renderer/ui/RequestNotice.tsx';
import { useNow } from '#renderer/ui/use-now.ts';
import { type MonitorSort, type MonitorState, monitorStates, shownMonitors, toldStates } from './monitor-rows.ts';
import { MonitorPanel } from './MonitorPanel.tsx';
import { MonitorTable } from './MonitorTable.tsx';
import classes from './MonitorsScreen.module.css';

export function MonitorsScreen() {
  const { items, held, fetchedAt, request, load, openDialog, facts, selectedId } = useApp((state) => state.monitors);
  const [text, setText] = useState('');
  const [state, setState] = useState<MonitorState>('any');
  const [sort, setSort] = useState<MonitorSort>({ by: 'id', isDescending: false });
  const now = useNow(5_000);
  const present = useMemo(() => items.filter(({ id }) => !held.has(id)), [items, held]);
  const shown = useMemo(
    () => shownMonitors(present, { text, state, sort, facts }, now),
    [present, text, state, sort, facts, now],
  );
  const selected = present.find(({ id }) => id === selectedId);
  const states = Object.entries(monitorStates).filter(
    ([name]) => facts !== null || !toldStates.includes(name as MonitorState),
  );
  const isFirst = present.length === 0 && held.size === 0;
  return (
    <div className={classes.screen}>
      <h1 className={classes.title}>Monitors</h1>
      <div className={classes.bar}>
        <TextInput
          className={classes.search ?? ''}
          aria-label="Filter the monitors"
          placeholder="Filter by id, place, callback…"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Select
          aria-label="State of the monitors shown"
          data={states.map(([value, label]) => ({ value, label }))}
          value={state}
          allowDeselect={false}
          onChange={(value) => setState((value ?? 'any') as MonitorState)}
          w={190}
        />
        <span className={classes.count} role="status">
          {countWords(shown.length, present.length)}
          {fetchedAt !== null && ` · read ${relativeWords(fetchedAt, now)}`}
        </span>
        <span className={classes.space} />
        <Button variant="default" leftSection={<IconRefresh size={16} />} onClick={() => void load()}>
          Refresh
        </Button>
        <Button leftSection={<IconPlus size={16} />} onClick={() => openDialog({ kind: 'create', at: null })}>
          New monitor
        </Button>
      </div>
      <RequestNotice
        request={request}
        failedTitle="The monitors could not be read"
        loadingWords={fetchedAt === null ? 'Reading the monitors…' : ''}
        onRetry={() => void load()}
      />
      {isFirst ? (
        request.state !== 'failed' && fetchedAt !== null && <FirstSteps />
      ) : (
        <div className={classes.columns} data-split={selected !== undefined}>
          <div className={classes.list}>
            <MonitorTable monitors={shown} sort={sort} onSort={setSort} />
            {shown.length === 0 && <p className={classes.nothing}>No monitor fits the filter.</p>}
            {shown.some(({ standing }) => standing.lastAt === null) && <RainHint />}
          </div>
          {selected && <MonitorPanel key={selected.id} monitor={selected} />}
        </div>
      )}
    </div>
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
