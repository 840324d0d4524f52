// What the app says above every screen: one banner, the worst, and the others on request.
import { type DamageReport, describeDamage, plural } from '@rainbell/shared';
import { Button, UnstyledButton } from '@mantine/core';
import { Fragment, type ReactNode, useState } from 'react';
import { useApp } from '../../store/use-app.ts';
import classes from './AppNotices.module.css';
import { TaskButton } from '../../ui/controls/TaskButton.tsx';
import type { UpdateState } from '@rainbell/contract/app-rpc';
import { formatDuration } from '../../ui/text/durations.ts';
import { useNow } from '../../ui/hooks/use-now.ts';
import { Banner } from '../../widgets/Banner.tsx';

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
  // The page no longer fits the app, or its access was ended.
  if (link.state === 'failed') {
    const again = <Button onClick={onReconnect}>Try again</Button>;
    banners.push({ key: 'link', banner: <Banner tone="bad" role="alert" title={link.message} actions={again} /> });
  }
  for (const report of status?.damage ?? []) banners.push({ key: report.id, banner: <DamageBanner report={report} /> });
  if (link.state === 'connected' && status?.connection.state === 'failed') {
    const { problem, name } = status.connection;
    const title = problem?.message ?? `The service for “${name}” isn’t responding.`;
    banners.push({ key: 'connection', banner: <Banner tone="bad" role="alert" title={title} /> });
  }
  for (const notice of status?.notices ?? [])
    banners.push({ key: notice, banner: <Banner tone="warn" title={notice} /> });
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
    <Banner
      tone="plain"
      title={`Rainbell ${update.version} is available.`}
      actions={
        <>
          <Button variant="light" component="a" href={update.pageUrl} target="_blank" rel="noreferrer">
            View release
          </Button>
          <TaskButton task={() => changeSettings({ skippedVersion: update.version })}>Skip this version</TaskButton>
        </>
      }
    />
  );
}

/** What a damaged database kept and lost, until the user hides the report. */
function DamageBanner({ report }: { readonly report: DamageReport }) {
  const acknowledge = useApp((state) => state.frame.acknowledgeDamage);
  const restart = useApp((state) => state.frame.restart);
  const canRestart = useApp((state) => state.frame.status?.canRestart === true);
  const [problem, setProblem] = useState<string>();
  const { title, lines } = describeDamage(report);
  const isPending = report.state === 'pending';

  const hide = async () => {
    const failure = await acknowledge(report.id);
    setProblem(failure && `Couldn’t hide the report: ${failure.message}`);
  };
  const restartNow = async () => {
    const failure = await restart();
    setProblem(failure && `Couldn’t restart Rainbell: ${failure.message}`);
  };
  return (
    <Banner
      tone="bad"
      role="alert"
      title={title}
      actions={
        isPending ? (
          canRestart && <TaskButton task={restartNow}>Restart Rainbell</TaskButton>
        ) : (
          <TaskButton task={hide}>Hide report</TaskButton>
        )
      }
    >
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {isPending && !canRestart && <p>Press Ctrl+C in the terminal where Rainbell is running, then start it again.</p>}
      {problem !== undefined && <p className="rb-strong">{problem}</p>}
    </Banner>
  );
}

function LostNotice({ retryAt, onReconnect }: { readonly retryAt: number; readonly onReconnect: () => void }) {
  const now = useNow(500);
  const wait = Math.max(0, retryAt - now);
  return (
    <Banner
      tone="warn"
      role="alert"
      title="Connection lost, reconnecting."
      actions={<Button onClick={onReconnect}>Reconnect now</Button>}
    >
      Data may be out of date. <span aria-hidden>{wait >= 500 && `Reconnecting in ${formatDuration(wait)}.`}</span>
    </Banner>
  );
}
