// Whether new events and failing callbacks are shown as notifications, the browser's permission for them, and quiet hours.
import { Switch, TextInput } from '@mantine/core';
import { TaskButton } from '../../ui/controls/TaskButton.tsx';
import { useEffect } from 'react';
import { useApp } from '../../store/use-app.ts';
import {
  defaultSettings,
  type NotificationChoice as NotificationsSetting,
  type SettingRow,
} from '@rainbell/contract/app-rpc';
import { SettingFrame } from './SettingFrame.tsx';
import type { NotificationPermissionState } from './notifications-slice.ts';

type QuietHours = NonNullable<NotificationsSetting['quiet']>;

const defaultHours: QuietHours = { from: '22:00', until: '07:00' };

export function NotificationChoice({ row }: { readonly row: SettingRow }) {
  const { isOn, quiet } = useApp((state) => state.settings.values.notifications);
  const update = useApp((state) => state.settings.update);
  const isBrowser = useApp((state) => state.frame.status?.host === 'headless');
  const { requestPermission, sendTest } = useApp((state) => state.notifications);
  const hours = (part: Partial<QuietHours>) =>
    void update({ notifications: { isOn, quiet: { ...(quiet ?? defaultHours), ...part } } });
  return (
    <SettingFrame
      row={row}
      isWide
      defaultText="on, no quiet hours"
      onReset={isOn && quiet === null ? undefined : () => void update({ notifications: defaultSettings.notifications })}
    >
      <div className="rb-stack">
        <Switch
          label="Show notifications"
          description="For new events, and when delivery for a monitor fails or is turned off. Notifications that arrive together are grouped. Click one to open its callback or monitor."
          checked={isOn}
          onChange={({ currentTarget: { checked } }) => {
            if (checked && isBrowser) void requestPermission();
            void update({ notifications: { isOn: checked, quiet } });
          }}
        />
        {isOn && isBrowser && <BrowserPermission />}
        <Switch
          label="Quiet hours"
          description="No notifications during these hours by this computer’s clock. Failing monitors are reported afterward."
          disabled={!isOn}
          checked={quiet !== null}
          onChange={(event) =>
            void update({ notifications: { isOn, quiet: event.currentTarget.checked ? defaultHours : null } })
          }
        />
        {quiet && (
          <div className="rb-row rb-wrap">
            {(['from', 'until'] as const).map((end) => (
              <TextInput
                key={end}
                type="time"
                label={end === 'from' ? 'From' : 'Until'}
                value={quiet[end]}
                onChange={({ currentTarget: { value } }) => value !== '' && hours({ [end]: value })}
              />
            ))}
          </div>
        )}
        {isOn && (
          <div>
            <TaskButton task={sendTest}>Send test notification</TaskButton>
          </div>
        )}
      </div>
    </SettingFrame>
  );
}

const permissionLabels: Readonly<Record<NotificationPermissionState, string>> = {
  granted: 'This browser shows notifications while a Rainbell tab is open.',
  default: 'This browser doesn’t show notifications from Rainbell yet.',
  denied:
    'This browser blocks notifications from Rainbell. Allow them in the site settings, which you can open from the address bar, and reload the page.',
  unsupported: 'This browser can’t show notifications. Use another browser or the desktop app.',
};

function BrowserPermission() {
  const { permission, requestPermission, readPermission } = useApp((state) => state.notifications);
  useEffect(() => {
    readPermission();
    // The user changes it beside the page.
    window.addEventListener('focus', readPermission);
    return () => window.removeEventListener('focus', readPermission);
  }, [readPermission]);
  return (
    <div className="rb-row rb-wrap" data-tone={permission === 'granted' ? 'plain' : 'warn'} role="status">
      <p className="rb-tone">{permissionLabels[permission]}</p>
      {permission === 'default' && <TaskButton task={() => requestPermission()}>Allow notifications</TaskButton>}
    </div>
  );
}
