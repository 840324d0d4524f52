// The bar over the table of monitors: the map, the columns, files, and a new monitor.
import { ActionIcon, Button, Menu } from '@mantine/core';
import { TaskIcon } from '../../../ui/controls/TaskButton.tsx';
import { IconDownload, IconMap, IconPlus, IconRefresh, IconUpload } from '@tabler/icons-react';
import { useApp } from '../../../store/use-app.ts';
import { plural } from '@rainbell/shared';
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
