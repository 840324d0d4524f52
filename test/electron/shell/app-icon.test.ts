// What the app's icon shows: the number of unread callbacks.
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { createUnreadBadge } from '#electron/shell/unread-badge.ts';
import { electron } from '#test/double/electron.ts';
import { inside } from '#test/double/inside.ts';
import { pretendPlatform, unopenedWindow } from '#test/electron/without-chromium.ts';

vi.mock('electron', async () => (await import('#test/electron/without-chromium.ts')).readyElectron());

const { app } = electron;

it('on Windows every window has a dot with the number as its description, also one that opens later', () => {
  pretendPlatform('win32');
  app.setBadgeCount(0);
  const makeWindow = () => {
    const overlays: [path: string | null, description: string][] = [];
    const setOverlayIcon = (image: { [inside]: { path: string } } | null, description: string) =>
      void overlays.push([image === null ? null : image[inside].path, description]);
    return { overlays, window: unopenedWindow({ setOverlayIcon }) };
  };
  const first = makeWindow();
  const later = makeWindow();
  const all = vi.spyOn(electron.BrowserWindow, 'getAllWindows').mockReturnValue([first.window]);
  const show = createUnreadBadge('/icons');
  show(1);
  app.emit('browser-window-created', {}, later.window);
  expect(later.overlays).toEqual([]);
  later.window.emit('show');
  later.window.emit('show');
  show(0);
  app.emit('browser-window-created', {}, first.window);
  first.window.emit('show');
  const dot = join('/icons', 'unread.png');
  expect(later.overlays).toEqual([[dot, '1 new callback']]);
  expect(first.overlays).toEqual([
    [dot, '1 new callback'],
    [null, ''],
    [null, ''],
  ]);
  expect(app[inside].badgeCount).toBe(0);
  all.mockRestore();
});
