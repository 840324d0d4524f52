// "A new version is available": links to the release page. The app downloads and installs nothing.
import { Button } from '@mantine/core';
import { TaskButton } from '#renderer/ui/controls/TaskButton.tsx';
import { IconSparkles } from '@tabler/icons-react';
import { useApp } from '#renderer/store/use-app.ts';
import classes from './LinkNotice.module.css';

export function UpdateNotice() {
  const update = useApp((state) => state.frame.status?.update);
  const skippedVersion = useApp((state) => state.settings.values.skippedVersion);
  const changeSettings = useApp((state) => state.settings.update);
  if (update?.state !== 'available' || update.version === skippedVersion) return null;
  return (
    <div className={classes.notice} data-tone="info" role="status">
      <IconSparkles size={18} aria-hidden />
      <span>{`Rainbell ${update.version} is available.`}</span>
      <Button size="compact-sm" variant="light" component="a" href={update.pageUrl} target="_blank" rel="noreferrer">
        View release
      </Button>
      <TaskButton size="compact-sm" variant="default" task={() => changeSettings({ skippedVersion: update.version })}>
        Skip this version
      </TaskButton>
    </div>
  );
}
