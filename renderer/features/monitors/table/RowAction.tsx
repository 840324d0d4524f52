// The action in a row of the table of monitors: resume, rain, or a test event. The details have the others.
import { IconCloudRain, IconPlayerPlay, IconSend, type TablerIcon } from '@tabler/icons-react';
import { useTask } from '../../../ui/hooks/use-task.ts';
import { useApp } from '../../../store/use-app.ts';
import type { MonitorRow } from './monitor-rows.ts';

export function RowAction({ row: { monitor, condition } }: { readonly row: MonitorRow }) {
  const { rainOn, sendTest, resume } = useApp((state) => state.monitors);
  const hasTests = useApp((state) => state.monitors.facts !== null);
  const isSandbox = useApp((state) => state.frame.status?.connection.isSandbox ?? false);
  const { id } = monitor;
  const about = monitor.name || id;
  if (condition === 'off' || condition === 'paused')
    return <RowButton label="Resume" name={`Resume ${about}`} Icon={IconPlayerPlay} task={() => resume(id)} />;
  if (isSandbox) {
    const name = `Make it rain near ${about}`;
    return <RowButton label="Make it rain" name={name} Icon={IconCloudRain} task={() => rainOn(monitor)} />;
  }
  if (!hasTests) return null;
  const name = `Send test event for ${about}`;
  return <RowButton label="Send test event" name={name} Icon={IconSend} task={() => sendTest(id)} />;
}

type ButtonProps = { label: string; name: string; Icon: TablerIcon; task: () => Promise<unknown> };

/** A plain button: a library's costs a hundred times as much for each row that comes into view. */
function RowButton({ label, name, Icon, task }: Readonly<ButtonProps>) {
  const { run, isBusy } = useTask(task);
  return (
    <button type="button" className="rb-button" aria-label={name} aria-busy={isBusy} disabled={isBusy} onClick={run}>
      <Icon size={15} />
      {label}
    </button>
  );
}
