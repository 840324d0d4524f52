// A monitor that was edited here was deleted elsewhere: offers to create it again, which gives it a new ID.
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { AppMonitor, CallbackTarget } from '#contract/app-rpc/monitors.ts';
import { useApp } from '#renderer/store/use-app.ts';
import { parseCallbackAddress } from '#shared/network/parse-callback-address.ts';
import { formatCoordinates } from '#renderer/ui/text/durations.ts';
import { RequestNotice } from '#renderer/widgets/RequestNotice.tsx';
import { labelOf } from '#renderer/features/monitors/common/bulk-tasks.ts';
import type { MonitorDraft } from '#renderer/features/monitors/common/monitor-list-state.ts';
import classes from '#renderer/features/monitors/common/MonitorDialogs.module.css';

type Props = { monitor: AppMonitor; changes: Partial<MonitorDraft> };

export function RecreateMonitorForm({ monitor, changes }: Readonly<Props>) {
  const { openDialog, recreate, saving } = useApp((state) => state.monitors);
  const geo = changes.geo ?? monitor.geo;
  const { callback } = changes;
  const [address, setAddress] = useState(callback?.kind === 'address' ? callback.uri : (monitor.callbackUri ?? ''));
  const [problem, setProblem] = useState<string | null>(null);
  const create = () => {
    const parsed = parseCallbackAddress(address);
    setProblem(parsed.ok ? null : parsed.problem);
    if (callback?.kind === 'this-app') void recreate({ geo, callback }, monitor);
    else if (parsed.ok) {
      const target: CallbackTarget = { kind: 'address', uri: parsed.value };
      void recreate({ geo, callback: target }, monitor);
    }
  };
  return (
    <div className={classes.fields}>
      <p className={classes.words}>
        {`${labelOf(monitor)} was deleted elsewhere, so nothing was saved. You can create it again at ${formatCoordinates(geo)}. It will have a new ID and no cool-down, but the same name, tags, and note.`}
      </p>
      {callback?.kind !== 'this-app' && (
        <TextInput
          label="Callback URL"
          data-autofocus
          type="url"
          value={address}
          error={problem}
          onChange={(event) => setAddress(event.currentTarget.value)}
        />
      )}
      <RequestNotice
        request={saving}
        failedTitle="Couldn’t create the monitor"
        loadingText="Creating the monitor"
        hasData
      />
      <div className={classes.buttons}>
        <Button data-autofocus loading={saving.state === 'loading'} onClick={create}>
          Create again
        </Button>
        <Button variant="subtle" className={classes.cancel ?? ''} onClick={() => openDialog(null)}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
