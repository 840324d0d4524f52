// What can be done with the selected monitors. Those that the filter hides are named and left out.
import { Button, CloseButton, Menu } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { AppMonitor } from '@rainbell/contract/app-rpc';
import { useApp } from '../../../store/use-app.ts';
import { type BulkAction, labelOf } from '../common/bulk-tasks.ts';
import { formatList, plural } from '@rainbell/shared';
import type { MonitorRow } from '../table/monitor-rows.ts';
import { saveMonitors } from './save-monitors.ts';

type Props = {
  /** In the table's order. */
  shown: readonly MonitorRow[];
  onDelete: (ids: readonly string[]) => void;
};

export function BulkBar({ shown, onDelete }: Readonly<Props>) {
  const { items, selection, setSelection, openDialog, facts, bulk } = useApp((state) => state.monitors);
  const isBusy = bulk?.isRunning ?? false;
  const isSandbox = useApp((state) => state.frame.status?.connection.isSandbox ?? false);
  const chosen = shown.map(({ monitor }) => monitor).filter(({ id }) => selection.has(id));
  const left = new Set(chosen);
  const hidden = items.filter((monitor) => selection.has(monitor.id) && !left.has(monitor));
  const open = (name: BulkAction, monitors = chosen) => openDialog({ kind: 'bulk', action: name, monitors });
  const off = chosen.filter(({ id }) => facts?.byMonitor.get(id)?.is_on === false);
  const on = chosen.filter((monitor) => !off.includes(monitor));
  const action = (name: BulkAction, label: string) => (
    <Button disabled={isBusy || chosen.length === 0} onClick={() => open(name)}>
      {label}
    </Button>
  );
  return (
    <div className="rb-toolbar rb-chosen" role="toolbar" aria-label="Selected monitors">
      <strong role="status">{plural(chosen.length, ['# selected', '# selected'])}</strong>
      {isSandbox && action('rain', 'Make it rain…')}
      {facts !== null && action('test', 'Send test event…')}
      {action('callback', 'Set callback URL…')}
      <Menu>
        <Menu.Target>
          <Button>More</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item disabled={isBusy || chosen.length === 0} onClick={() => open('tags')}>
            Tags…
          </Menu.Item>
          {facts !== null && (
            <>
              <Menu.Item disabled={isBusy || on.length === 0} onClick={() => open('pause', on)}>
                Pause…
              </Menu.Item>
              <Menu.Item disabled={isBusy || off.length === 0} onClick={() => open('resume', off)}>
                Resume…
              </Menu.Item>
            </>
          )}
          <Menu.Divider />
          <Menu.Item onClick={() => saveMonitors('csv', chosen)}>Export as CSV</Menu.Item>
          <Menu.Item onClick={() => saveMonitors('json', chosen)}>Export as JSON</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Button
        variant="light"
        color="red"
        leftSection={<IconTrash />}
        disabled={isBusy || chosen.length === 0}
        onClick={() => onDelete(chosen.map(({ id }) => id))}
      >
        Delete
      </Button>
      <span className="rb-fill" />
      {hidden.length > 0 && (
        <span className="rb-small rb-tone" data-tone="warn">
          {`Hidden by the filter and left out: ${namesOf(hidden)}`}
        </span>
      )}
      <CloseButton size="sm" aria-label="Clear the selection" onClick={() => setSelection([])} />
    </div>
  );
}

const shownNames = 3;

/** `Port, Harbor, Pier, and 2 more` */
function namesOf(monitors: readonly AppMonitor[]): string {
  const names = monitors.slice(0, shownNames).map(labelOf);
  const more = monitors.length - names.length;
  return formatList(more > 0 ? [...names, plural(more, ['# more', '# more'])] : names);
}
