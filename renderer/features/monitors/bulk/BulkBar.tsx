// What can be done with the selected monitors.
import { Button, CloseButton, Menu } from '@mantine/core';
import { IconDownload, IconTrash } from '@tabler/icons-react';
import { useApp } from '#renderer/store/use-app.ts';
import { saveMonitors } from './save-monitors.ts';
import classes from '#renderer/features/monitors/common/MonitorsScreen.module.css';

export function BulkBar({ onDelete }: { readonly onDelete: (ids: readonly string[]) => void }) {
  const { items, marked, mark, openDialog } = useApp((state) => state.monitors);
  const isBusy = useApp((state) => state.monitors.bulk?.isRunning ?? false);
  const chosen = items.filter(({ id }) => marked.has(id));
  const open = (action: 'callback' | 'move' | 'duplicate') => openDialog({ kind: 'bulk', action, monitors: chosen });
  return (
    <div className={`rb-card ${classes.bulk}`} role="toolbar" aria-label="Selected monitors">
      <strong role="status">{chosen.length} selected</strong>
      <Button size="xs" variant="default" disabled={isBusy} onClick={() => open('callback')}>
        Set callback…
      </Button>
      <Button size="xs" variant="default" disabled={isBusy} onClick={() => open('move')}>
        Move…
      </Button>
      <Button size="xs" variant="default" disabled={isBusy} onClick={() => open('duplicate')}>
        Duplicate…
      </Button>
      <Menu>
        <Menu.Target>
          <Button size="xs" variant="default" leftSection={<IconDownload size={14} />}>
            Export
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => saveMonitors('csv', chosen)}>Selected as CSV</Menu.Item>
          <Menu.Item onClick={() => saveMonitors('json', chosen)}>Selected as JSON</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Button
        size="xs"
        variant="light"
        color="red"
        leftSection={<IconTrash size={14} />}
        disabled={isBusy}
        onClick={() => onDelete(chosen.map(({ id }) => id))}
      >
        Delete
      </Button>
      <span className={classes.space} />
      <CloseButton size="sm" aria-label="Clear the selection" onClick={() => mark([])} />
    </div>
  );
}
