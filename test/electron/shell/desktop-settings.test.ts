// The settings that the system follows: theme, zoom, and closing the last window.
import { expect, it, vi } from 'vitest';
import type { Settings } from '#contract/app-rpc/settings.ts';
import { createDesktopIntegration } from '#electron/shell/desktop-settings.ts';
import { electron } from '#test/double/electron.ts';

vi.mock('electron', async () => (await import('#test/electron/without-chromium.ts')).readyElectron());

function start() {
  const zooms: number[] = [];
  const integration = createDesktopIntegration((factor) => void zooms.push(factor));
  const apply = (changes: Partial<Settings> = {}) =>
    integration.apply({ theme: 'system', zoomPercent: 100, keepsRunning: true, ...changes } as Settings);
  return { integration, apply, zooms };
}

it('change the zoom of open windows, but not at the start', () => {
  const { apply, zooms } = start();
  for (const zoomPercent of [125, 125, 150, 80]) apply({ zoomPercent });
  expect(zooms).toEqual([1.5, 0.8]);
});

it('set the theme', () => {
  const { apply } = start();
  apply({ theme: 'dark' });
  expect(electron.nativeTheme.themeSource).toBe('dark');
  apply();
  expect(electron.nativeTheme.themeSource).toBe('system');
});

it('quit with the last window only if the user chose that', () => {
  const { integration, apply } = start();
  apply();
  expect(integration.shouldQuitWithLastWindow()).toBe(false);
  apply({ keepsRunning: false });
  expect(integration.shouldQuitWithLastWindow()).toBe(true);
});
