// How the desktop app behaves in the operating system. Not shown in a browser.
import { Switch } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import type { DesktopState } from '#contract/app-rpc/app.ts';
import type { DesktopSettings } from '#contract/app-rpc/settings.ts';
import { useApp } from '#renderer/store/use-app.ts';
import { acceleratorOf, formatAccelerator } from './accelerator.ts';
import classes from './SettingsScreen.module.css';

export function Desktop({ state }: { readonly state: DesktopState }) {
  const desktop = useApp(({ settings }) => settings.values.desktop);
  const changeSettings = useApp(({ settings }) => settings.update);
  const change = (part: Partial<DesktopSettings>) => void changeSettings({ desktop: { ...desktop, ...part } });
  return (
    <div className={classes.form}>
      <Switch
        label="Open at login"
        description={
          state.canOpenAtLogin
            ? 'Lets Rainbell receive callbacks as soon as you log in.'
            : 'Only available if Rainbell is installed.'
        }
        error={state.problems.opensAtLogin}
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
      <ShortcutField
        shortcut={desktop.shortcut}
        problem={state.problems.shortcut}
        isMac={state.platform === 'mac'}
        onChange={(shortcut) => change({ shortcut })}
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

type ShortcutFieldProps = {
  readonly shortcut: string | null;
  readonly problem: string | null;
  readonly isMac: boolean;
  readonly onChange: (shortcut: string | null) => void;
};

/** Records the keys that are pressed while it has the focus. Backspace removes the shortcut; Tab and Escape leave it alone. */
function ShortcutField({ shortcut, problem, isMac, onChange }: ShortcutFieldProps) {
  const [isRecording, setIsRecording] = useState(false);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Tab') return;
    event.preventDefault();
    if (event.key === 'Escape') event.currentTarget.blur();
    else if (event.key === 'Backspace' || event.key === 'Delete') onChange(null);
    else {
      const accelerator = acceleratorOf(event);
      if (accelerator !== undefined) onChange(accelerator);
    }
  };
  const text = shortcut === null ? '' : formatAccelerator(shortcut, isMac);
  return (
    <div className={classes.shortcutRow}>
      <div>
        <strong>Shortcut to show Rainbell</strong>
        <p id="rb-shortcut-help" className={classes.words} data-problem={problem !== null || undefined}>
          {problem ?? 'Works in all apps. Select the field and press the keys. Backspace removes the shortcut.'}
        </p>
      </div>
      <input
        aria-label="Shortcut to show Rainbell"
        aria-describedby="rb-shortcut-help"
        className={classes.shortcut}
        readOnly
        value={text}
        placeholder={isRecording ? 'Press keys…' : 'None'}
        aria-invalid={problem !== null}
        onFocus={() => setIsRecording(true)}
        onBlur={() => setIsRecording(false)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}
