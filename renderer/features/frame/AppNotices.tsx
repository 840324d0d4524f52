// What the app says above every screen: one banner, the worst, and the others on request.
import { plural } from '@rainbell/shared';
import { Button, UnstyledButton } from '@mantine/core';
import { Fragment, type ReactNode, useState } from 'react';
import { useApp } from '../../store/use-app.ts';
import { DamageBanner } from './DamageBanner.tsx';
import { ConnectionNotice, LostNotice, OutdatedPageNotice } from './LinkNotice.tsx';
import classes from './LinkNotice.module.css';
import { TaskButton } from '../../ui/controls/TaskButton.tsx';
import { IconSparkles } from '@tabler/icons-react';
import type { UpdateState } from '@rainbell/contract/app-rpc';

export function AppNotices({ onReconnect }: { readonly onReconnect: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const [worst, ...others] = useNotices(onReconnect);
  return (
    <>
      {worst?.banner}
      {isOpen && others.map(({ key, banner }) => <Fragment key={key}>{banner}</Fragment>)}
      {others.length > 0 && (
        <UnstyledButton
          className={`rb-fixed rb-small rb-item ${classes.others}`}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Show only the first' : plural(others.length, ['# more notice', '# more notices'])}
        </UnstyledButton>
      )}
    </>
  );
}

/** The worst first: what stops the app, what was lost, what doesn't work, what to know. */
function useNotices(onReconnect: () => void): readonly { key: string; banner: ReactNode }[] {
  const link = useApp((state) => state.frame.link);
  const status = useApp((state) => state.frame.status);
  const skippedVersion = useApp((state) => state.settings.values.skippedVersion);
  const banners: { key: string; banner: ReactNode }[] = [];
  if (link.state === 'lost')
    banners.push({ key: 'link', banner: <LostNotice retryAt={link.retryAt} onReconnect={onReconnect} /> });
  if (link.state === 'failed')
    banners.push({ key: 'link', banner: <OutdatedPageNotice message={link.message} onReconnect={onReconnect} /> });
  for (const report of status?.damage ?? []) banners.push({ key: report.id, banner: <DamageBanner report={report} /> });
  if (link.state === 'connected' && status?.connection.state === 'failed')
    banners.push({ key: 'connection', banner: <ConnectionNotice connection={status.connection} /> });
  for (const notice of status?.notices ?? []) {
    banners.push({
      key: notice,
      banner: (
        <div className={`rb-row rb-fixed ${classes.notice}`} data-tone="warn" role="status">
          <span>{notice}</span>
        </div>
      ),
    });
  }
  const update = status?.update;
  if (update?.state === 'available' && update.version !== skippedVersion)
    banners.push({ key: 'update', banner: <UpdateNotice update={update} /> });
  return banners;
}

type UpdateProps = { readonly update: Extract<UpdateState, { state: 'available' }> };

/** Links to the release page. The app downloads and installs nothing. */
function UpdateNotice({ update }: UpdateProps) {
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
