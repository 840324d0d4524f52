import type { AppNotification, Notice, NotificationTarget } from '@rainbell/contract/app-rpc';
import type { Feature, Parts } from '../app/feature.ts';

/** A window opens within it. */
const rememberedMs = 15_000;
/** Older news would surprise the user who opens a tab. */
const offeredMs = 60_000;
const maxWaiting = 20;

/** Notifications: the desktop app shows them itself; otherwise they wait for a browser tab. */
export function notifications({ events, screens, notifyUser, host, clock }: Parts): Feature<'notifications'> {
  /** For a browser tab. One takes all that wait, so no other shows them again. */
  let waiting: { notification: AppNotification; at: number }[] = [];
  let newestId = 0;
  const waitingNotice = (): Notice => ({ topic: 'notifications', newestId });
  const dropOld = () => {
    waiting = waiting.filter(({ at }) => clock.elapsed() - at < offeredMs).slice(-maxWaiting);
  };
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
  events.on('userNotice', ({ title, body, target }) => {
    if (host.notify) return host.notify({ title, body, ...(target && { onClick: () => choose(target) }) });
    newestId += 1;
    waiting.push({ notification: { id: newestId, title, body, target }, at: clock.elapsed() });
    dropOld();
    screens.publish(waitingNotice());
  });
  return {
    handlers: {
      notifications: {
        take() {
          dropOld();
          const notifications = waiting.map(({ notification }) => notification);
          waiting = [];
          return { notifications };
        },
        sendTest: () =>
          notifyUser({ title: 'Test notification', body: 'Rainbell can show notifications.', target: null }),
      },
    },
    notices() {
      dropOld();
      return [
        ...(chosen && clock.elapsed() - chosen.at < rememberedMs ? [chosen.notice] : []),
        ...(waiting.length === 0 ? [] : [waitingNotice()]),
      ];
    },
  };
}
