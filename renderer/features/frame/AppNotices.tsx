// What the app says above every screen: one banner, the worst, and the others on request.
import { type DamageReport, describeDamage, plural } from '@rainbell/shared';
import { Button, UnstyledButton } from '@mantine/core';
import { Fragment, type ReactNode, useState } from 'react';
import { useApp } from '../../store/use-app.ts';
import classes from './AppNotices.module.css';
import { TaskButton } from '../../ui/controls/TaskButton.tsx';
import { IconDatabaseExclamation, IconPlugConnectedX, IconSparkles } from '@tabler/icons-react';
import type { AppStatus, UpdateState } from '@rainbell/contract/app-rpc';
import type { Failure } from '../../store/request.ts';
import { formatDuration } from '../../ui/text/durations.ts';
import { useNow } from '../../ui/hooks/use-now.ts';

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

/** What a damaged database kept and lost, until the user hides the report. */
function DamageBanner({ report }: { readonly report: DamageReport }) {
  const acknowledge = useApp((state) => state.frame.acknowledgeDamage);
  const restart = useApp((state) => state.frame.restart);
  const canRestart = useApp((state) => state.frame.status?.canRestart === true);
  const [problem, setProblem] = useState<string>();
  const { title, lines } = describeDamage(report);
  const isPending = report.state === 'pending';

  async function run(action: () => Promise<Failure | undefined>, describe: (cause: string) => string): Promise<void> {
    const failure = await action();
    setProblem(failure && describe(failure.message));
  }

  return (
    <div className={`rb-row rb-fixed ${classes.notice}`} data-tone="bad" role="alert" data-damage={report.state}>
      <IconDatabaseExclamation className="rb-fixed" size={18} aria-hidden />
      <div className="rb-fill rb-break">
        <strong>{title}</strong>
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
        {isPending && !canRestart && (
          <p>Press Ctrl+C in the terminal where Rainbell is running, then start it again.</p>
        )}
        {problem !== undefined && <p className="rb-strong">{problem}</p>}
      </div>
      {isPending && canRestart && (
        <TaskButton
          size="compact-sm"
          variant="default"
          task={() => run(restart, (cause) => `Couldn’t restart Rainbell: ${cause}`)}
        >
          Restart Rainbell
        </TaskButton>
      )}
      {!isPending && (
        <TaskButton
          size="compact-sm"
          variant="default"
          task={() =>
            run(
              () => acknowledge(report.id),
              (cause) => `Couldn’t hide the report: ${cause}`,
            )
          }
        >
          Hide report
        </TaskButton>
      )}
    </div>
  );
}

type OutdatedProps = { message: string; onReconnect: () => void };

/** The page no longer fits the app, or its access was ended. */
function OutdatedPageNotice({ message, onReconnect }: Readonly<OutdatedProps>) {
  return (
    <div className={`rb-row rb-fixed ${classes.notice}`} data-tone="bad" role="alert">
      <IconPlugConnectedX size={18} aria-hidden />
      <span>{message}</span>
      <Button size="compact-sm" variant="default" onClick={onReconnect}>
        Try again
      </Button>
    </div>
  );
}

function ConnectionNotice({ connection }: { readonly connection: AppStatus['connection'] }) {
  return (
    <div className={`rb-row rb-fixed ${classes.notice}`} data-tone="bad" role="alert">
      <IconPlugConnectedX size={18} aria-hidden />
      <span>{connection.problem?.message ?? `The service for “${connection.name}” isn’t responding.`}</span>
    </div>
  );
}

function LostNotice({ retryAt, onReconnect }: { readonly retryAt: number; readonly onReconnect: () => void }) {
  const now = useNow(500);
  const wait = Math.max(0, retryAt - now);
  return (
    <div className={`rb-row rb-fixed ${classes.notice}`} data-tone="warn" role="alert">
      <IconPlugConnectedX size={18} aria-hidden />
      {wait < 500 ? (
        <span>
          Connection lost, reconnecting <span aria-hidden>now</span>. Data may be out of date.
        </span>
      ) : (
        <span>
          Connection lost, reconnecting <span aria-hidden>in {formatDuration(wait)}</span>. Data may be out of date.
        </span>
      )}
      <Button size="compact-sm" variant="default" onClick={onReconnect}>
        Reconnect now
      </Button>
    </div>
  );
}
