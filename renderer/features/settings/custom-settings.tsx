// The settings with controls of their own.
import { Anchor, Button, SegmentedControl, Switch, TextInput } from '@mantine/core';
import { type ComponentType, lazy, useState } from 'react';
import { type SettingRow, type Settings, settingsTable, type UpdateState } from '@rainbell/contract/app-rpc';
import { useApp } from '../../store/use-app.ts';
import { submitBy } from '../../ui/hooks/submit-by.ts';
import { computerLocale } from '../../ui/text/computer-zone.ts';
import { chosenUnits, settingsOfUnits, unitPresets } from '../../ui/text/units.ts';
import { type Attribution, providerAttributions } from '@rainbell/shared';
import { Backups, ClearData, DataFolder } from './DataSettings.tsx';
import { Diagnostics } from './Diagnostics.tsx';
import { NotificationChoice } from './NotificationChoice.tsx';
import { SettingFrame } from './SettingFrame.tsx';
import { RowsTable } from '../../ui/controls/RowsTable.tsx';
import { TaskButton } from '../../ui/controls/TaskButton.tsx';
import { RequestNotice } from '../../widgets/RequestNotice.tsx';

type Props = { readonly row: SettingRow };

export const customSettings: Readonly<Record<string, ComponentType<Props>>> = {
  unitPreset: UnitPreset,
  receiverPort: ReceiverPort,
  receiverAccess: ReceiverAccess,
  notifications: NotificationChoice,
  dataFolder: DataFolder,
  backup: Backups,
  clear: ClearData,
  network: Network,
  updates: UpdateCheck,
  privacy: Privacy,
  secrets: Secrets,
  desktop: Desktop,
  diagnostics: Diagnostics,
};

const presetNames = Object.keys(unitPresets) as (keyof typeof unitPresets)[];

function UnitPreset({ row }: Props) {
  const values = useApp((state) => state.settings.values);
  const update = useApp((state) => state.settings.update);
  const units = JSON.stringify(chosenUnits(values, computerLocale()));
  const chosen = presetNames.find((name) => JSON.stringify(unitPresets[name]) === units);
  return (
    <SettingFrame row={row}>
      <SegmentedControl
        aria-label={row.title}
        data={presetNames.map((name) => ({ value: name, label: name }))}
        value={chosen ?? ('' as 'Metric')}
        onChange={(name) => void update(settingsOfUnits(unitPresets[name]))}
      />
    </SettingFrame>
  );
}

/** The port of the callback receiver. Saving moves the receiver at once. */
function ReceiverPort({ row }: Props) {
  const { default: initial, min, max } = settingsTable.receiverPort;
  const receiver = useApp((state) => state.frame.status?.receiver);
  const configured = useApp((state) => state.settings.values.receiverPort);
  const { moveReceiver, moving } = useApp((state) => state.frame);
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? String(configured);
  const port = Number(text);
  const isPort = Number.isInteger(port) && port >= min && port <= max;
  const move = async (to: number) => {
    if (await moveReceiver(to)) setTyped(null);
  };
  const listening = receiver?.baseUrl ? Number(new URL(receiver.baseUrl).port) : undefined;
  const freePort = moving.state === 'failed' ? moving.failure.details.port : undefined;
  const state = receiver?.baseUrl ? `Listening on ${receiver.baseUrl}.` : 'Not listening.';
  return (
    <SettingFrame
      row={row}
      meaning={[state, receiver?.notice, row.meaning].filter(Boolean).join(' ')}
      defaultText={String(initial)}
      onReset={configured === initial ? undefined : () => void move(initial)}
    >
      <form className="rb-row" onSubmit={submitBy(() => isPort && move(port))}>
        <TextInput
          aria-label="Callback receiver port"
          inputMode="numeric"
          w={120}
          value={text}
          error={isPort ? null : `${min} to ${max}`}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button
          type="submit"
          disabled={!isPort || (port === configured && port === listening)}
          loading={moving.state === 'loading'}
        >
          Change port
        </Button>
      </form>
      <RequestNotice request={moving} failedTitle="Couldn’t change the port" loadingText="Changing the port" />
      {freePort !== undefined && (
        <Button variant="light" onClick={() => setTyped(String(freePort))}>
          Use {freePort}
        </Button>
      )}
    </SettingFrame>
  );
}

const ReceiverDialog = lazy(async () => ({
  default: (await import('../callbacks/receiver/ReceiverDialog.tsx')).ReceiverDialog,
}));

function ReceiverAccess({ row }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <SettingFrame row={row} defaultText="this computer only, HTTP">
      <Button onClick={() => setOpen(true)}>Change access…</Button>
      {isOpen && <ReceiverDialog onClose={() => setOpen(false)} />}
    </SettingFrame>
  );
}

function Network({ row }: Props) {
  // Only Electron can read the system's proxy settings.
  const isDesktop = useApp((state) => state.frame.status?.host === 'electron');
  const goTo = useApp((state) => state.frame.goTo);
  return (
    <SettingFrame
      row={row}
      defaultText={isDesktop ? 'the system’s proxy and CA certificates' : 'no proxy, the system’s CA certificates'}
    >
      <Button onClick={() => goTo('connections')}>Open connections</Button>
    </SettingFrame>
  );
}

function Secrets({ row }: Props) {
  const protection = useApp((state) => state.frame.status?.secretsProtection);
  return <SettingFrame row={row} meaning={protection ?? 'Loading…'} />;
}

/** How the desktop app behaves in the operating system. Not shown in a browser. */
function Desktop() {
  const state = useApp(({ frame }) => frame.status?.desktop);
  const desktop = useApp(({ settings }) => settings.values.desktop);
  const changeSettings = useApp(({ settings }) => settings.update);
  const change = (part: Partial<Settings['desktop']>) => void changeSettings({ desktop: { ...desktop, ...part } });
  if (!state) return null;
  return (
    <div className="rb-stack">
      <Switch
        label="Open at login"
        description={
          state.canOpenAtLogin
            ? 'Lets Rainbell receive callbacks as soon as you log in.'
            : 'Only available if Rainbell is installed.'
        }
        error={state.loginItemProblem}
        disabled={!state.canOpenAtLogin}
        checked={desktop.opensAtLogin}
        onChange={(event) => change({ opensAtLogin: event.currentTarget.checked })}
      />
      <Switch
        label="Start without a window at login"
        disabled={!state.canOpenAtLogin || !desktop.opensAtLogin}
        checked={desktop.startsHidden}
        onChange={(event) => change({ startsHidden: event.currentTarget.checked })}
      />
      <Switch
        label="Keep running when the last window is closed"
        description={
          state.platform === 'mac'
            ? 'Callbacks still arrive. Open the window again from the Dock or the menu bar.'
            : 'Callbacks still arrive. Open the window again from the tray.'
        }
        checked={desktop.onLastWindowClosed === 'keep-running'}
        onChange={(event) => change({ onLastWindowClosed: event.currentTarget.checked ? 'keep-running' : 'quit' })}
      />
      <Switch
        label="Check spelling in notes"
        description={state.platform === 'mac' ? null : 'Chromium downloads a dictionary from Google once.'}
        checked={desktop.checksSpelling ?? state.platform === 'mac'}
        onChange={(event) => change({ checksSpelling: event.currentTarget.checked })}
      />
    </div>
  );
}

function UpdateCheck({ row }: Props) {
  const { status, updateCheck: request, checkForUpdate: check } = useApp((state) => state.frame);
  return (
    <SettingFrame
      row={row}
      meaning={
        <span role="status">
          <UpdateResult update={status?.update} />
        </span>
      }
    >
      <TaskButton loading={request.state === 'loading'} task={() => check()}>
        Check now
      </TaskButton>
      <RequestNotice request={request} failedTitle="Couldn’t check for updates" />
    </SettingFrame>
  );
}

function UpdateResult({ update }: { readonly update: UpdateState | undefined }) {
  switch (update?.state) {
    case undefined:
    case 'unchecked':
      return 'Not checked since the app started.';
    case 'current':
      return 'This is the latest version.';
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

const providers = Object.values<Attribution>(providerAttributions).map(({ name, condition }) =>
  condition === undefined ? name : `${name} (${condition})`,
);

type Leaving = { what: string; where: string; when: string };

/** Everything that sends something to another computer, and when. */
function Privacy({ row }: Props) {
  const connection = useApp((state) => state.frame.status?.connection);
  const { checksForUpdates, providerContact } = useApp((state) => state.settings.values);
  const isElectron = useApp((state) => state.frame.status?.host === 'electron');
  const rows: readonly Leaving[] = [
    {
      what: 'Coordinates, monitors, credentials',
      where: connection?.isSandbox ? 'The built-in sandbox on this computer' : (connection?.baseUrl ?? 'The service'),
      when: 'While this connection is active',
    },
    {
      what: providerContact === null ? 'Rounded coordinates' : `Rounded coordinates and ${providerContact}`,
      where: `${providers.join(', ')}, and NOAA (airports)`,
      when: 'While the sandbox uses live providers',
    },
    { what: 'A callback', where: 'The URL that you enter', when: 'When you replay or forward it' },
    {
      what: 'The app version',
      where: 'github.com',
      when: checksForUpdates ? 'Once a day if installed, or on request' : 'On request',
    },
    ...(isElectron
      ? [{ what: 'The spell-check language', where: 'Google', when: 'Once, if you turn on spell checking' }]
      : []),
  ];
  return (
    <SettingFrame row={row} isWide>
      <RowsTable label={row.title} heads={['Data', 'Recipient', 'When']} rows={rows} max={rows.length}>
        {({ what, where, when }) => (
          <tr key={what}>
            <td>{what}</td>
            <td>{where}</td>
            <td>{when}</td>
          </tr>
        )}
      </RowsTable>
    </SettingFrame>
  );
}
