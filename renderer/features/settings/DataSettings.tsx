// The data folder in Settings: sizes, backups, and deleting stored data by kind.
import { Button, Checkbox } from '@mantine/core';
import { TaskButton } from '../../ui/controls/TaskButton.tsx';
import { useEffect, useState } from 'react';
import type { Backup, DataKind, SettingRow } from '@rainbell/contract/app-rpc';
import { useApp } from '../../store/use-app.ts';
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx';
import { CopyIcon } from '../../ui/controls/CopyIcon.tsx';
import { Term } from '../../ui/controls/FactRows.tsx';
import { formatSize } from '../../ui/text/durations.ts';
import { RequestNotice } from '../../widgets/RequestNotice.tsx';
import { useMyTimes } from '../../widgets/use-units.ts';
import { SettingFrame } from './SettingFrame.tsx';
import classes from './SettingsScreen.module.css';

type Props = { readonly row: SettingRow };

export function DataFolder({ row }: Props) {
  const { described, describing, load } = useApp((state) => state.data);
  useEffect(() => void load(), [load]);
  const total = described?.parts.reduce((sum, { bytes }) => sum + bytes, 0) ?? 0;
  return (
    <SettingFrame row={row} isWide>
      <RequestNotice
        request={describing}
        failedTitle="Couldn’t read the data folder"
        loadingText="Calculating the size of the data folder"
        hasData={described !== null}
        onRetry={() => void load()}
      />
      {described && (
        <>
          <p className="rb-row rb-break">
            <code className="rb-mono">{described.folder}</code> <CopyIcon text={described.folder} label="Copy path" />
          </p>
          <dl className="rb-terms rb-small">
            {described.parts.map(({ name, bytes }) => (
              <Term key={name} name={name}>
                {formatSize(bytes)}
              </Term>
            ))}
            <Term name="Total">{formatSize(total)}</Term>
          </dl>
        </>
      )}
    </SettingFrame>
  );
}

type Confirmation = { task: 'restore' | 'delete'; backup: Backup };

export function Backups({ row }: Props) {
  const { described, working, backUp, restore, deleteBackup } = useApp((state) => state.data);
  const times = useMyTimes();
  const [confirming, setConfirming] = useState<Confirmation | null>(null);
  const isBusy = working.state === 'loading';
  const nameOf = ({ createdAt }: Backup) => {
    const at = Date.parse(createdAt);
    return `${times.dayClock(at)} ${times.zoneName(at)}`;
  };
  return (
    <SettingFrame row={row} meaning={`${row.meaning} Backups contain no settings and no secrets.`} isWide>
      <RequestNotice request={working} failedTitle="The backup operation failed" loadingText="Working on the backup" />
      <PendingRestore />
      {described && described.backups.length > 0 && (
        <table className={`rb-table rb-small ${classes.table}`}>
          <tbody>
            {described.backups.map((backup) => {
              return (
                <tr key={backup.name}>
                  <td>
                    {nameOf(backup)}
                    {!backup.hasBodies && (
                      <div className={`rb-note rb-break ${classes.words}`}>Without long bodies</div>
                    )}
                  </td>
                  <td data-number>{formatSize(backup.bytes)}</td>
                  <td data-number>
                    <Button
                      size="compact-xs"
                      disabled={isBusy}
                      aria-label={`Restore the backup from ${nameOf(backup)}`}
                      onClick={() => setConfirming({ task: 'restore', backup })}
                    >
                      Restore…
                    </Button>{' '}
                    <Button
                      size="compact-xs"
                      variant="subtle"
                      disabled={isBusy}
                      aria-label={`Delete the backup from ${nameOf(backup)}`}
                      onClick={() => setConfirming({ task: 'delete', backup })}
                    >
                      Delete…
                    </Button>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
      <div className={`rb-buttons ${classes.buttons}`}>
        <TaskButton loading={isBusy} task={() => backUp()}>
          Back up now
        </TaskButton>
      </div>
      {confirming?.task === 'restore' && (
        <ConfirmDialog
          title="Restore this backup?"
          confirmLabel="Restore backup"
          tone="plain"
          onConfirm={() => void restore(confirming.backup.name)}
          onClose={() => setConfirming(null)}
        >
          {`Rainbell checks the backup from ${nameOf(confirming.backup)} now and restores it the next time the app starts. Your current data is then moved to a separate folder inside the data folder.`}
        </ConfirmDialog>
      )}
      {confirming?.task === 'delete' && (
        <ConfirmDialog
          title="Delete this backup?"
          confirmLabel="Delete backup"
          onConfirm={() => void deleteBackup(confirming.backup.name)}
          onClose={() => setConfirming(null)}
        >
          {`Rainbell deletes the backup from ${nameOf(confirming.backup)} permanently.`}
        </ConfirmDialog>
      )}
    </SettingFrame>
  );
}

function PendingRestore() {
  const pending = useApp((state) => state.data.described?.pendingRestore ?? null);
  const cancel = useApp((state) => state.data.cancelRestore);
  const canRestart = useApp((state) => state.frame.status?.canRestart ?? false);
  const restart = useApp((state) => state.frame.restart);
  if (pending === null) return null;
  return (
    <div className="rb-notice rb-wrap" data-tone="warn" role="status">
      <p>
        {canRestart
          ? 'Restart to finish restoring the backup.'
          : 'To finish restoring the backup, stop Rainbell in its terminal and start it again.'}
      </p>
      {canRestart && (
        <TaskButton variant="filled" task={() => restart()}>
          Restart now
        </TaskButton>
      )}
      <TaskButton task={() => cancel()}>Cancel restore</TaskButton>
    </div>
  );
}

const kindTitles: Readonly<Record<DataKind, string>> = {
  callbacks: 'Callbacks with notes, replays, and bodies',
  traffic: 'Traffic',
  forecasts: 'Stored forecasts',
  'recent-places': 'Recent places',
};

/** Without counts: more may have been stored since they were read, and all of it is deleted. */
const kindNames: Readonly<Record<DataKind, string>> = {
  callbacks: 'callbacks',
  traffic: 'requests',
  forecasts: 'stored forecasts',
  'recent-places': 'recent places',
};

export function ClearData({ row }: Props) {
  const { described, clearing, clear } = useApp((state) => state.data);
  const [chosen, setChosen] = useState<readonly DataKind[]>([]);
  const [isConfirming, setConfirming] = useState(false);
  const stored = described?.stored ?? [];
  const names = stored.filter(({ kind }) => chosen.includes(kind)).map(({ kind }) => kindNames[kind]);
  const confirm = async () => {
    if (await clear(chosen)) setChosen([]);
  };
  return (
    <SettingFrame row={row} isWide>
      <div className="rb-column">
        {stored.map(({ kind, count }) => (
          <Checkbox
            key={kind}
            label={`${kindTitles[kind]} · ${count.toLocaleString('en')}`}
            disabled={count === 0}
            checked={chosen.includes(kind)}
            onChange={(event) =>
              setChosen(event.currentTarget.checked ? [...chosen, kind] : chosen.filter((other) => other !== kind))
            }
          />
        ))}
      </div>
      <RequestNotice request={clearing} failedTitle="Couldn’t delete the data" loadingText="Deleting" />
      <div className={`rb-buttons ${classes.buttons}`}>
        <Button disabled={chosen.length === 0} onClick={() => setConfirming(true)}>
          Delete selected…
        </Button>
      </div>
      {isConfirming && (
        <ConfirmDialog
          title={`Delete all ${new Intl.ListFormat('en').format(names)}?`}
          confirmLabel="Delete data"
          onConfirm={() => void confirm()}
          onClose={() => setConfirming(false)}
        >
          This can’t be undone, but backups keep the data until you delete them or newer ones replace them. Monitors and
          other data in the service are not affected.
        </ConfirmDialog>
      )}
    </SettingFrame>
  );
}
