// The bar over the table of monitors: which states are shown, the map, the columns, files, and a new monitor.
import { ActionIcon, Button, Menu, Select } from '@mantine/core';
import { TaskIcon } from '#renderer/ui/controls/TaskButton.tsx';
import { IconDownload, IconMap, IconPlus, IconRefresh, IconUpload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useApp } from '#renderer/store/use-app.ts';
import { useCommands } from '#renderer/store/use-commands.ts';
import { monitorCommands } from '#shared/commands/list-commands.ts';
import { ColumnMenu } from '#renderer/ui/controls/ColumnMenu.tsx';
import type { MonitorRow } from './monitor-rows.ts';
import { deliveryStates, type MonitorState, monitorStates } from '#renderer/features/monitors/common/monitor-view.ts';
import { saveMonitors } from '#renderer/features/monitors/bulk/save-monitors.ts';
import { type MonitorColumn, monitorColumns } from './table-columns.ts';

type StateFilterProps = { state: MonitorState; onChange: (state: MonitorState) => void };

export function StateFilter({ state, onChange }: Readonly<StateFilterProps>) {
  const isTold = useApp((all) => all.monitors.facts !== null);
  const states = Object.entries(monitorStates).filter(
    ([name]) => isTold || !deliveryStates.includes(name as MonitorState),
  );
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

export function MonitorTools({ shown, columns, onColumns, isMapOpen, onMap }: Readonly<ToolsProps>) {
  const { load, openDialog, facts } = useApp((state) => state.monitors);
  const save = (format: 'csv' | 'json') =>
    saveMonitors(
      format,
      shown.map(({ monitor }) => monitor),
    );
  useCommands(monitorCommands, { 'monitors.csv': () => save('csv'), 'monitors.json': () => save('json') });
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
              onClick={() => save(format)}
            >
              Export the {shown.length} shown as {format.toUpperCase()}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <TaskIcon variant="default" title="Refresh" aria-label="Refresh" task={load}>
        <IconRefresh size={17} />
      </TaskIcon>
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
      title={label}
      aria-label={label}
      aria-pressed={isPressed}
      onClick={onClick}
    >
      {icon}
    </ActionIcon>
  );
}
