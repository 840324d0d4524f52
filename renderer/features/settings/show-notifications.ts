// Shows core's notifications through the browser, if the user allowed it. Every open tab receives them, and the first that claims
// them shows them.
import type { AppNotification, NotificationTarget } from '@rainbell/contract/app-rpc';
import type { AppStore } from '../../store/app-state.ts';
import { openCallback } from '../callbacks/selectors.ts';
import { openMonitor } from '../monitors/selectors.ts';

export async function showNotifications(store: AppStore): Promise<void> {
  // A tab that could not show them leaves them to another, for instance in a second browser.
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  for (const notification of await store.getState().notifications.take()) show(notification, store);
}

function show({ id, title, body, target }: AppNotification, store: AppStore): void {
  const shown = new Notification(title, { body, tag: `rainbell-${id}` });
  shown.addEventListener('click', () => {
    window.focus();
    shown.close();
    if (target) openTarget(target, store);
  });
}

function openTarget(target: NotificationTarget, store: AppStore): void {
  if (target.kind === 'callback') openCallback(store.getState(), target.id);
  else openMonitor(store.getState(), target.id);
}
