// Applies the desktop settings to the system and reports what the system refused.
import { nativeTheme, type Session } from 'electron';
import type { DesktopState } from '#contract/app-rpc/app.ts';
import type { Settings } from '#contract/app-rpc/settings.ts';
import type { Log } from '#core/ports/log.ts';
import { systemCode } from '#shared/errors/system-code.ts';
import { checkSpelling } from '#electron/windows/spelling.ts';
import { createLoginItem } from './login-item.ts';
import { createShowShortcut } from './show-shortcut.ts';

export type DesktopIntegration = {
  apply: (settings: Settings) => void;
  state: () => DesktopState;
  /** Whether this start shows the tray only. `hasFlag`: `--hidden` is on the command line. */
  startsHidden: (hasFlag: boolean) => boolean;
  shouldQuitWithLastWindow: () => boolean;
  close: () => void;
};

const platforms = { darwin: 'mac', win32: 'windows' } as const;

/** Electron must be ready. The shortcut calls `showWindow`. */
export function createDesktopIntegration(options: {
  screensSession: Session;
  showWindow: () => void;
  setZoom: (factor: number) => void;
  log: Log;
}): DesktopIntegration {
  const loginItem = createLoginItem();
  const shortcut = createShowShortcut(options.showWindow);
  const problems: DesktopState['problems'] = { shortcut: null, opensAtLogin: null };
  let current: Settings['desktop'] | undefined;
  let zoomPercent: number | undefined;

  function applyLoginItem(next: Settings['desktop']): void {
    if (current?.opensAtLogin === next.opensAtLogin && current.startsHidden === next.startsHidden) return;
    try {
      if (current === undefined) loginItem.refresh(next);
      else loginItem.set(next);
      problems.opensAtLogin = null;
    } catch (error) {
      options.log.warn({ err: error }, 'the login item could not be written');
      problems.opensAtLogin = `Couldn’t change the login item (${systemCode(error) ?? 'unknown error'}). Check the autostart folder’s permissions.`;
    }
  }

  return {
    apply({ desktop, theme, zoomPercent: nextZoom }) {
      // At the start, windows have their own zoom from the last time.
      if (zoomPercent !== undefined && zoomPercent !== nextZoom) options.setZoom(nextZoom / 100);
      zoomPercent = nextZoom;
      nativeTheme.themeSource = theme;
      problems.shortcut = shortcut.set(desktop.shortcut);
      applyLoginItem(desktop);
      checkSpelling(options.screensSession, desktop.checksSpelling ?? process.platform === 'darwin');
      current = desktop;
    },
    state: () => ({
      platform: platforms[process.platform as keyof typeof platforms] ?? 'linux',
      canOpenAtLogin: loginItem.isSupported,
      problems: { ...problems },
    }),
    startsHidden: (hasFlag) => hasFlag || (loginItem.wasOpenedAtLogin() && current?.startsHidden === true),
    shouldQuitWithLastWindow: () => current?.onLastWindowClosed === 'quit',
    close: shortcut.close,
  };
}
