// Applies the settings that the system follows: theme, zoom, and what closing the last window does.
import { nativeTheme } from 'electron';
import type { Settings } from '#contract/app-rpc/settings.ts';

export type DesktopIntegration = {
  apply: (settings: Settings) => void;
  shouldQuitWithLastWindow: () => boolean;
};

/** Electron must be ready. */
export function createDesktopIntegration(setZoom: (factor: number) => void): DesktopIntegration {
  let current: Settings | undefined;
  return {
    apply(next) {
      // At the start, windows have their own zoom from the last time.
      if (current !== undefined && current.zoomPercent !== next.zoomPercent) setZoom(next.zoomPercent / 100);
      nativeTheme.themeSource = next.theme;
      current = next;
    },
    shouldQuitWithLastWindow: () => current?.keepsRunning === false,
  };
}
