import type { Notice, NotificationTarget } from '@rainbell/contract/app-rpc';
import type { Feature, Parts } from '../app/feature.ts';
import { createNotificationQueue } from './notification-queue.ts';

/** A window opens within it. */
const rememberedMs = 15_000;

/** Notifications: the desktop app shows them itself; otherwise they wait for a browser tab. */
export function notifications({ events, screens, notifyUser, host, clock }: Parts): Feature<'notifications'> {
  const queue = createNotificationQueue(screens, clock);
  /** What the user clicked last: screens show it, also one that opens because of it. */
  let chosen: { notice: Notice; at: number } | undefined;
  let version = 0;
  const choose = ({ kind, id }: NotificationTarget) => {
    version += 1;
    const notice: Notice =
      kind === 'callback' ? { topic: 'show-callback', id, version } : { topic: 'show-monitor', id, version };
    chosen = { notice, at: clock.elapsed() };
    screens.publish(notice);
  };
  events.on('userNotice', (notice) => {
    const { title, body, target } = notice;
    if (host.notify) host.notify({ title, body, ...(target && { onClick: () => choose(target) }) });
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
    notices: () => [
      ...(chosen && clock.elapsed() - chosen.at < rememberedMs ? [chosen.notice] : []),
      ...queue.present(),
    ],
  };
}
