// Desktop notifications, and what the user learns on a system that refuses them.
import { beforeEach, expect, it, vi } from 'vitest';
import { createHostNotices } from '#electron/system/host-notices.ts';
import { createNotifications } from '#electron/system/notifications.ts';
import { desktopState, Notification } from '#test/double/desktop.ts';
import { recordLog } from './without-chromium.ts';

vi.mock('electron', async () => (await import('./without-chromium.ts')).readyElectron());

const shown: Notification[] = [];
beforeEach(() => {
  shown.length = 0;
  desktopState.notifications = 'shown';
  const show = Notification.prototype.show;
  const spy = vi.spyOn(Notification.prototype, 'show').mockImplementation(function (this: Notification) {
    shown.push(this);
    show.call(this);
  });
  return () => spy.mockRestore();
});

function start() {
  const { log, entries } = recordLog();
  const notices = createHostNotices();
  const clicks: string[] = [];
  const notifications = createNotifications({ notices, onClick: () => clicks.push('any'), log });
  return { notifications, notices, entries, clicks };
}

it('a notification has its text, and a click runs its own action after the common one', () => {
  const { notifications, clicks } = start();
  notifications.show({ title: 'Rain', body: 'near Turin', onClick: () => clicks.push('own') });
  notifications.show({ title: 'Snow', body: '' });
  expect(shown.map(({ title, body }) => [title, body])).toEqual([
    ['Rain', 'near Turin'],
    ['Snow', ''],
  ]);
  shown[0]?.emit('click', {});
  shown[1]?.emit('click', {});
  expect(clicks).toEqual(['any', 'own', 'any']);
});

it.each([
  ['unsupported', 'not supported on this desktop'],
  ['failed', 'Notifications are not allowed for this app'],
] as const)('a refusal (%s) is logged each time, and is one notice', async (state, reason) => {
  desktopState.notifications = state;
  const { notifications, notices, entries } = start();
  for (const title of ['Rain', 'Snow']) notifications.show({ title, body: '' });
  await expect.poll(() => entries.length).toBe(2);
  expect(entries.map((entry) => [entry['level'], entry['reason']])).toEqual([
    [40, reason],
    [40, reason],
  ]);
  expect(notices.list()).toEqual([expect.stringContaining(`(${reason})`)]);
  expect(shown).toHaveLength(state === 'failed' ? 2 : 0);
});
