// The actions in a row of the table of monitors: rain or a test event as buttons, and the rest in a menu.
import { Menu } from '@mantine/core';
import {
  IconCloudRain,
  IconDots,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlugConnected,
  IconSend,
  IconTrash,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useTask } from '../../../ui/hooks/use-task.ts';
import { useApp } from '../../../store/use-app.ts';
import type { MonitorRow } from './monitor-rows.ts';

type Props = { row: MonitorRow; onDelete: () => void };

export function RowActions({ row, onDelete }: Readonly<Props>) {
  const { monitor, condition } = row;
  const rainOn = useApp((state) => state.monitors.rainOn);
  const sendTest = useApp((state) => state.monitors.sendTest);
  const resume = useApp((state) => state.monitors.resume);
  const hasTests = useApp((state) => state.monitors.facts !== null);
  const isSandbox = useApp((state) => state.frame.status?.connection.isSandbox ?? false);
  const { id, name } = monitor;
  const about = name || id;
  return (
    <>
      {condition === 'off' || condition === 'paused' ? (
        <RowButton
          label="Resume"
          name={`Resume ${about}`}
          icon={<IconPlayerPlay size={15} />}
          task={() => resume(id)}
        />
      ) : isSandbox ? (
        <RowButton
          label="Make it rain"
          name={`Make it rain near ${about}`}
          icon={<IconCloudRain size={15} />}
          task={() => rainOn(monitor)}
        />
      ) : (
        hasTests && (
          <RowButton
            label="Send test event"
            name={`Send test event for ${about}`}
            icon={<IconSend size={15} />}
            task={() => sendTest(id)}
          />
        )
      )}
      <More row={row} onDelete={onDelete} />
    </>
  );
}

type ButtonProps = { label: string; name: string; icon: React.ReactNode; task: () => Promise<unknown> };

/** A plain button: a library's costs a hundred times as much for each row that comes into view. */
function RowButton({ label, name, icon, task }: Readonly<ButtonProps>) {
  const { run, isBusy } = useTask(task);
  return (
    <button type="button" className="rb-button" aria-label={name} aria-busy={isBusy} disabled={isBusy} onClick={run}>
      {icon}
      {label}
    </button>
  );
}

/** The menu is made when it is opened. */
function More({ row, onDelete }: Readonly<Props>) {
  const [isOpen, setOpen] = useState(false);
  const { id, name } = row.monitor;
  const button = (
    <button
      type="button"
      className="rb-button rb-bare"
      aria-label={`More actions for ${name || id}`}
      aria-haspopup="menu"
      aria-expanded={isOpen}
      onClick={() => setOpen(!isOpen)}
    >
      <IconDots size={17} aria-hidden />
    </button>
  );
  if (!isOpen) return button;
  return (
    <Menu opened onChange={setOpen} position="bottom-end">
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <MoreItems row={row} onDelete={onDelete} />
      </Menu.Dropdown>
    </Menu>
  );
}

function MoreItems({ row: { monitor, condition }, onDelete }: Readonly<Props>) {
  const { select, requestEdit, callThisApp, sendTest, pause } = useApp((state) => state.monitors);
  const hasTests = useApp((state) => state.monitors.facts !== null);
  const { id, toThisApp } = monitor;
  const edit = () => {
    select(id);
    requestEdit(true);
  };
  return (
    <>
      {hasTests && condition !== 'off' && condition !== 'paused' && (
        <>
          <Menu.Item leftSection={<IconSend size={16} />} onClick={() => void sendTest(id)}>
            Send test event
          </Menu.Item>
          <Menu.Item leftSection={<IconPlayerPause size={16} />} onClick={() => void pause(id)}>
            Pause
          </Menu.Item>
        </>
      )}
      {!toThisApp && (
        <Menu.Item leftSection={<IconPlugConnected size={16} />} onClick={() => void callThisApp(id)}>
          Set callback URL to this app
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconPencil size={16} />} onClick={edit}>
        Edit
      </Menu.Item>
      <Menu.Item className="rb-tone" data-tone="bad" leftSection={<IconTrash size={16} />} onClick={onDelete}>
        Delete
      </Menu.Item>
    </>
  );
}
