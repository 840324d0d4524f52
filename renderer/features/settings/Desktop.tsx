// How the desktop app behaves in the operating system. Not shown in a browser.
import { Switch } from '@mantine/core';
import type { DesktopState, Settings } from '@rainbell/contract/app-rpc';
import { useApp } from '../../store/use-app.ts';

export function Desktop({ state }: { readonly state: DesktopState }) {
  const desktop = useApp(({ settings }) => settings.values.desktop);
  const changeSettings = useApp(({ settings }) => settings.update);
  const change = (part: Partial<Settings['desktop']>) => void changeSettings({ desktop: { ...desktop, ...part } });
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
