// Applies the desktop settings to the system and reports a refused login item.
import { nativeTheme, type Session } from 'electron';
import type { DesktopState, Settings } from '@rainbell/contract/app-rpc';
import type { Log } from '@rainbell/core';
import { systemCode } from '@rainbell/shared';
import { checkSpelling } from '../windows/spelling.ts';
import { createLoginItem } from './login-item.ts';

export type DesktopIntegration = ReturnType<typeof createDesktopIntegration>;

const platforms = { darwin: 'mac', win32: 'windows' } as const;

/** Electron must be ready. */
export function createDesktopIntegration(options: { screensSession: Session; log: Log }) {
  const loginItem = createLoginItem();
  let loginItemProblem: string | null = null;
  let current: Settings['desktop'] | undefined;

  function applyLoginItem(next: Settings['desktop']): void {
    if (current?.opensAtLogin === next.opensAtLogin && current.startsHidden === next.startsHidden) return;
    try {
      if (current === undefined) loginItem.refresh(next);
      else loginItem.set(next);
      loginItemProblem = null;
    } catch (error) {
      options.log.warn({ err: error }, 'the login item could not be written');
      loginItemProblem = `Couldn’t change the login item (${systemCode(error) ?? 'unknown error'}). Check the autostart folder’s permissions.`;
    }
  }

  return {
    apply({ desktop, theme }: Settings) {
      nativeTheme.themeSource = theme;
      applyLoginItem(desktop);
      checkSpelling(options.screensSession, desktop.checksSpelling ?? process.platform === 'darwin');
      current = desktop;
    },
    state: (): DesktopState => ({
      platform: platforms[process.platform as keyof typeof platforms] ?? 'linux',
      canOpenAtLogin: loginItem.isSupported,
      loginItemProblem,
    }),
    /** Whether this start shows the tray only. `hasFlag`: `--hidden` is on the command line. */
    startsHidden: (hasFlag: boolean): boolean =>
      hasFlag || (loginItem.wasOpenedAtLogin() && current?.startsHidden === true),
    shouldQuitWithLastWindow: (): boolean => current?.onLastWindowClosed === 'quit',
  };
}
