// "A new version is available": links to the release page. The app downloads and installs nothing.
import { Button } from '@mantine/core';
import { TaskButton } from '../../ui/controls/TaskButton.tsx';
import { IconSparkles } from '@tabler/icons-react';
import type { UpdateState } from '@rainbell/contract/app-rpc';
import { useApp } from '../../store/use-app.ts';
import classes from './LinkNotice.module.css';

type Props = { readonly update: Extract<UpdateState, { state: 'available' }> };

export function UpdateNotice({ update }: Props) {
  const changeSettings = useApp((state) => state.settings.update);
  return (
    <div className={`rb-row rb-fixed ${classes.notice}`} data-tone="accent" role="status">
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
