// Notifications that wait for a browser tab to show them: the host of a browser cannot show any itself. A tab takes all that
// wait, so no other tab shows them again.
import type { AppNotification, Notice } from '@rainbell/contract/app-rpc';
import type { UserNotice } from '../ports/host.ts';
import type { NoticeHub } from '../ports/notices.ts';
import type { Clock } from '@rainbell/shared';

/** Older news would surprise the user who opens a tab. */
const offeredMs = 60_000;
const max = 20;

export function createNotificationQueue(hub: Pick<NoticeHub, 'publish'>, clock: Clock) {
  let newestId = 0;
  let waiting: { notification: AppNotification; at: number }[] = [];
  const notice = (): Notice => ({ topic: 'notifications', newestId });
  const dropOld = () => {
    waiting = waiting.filter(({ at }) => clock.elapsed() - at < offeredMs).slice(-max);
  };
  return {
    offer({ title, body, target }: UserNotice) {
      newestId += 1;
      waiting.push({ notification: { id: newestId, title, body, target }, at: clock.elapsed() });
      dropOld();
      hub.publish(notice());
    },
    take(): AppNotification[] {
      dropOld();
      const taken = waiting.map(({ notification }) => notification);
      waiting = [];
      return taken;
    },
    /** For a screen that has just opened. */
    present(): Notice[] {
      dropOld();
      return waiting.length === 0 ? [] : [notice()];
    },
  };
}
