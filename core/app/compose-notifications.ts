// Wires notifications: the desktop app shows them itself; otherwise they wait for a browser tab.
import { createChosenTarget } from '../notifications/chosen-target.ts';
import { createNotificationQueue } from '../notifications/notification-queue.ts';
import type { CoreEventHub } from '../ports/events.ts';
import type { Host } from '../ports/host.ts';
import type { NoticeHub } from '../ports/notices.ts';
import type { Clock } from '@rainbell/shared';

type Dependencies = { events: CoreEventHub; hub: NoticeHub; notify: Host['notify']; clock: Clock };

export function composeNotifications({ events, hub, notify, clock }: Dependencies) {
  const chosenTarget = createChosenTarget(hub, clock);
  const notifications = createNotificationQueue(hub, clock);
  events.on('userNotice', (notice) => {
    const { title, body, target } = notice;
    if (notify) notify({ title, body, ...(target && { onClick: () => chosenTarget.choose(target) }) });
    else notifications.offer(notice);
  });
  return { chosenTarget, notifications };
}
