import type { Feature, Parts } from '../app/feature.ts';
import { createChosenTarget } from './chosen-target.ts';
import { createNotificationQueue } from './notification-queue.ts';

/** Notifications: the desktop app shows them itself; otherwise they wait for a browser tab. */
export function notifications({ events, screens, notifyUser, host, clock }: Parts): Feature<'notifications'> {
  const chosenTarget = createChosenTarget(screens, clock);
  const queue = createNotificationQueue(screens, clock);
  events.on('userNotice', (notice) => {
    const { title, body, target } = notice;
    if (host.notify) host.notify({ title, body, ...(target && { onClick: () => chosenTarget.choose(target) }) });
    else queue.offer(notice);
  });
  return {
    handlers: {
      notifications: {
        take: () => ({ notifications: queue.take() }),
        sendTest: () =>
          notifyUser({ title: 'Test notification', body: 'Rainbell can show notifications.', target: null }),
      },
    },
    notices: () => [...chosenTarget.present(), ...queue.present()],
  };
}
