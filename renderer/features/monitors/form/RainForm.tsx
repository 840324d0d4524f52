// Rain on a monitor in its cool-down: without a callback, or after the sandbox's clock was moved.
import { Button } from '@mantine/core';
import { TaskButton } from '#renderer/ui/controls/TaskButton.tsx';
import type { AppMonitor } from '#contract/app-rpc/monitors.ts';
import { useApp } from '#renderer/store/use-app.ts';
import { useLogTimes } from '#renderer/widgets/use-log-times.ts';
import classes from '#renderer/features/monitors/common/MonitorDialogs.module.css';

export function RainForm({ monitor, nextAllowedAt }: { readonly monitor: AppMonitor; readonly nextAllowedAt: number }) {
  const { openDialog, rainNow, rainAfterCoolDown } = useApp((state) => state.monitors);
  const times = useLogTimes();
  const clock = `${times.clock(nextAllowedAt)} ${times.zoneName(nextAllowedAt)}`;
  return (
    <>
      <p className={classes.words}>
        {`The monitor is in cool-down until ${clock} by the sandbox’s clock. Rain before then won’t cause a callback.`}
      </p>
      <div className={classes.buttons}>
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
