// The browser's permission for notifications, as the settings say it.
import { expect, it, onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import { expectGone, expectShown, openApp } from '../open-app.ts';

it('the settings say what the browser’s permission is, ask for it, and follow it when it changes beside the page', async () => {
  let permission: NotificationPermission = 'default';
  class FakeNotification {
    static get permission() {
      return permission;
    }
    static async requestPermission() {
      return (permission = 'granted');
    }
  }
  const whole = globalThis.Notification;
  Object.defineProperty(globalThis, 'Notification', { value: FakeNotification, configurable: true });
  onTestFinished(() => void Object.defineProperty(globalThis, 'Notification', { value: whole, configurable: true }));
  openApp({ hash: '#/settings/notifications' });
  const allow = page.getByRole('button', { name: 'Allow notifications' });
  await expectShown(page.getByText('This browser doesn’t show notifications from Rainbell yet.'));
  await allow.click();
  await expectShown(page.getByText('This browser shows notifications while a Rainbell tab is open.'));
  await expectGone(allow);
  permission = 'denied';
  window.dispatchEvent(new Event('focus'));
  await expectShown(page.getByText('This browser blocks notifications from Rainbell.'));
  expect(allow.query()).toBeNull();
});
