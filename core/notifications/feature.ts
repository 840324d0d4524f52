import type { AppNotification, Notice, NotificationTarget } from '@rainbell/contract/app-rpc';
import { within } from '@rainbell/shared';
import type { Feature, Parts } from '../app/feature.ts';
import { getForecast } from '../forecast/get-forecast.ts';
import { createCallbackNotifier } from './callback-notifier.ts';

/** A window opens within it. */
const rememberedMs = 15_000;
/** Older news would surprise the user who opens a tab. */
const offeredMs = 60_000;
const maxWaiting = 20;
const maxWeatherWaitMs = 3000;

/** Notifications: the desktop app shows them itself; otherwise they wait for a browser tab. */
export function notifications(parts: Parts): Feature<'notifications'> {
  const { events, screens, notifyUser, host, settings, clock } = parts;
  const notifier = createCallbackNotifier({
    ...parts,
    choice: () => settings.get().notifications,
    isQuiet: (monitorId) => parts.notified.isQuiet(monitorId),
    async weatherAt(geo) {
      const connection = parts.activeConnection.present();
      const forecast = connection && (await within(clock, maxWeatherWaitMs, getForecast(connection, geo, { clock })));
      // The first point is the current one (docs/interface.md §2.3).
      const { status, location } = forecast?.points[0] ?? {};
      return typeof status === 'string' ? { status, place: location?.locality } : undefined;
    },
    notify: notifyUser,
  });
  events.on('callbackJudged', notifier.arrived);
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
    close: notifier.close,
    notices() {
      dropOld();
      return [
        ...(chosen && clock.elapsed() - chosen.at < rememberedMs ? [chosen.notice] : []),
        ...(waiting.length === 0 ? [] : [waitingNotice()]),
      ];
    },
  };
}
