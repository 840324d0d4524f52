// The settings with controls of their own.
import { Anchor, Button } from '@mantine/core';
import { type ComponentType, lazy, useState } from 'react';
import { defaultSettings, type SettingRow } from '@rainbell/contract/app-rpc';
import { useApp } from '../../store/use-app.ts';
import { SegmentedControl } from '../../ui/controls/SegmentedControl.tsx';
import { computerLocale } from '../../ui/text/computer-zone.ts';
import { chosenUnits, settingsOfUnits, unitPresets } from '../../ui/text/units.ts';
import { attributions } from '@rainbell/shared';
import { Backups, ClearData, DataFolder } from './DataSettings.tsx';
import { Desktop } from './Desktop.tsx';
import { Diagnostics } from './Diagnostics.tsx';
import { NotificationChoice } from './NotificationChoice.tsx';
import { Privacy } from './Privacy.tsx';
import { ReceiverPort } from './ReceiverPort.tsx';
import { SettingFrame } from './SettingFrame.tsx';
import { UpdateCheck } from './UpdateCheck.tsx';

type Props = { readonly row: SettingRow };

export const customSettings: Readonly<Record<string, ComponentType<Props>>> = {
  unitPreset: UnitPreset,
  receiverPort: ReceiverPort,
  receiverAccess: ReceiverAccess,
  notifications: Notifications,
  dataFolder: DataFolder,
  backup: Backups,
  clear: ClearData,
  network: Network,
  updates: UpdateCheck,
  privacy: Privacy,
  secrets: Secrets,
  desktop: DesktopSettings,
  diagnostics: Diagnostics,
  sources: Sources,
};

const presetNames = Object.keys(unitPresets) as (keyof typeof unitPresets)[];

function UnitPreset({ row: { title, meaning } }: Props) {
  const values = useApp((state) => state.settings.values);
  const update = useApp((state) => state.settings.update);
  const units = JSON.stringify(chosenUnits(values, computerLocale()));
  const chosen = presetNames.find((name) => JSON.stringify(unitPresets[name]) === units);
  return (
    <SettingFrame title={title} meaning={meaning}>
      <SegmentedControl
        aria-label={title}
        data={presetNames.map((name) => ({ value: name, label: name }))}
        value={chosen ?? ('' as 'Metric')}
        onChange={(name) => void update(settingsOfUnits(unitPresets[name]))}
      />
    </SettingFrame>
  );
}

const ReceiverDialog = lazy(async () => ({
  default: (await import('../callbacks/receiver/ReceiverDialog.tsx')).ReceiverDialog,
}));

function Notifications({ row: { title, meaning } }: Props) {
  const { isOn, quiet } = useApp((state) => state.settings.values.notifications);
  const update = useApp((state) => state.settings.update);
  const isDefault = isOn && quiet === null;
  const reset = () => void update({ notifications: defaultSettings.notifications });
  return (
    <SettingFrame
      title={title}
      meaning={meaning}
      isWide
      defaultText="on, no quiet hours"
      onReset={isDefault ? undefined : reset}
    >
      <NotificationChoice />
    </SettingFrame>
  );
}

function ReceiverAccess({ row: { title, meaning } }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <SettingFrame title={title} meaning={meaning} defaultText="this computer only, HTTP">
      <Button variant="default" onClick={() => setOpen(true)}>
        Change access…
      </Button>
      {isOpen && <ReceiverDialog onClose={() => setOpen(false)} />}
    </SettingFrame>
  );
}

function Network({ row: { title, meaning } }: Props) {
  // Only Electron can read the system's proxy settings.
  const isDesktop = useApp((state) => state.frame.status?.host === 'electron');
  const goTo = useApp((state) => state.frame.goTo);
  return (
    <SettingFrame
      title={title}
      meaning={meaning}
      defaultText={isDesktop ? 'the system’s proxy and CA certificates' : 'no proxy, the system’s CA certificates'}
    >
      <Button variant="default" onClick={() => goTo('connections')}>
        Open connections
      </Button>
    </SettingFrame>
  );
}

function Secrets({ row: { title } }: Props) {
  const protection = useApp((state) => state.frame.status?.secretsProtection);
  return <SettingFrame title={title} meaning={protection ?? 'Loading…'} />;
}

function DesktopSettings() {
  const desktop = useApp((state) => state.frame.status?.desktop);
  return desktop ? <Desktop state={desktop} /> : null;
}

function Sources({ row: { title, meaning } }: Props) {
  return (
    <SettingFrame title={title} meaning={meaning} isWide>
      <ul className="rb-column rb-small">
        {attributions.map(({ name, credit, url, licence }) => (
          <li key={name} className="rb-row rb-wrap">
            <Anchor href={url} target="_blank" rel="noreferrer">
              {credit}
            </Anchor>
            <span className="rb-dim">{licence}</span>
          </li>
        ))}
      </ul>
    </SettingFrame>
  );
}
