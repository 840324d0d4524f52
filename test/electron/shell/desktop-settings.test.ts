// The settings that the system follows: the theme, and closing the last window.
import { expect, it, vi } from 'vitest';
import type { Settings } from '#contract/app-rpc/settings.ts';
import { createDesktopIntegration } from '#electron/shell/desktop-settings.ts';
import { electron } from '#test/double/electron.ts';

vi.mock('electron', async () => (await import('#test/electron/without-chromium.ts')).readyElectron());

it.each([
  [{ theme: 'dark', keepsRunning: true }, false],
  [{ theme: 'system', keepsRunning: false }, true],
] as const)('%j sets the theme; the app quits with its last window: %s', (settings, shouldQuit) => {
  const integration = createDesktopIntegration();
  integration.apply(settings as Settings);
  expect([electron.nativeTheme.themeSource, integration.shouldQuitWithLastWindow()]).toEqual([
    settings.theme,
    shouldQuit,
  ]);
});
