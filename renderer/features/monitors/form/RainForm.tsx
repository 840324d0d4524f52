// Rain on a monitor in its cool-down: without a callback, or after the sandbox's clock was moved.
import { Button } from '@mantine/core';
import { TaskButton } from '../../../ui/controls/TaskButton.tsx';
import type { AppMonitor } from '@rainbell/contract/app-rpc';
import { useApp } from '../../../store/use-app.ts';
import { useLogTimes } from '../../../widgets/use-log-times.ts';
import classes from '../common/MonitorDialogs.module.css';

export function RainForm({ monitor, nextAllowedAt }: { readonly monitor: AppMonitor; readonly nextAllowedAt: number }) {
  const { openDialog, rainNow, rainAfterCoolDown } = useApp((state) => state.monitors);
  const times = useLogTimes();
  const clock = `${times.clock(nextAllowedAt)} ${times.zoneName(nextAllowedAt)}`;
  return (
    <>
      <p>
        {`The monitor is in cool-down until ${clock} by the sandbox’s clock. Rain before then won’t cause a callback.`}
      </p>
      <div className="rb-buttons">
        <TaskButton variant="default" task={() => rainNow(monitor)}>
          Make it rain now, without a callback
        </TaskButton>
        <TaskButton data-autofocus task={() => rainAfterCoolDown(monitor, nextAllowedAt)}>
          {`Move the clock to ${clock} and make it rain`}
        </TaskButton>
        <Button variant="subtle" className={classes.cancel ?? ''} onClick={() => openDialog(null)}>
          Cancel
        </Button>
      </div>
    </>
  );
}
