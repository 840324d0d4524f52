// The bars over the table of monitors: the filter, the state, and views that were saved under a name; the map, the columns, files, and
// a new monitor.
import { ActionIcon, Button, Menu, SegmentedControl, TextInput } from '@mantine/core';
import { TaskIcon } from '../../../ui/controls/TaskButton.tsx';
import { IconDownload, IconMap, IconPlus, IconRefresh, IconSearch, IconUpload } from '@tabler/icons-react';
import { useRef } from 'react';
import { useApp } from '../../../store/use-app.ts';
import { useCommands } from '../../../store/use-commands.ts';
import { monitorCommands, plural } from '@rainbell/shared';
import { SavedSearches, SearchHelp } from '../../../widgets/SavedSearches.tsx';
import { conditionLooks } from '../common/delivery-status.ts';
import { monitorConditions, type ShownCondition } from '../common/monitor-list-slice.ts';
import { formatView, parseView } from '../monitors-link.ts';
import { ColumnMenu } from '../../../ui/controls/ColumnMenu.tsx';
import type { MonitorRow } from './monitor-rows.ts';
import { saveMonitors } from '../bulk/save-monitors.ts';
import { type MonitorColumn, monitorColumns } from './table-columns.ts';

type ToolsProps = {
  shown: readonly MonitorRow[];
  columns: readonly MonitorColumn[];
  onColumns: (columns: readonly MonitorColumn[]) => void;
};

export function MonitorTools({ shown, columns, onColumns }: Readonly<ToolsProps>) {
  const { load, openDialog, facts, view, setView } = useApp((state) => state.monitors);
  const { isMapOpen } = view;
  const save = (format: 'csv' | 'json') =>
    saveMonitors(
      format,
      shown.map(({ monitor }) => monitor),
    );
  // Only a service with a delivery log reports it.
  const offered = monitorColumns.filter(({ key }) => facts !== null || key !== 'created');
  return (
    <>
      <ActionIcon
        variant={isMapOpen ? 'light' : 'default'}
        title="Map"
        aria-label="Map"
        aria-pressed={isMapOpen}
        onClick={() => setView({ isMapOpen: !isMapOpen })}
      >
        <IconMap />
      </ActionIcon>
      <ColumnMenu all={offered} shown={columns} onChange={onColumns} />
      <Button title="Import" data-tool leftSection={<IconUpload />} onClick={() => openDialog({ kind: 'import' })}>
        Import
      </Button>
      <Menu>
        <Menu.Target>
          <Button title="Export" data-tool leftSection={<IconDownload />}>
            Export
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {(['csv', 'json'] as const).map((format) => (
            <Menu.Item key={format} disabled={shown.length === 0} onClick={() => save(format)}>
              {plural(
                shown.length,
                ['Export # monitor in the list as {format}', 'Export # monitors in the list as {format}'],
                {
                  format: format.toUpperCase(),
                },
              )}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <TaskIcon variant="default" title="Refresh" aria-label="Refresh" task={load}>
        <IconRefresh />
      </TaskIcon>
      <Button variant="filled" leftSection={<IconPlus />} onClick={() => openDialog({ kind: 'create', at: null })}>
        New monitor
      </Button>
    </>
  );
}

const operators: readonly [string, string][] = [
  ['harbor  "north pier"', 'a word, or an exact phrase, in any field'],
  ['tag:port  tag:eu*', 'has this tag, or a tag with this prefix'],
  ['place:bergen  place:60.39', 'the town or the coordinates contain this text'],
  ['state:failing  state:never', 'ready, cool-down, failing, off, paused, unknown, never, deleting'],
  ['callback:example.net', 'the callback URL contains this text'],
  ['callback:this-app  callback:old-app', 'the callback URL is this app’s current or old one; also: elsewhere, none'],
  ['-tag:test', 'a minus sign excludes matches'],
];

export function MonitorSearch() {
  const { view, setView, views, loadViews, replaceViews } = useApp((state) => state.monitors);
  const { text } = view;
  const query = formatView(view);
  const field = useRef<HTMLInputElement>(null);
  useCommands(monitorCommands, { 'monitors.filter': () => field.current?.focus() });
  return (
    <>
      <TextInput
        flex="1 1 200px"
        maw={340}
        ref={field}
        aria-label="Filter the monitors"
        placeholder="Name, ID, place, tag:port, state:failing"
        leftSection={<IconSearch aria-hidden />}
        rightSection={<SearchHelp label="Filter terms" terms={operators} />}
        value={text}
        onChange={(event) => setView({ text: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && text !== '') setView({ text: '' });
        }}
      />
      <SavedSearches
        kind="views"
        saved={views}
        query={query}
        placeholder={query === '' ? 'Filter or sort first' : 'Failing in Norway'}
        onLoad={loadViews}
        onChoose={(saved) => setView(parseView(saved))}
        onChange={replaceViews}
      />
    </>
  );
}

/** States with their counts. */
export function StateFilter({ counts }: { readonly counts: Readonly<Record<ShownCondition, number>> }) {
  const { view, setView } = useApp((all) => all.monitors);
  const { state } = view;
  const states = monitorConditions.filter((one) => one !== 'unknown' || counts.unknown > 0 || state === 'unknown');
  return (
    <SegmentedControl
      aria-label="Status"
      size="xs"
      value={state}
      onChange={(wanted) => setView({ state: wanted })}
      data={states.map((value) => ({
        value,
        label: `${value === 'any' ? 'All' : conditionLooks[value].label} ${counts[value].toLocaleString('en')}`,
      }))}
    />
  );
}
