// Applies the settings that the system follows: the theme, and what closing the last window does.
import { nativeTheme } from 'electron';
import type { Settings } from '#contract/app-rpc/settings.ts';

export type DesktopIntegration = {
  apply: (settings: Settings) => void;
  shouldQuitWithLastWindow: () => boolean;
};

/** Electron must be ready. */
export function createDesktopIntegration(): DesktopIntegration {
  let keepsRunning = true;
  return {
    apply(settings) {
      nativeTheme.themeSource = settings.theme;
      keepsRunning = settings.keepsRunning;
    },
    shouldQuitWithLastWindow: () => !keepsRunning,
  };
}
