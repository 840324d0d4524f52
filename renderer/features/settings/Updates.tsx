// Looks for a newer version of the app, once a day or on request.
import { Anchor, Button, Switch } from '@mantine/core';
import type { UpdateState } from '#contract/app-rpc/updates.ts';
import { useApp } from '#renderer/store/use-app.ts';
import { RequestNotice } from '#renderer/widgets/RequestNotice.tsx';
import classes from './SettingsScreen.module.css';

export function Updates() {
  const isOn = useApp((state) => state.settings.values.checksForUpdates);
  const changeSettings = useApp((state) => state.settings.update);
  const update = useApp((state) => state.frame.status?.update);
  const request = useApp((state) => state.frame.updateCheck);
  const check = useApp((state) => state.frame.checkForUpdate);
  return (
    <div className={classes.form}>
      <Switch
        label="Check for new versions automatically"
        description="An installed app asks the release page once a day and sends nothing but its version. A checkout doesn't check."
        checked={isOn}
        onChange={(event) => void changeSettings({ checksForUpdates: event.currentTarget.checked })}
      />
      <div className={classes.row}>
        <p className={classes.words} role="status">
          <UpdateResult update={update} />
        </p>
        <Button variant="default" loading={request.state === 'loading'} onClick={() => void check()}>
          Check now
        </Button>
      </div>
      <RequestNotice request={request} failedTitle="Couldn't check for updates" />
    </div>
  );
}

function UpdateResult({ update }: { readonly update: UpdateState | undefined }) {
  switch (update?.state) {
    case undefined:
    case 'unchecked':
      return 'Not checked since the app started.';
    case 'current':
      return 'This is the newest version.';
    case 'failed':
      return update.problem.message;
    case 'available':
      return (
        <Anchor href={update.pageUrl} target="_blank" rel="noreferrer">
          {`Rainbell ${update.version} is available`}
        </Anchor>
      );
  }
}
