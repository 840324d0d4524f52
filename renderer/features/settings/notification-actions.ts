// Requests the browser's permission, and claims the notifications to show: loaded after the first screen.
import { runRequest } from '#renderer/store/request.ts';
import type { SliceTools } from '#renderer/store/slice.ts';
import type { NotificationsActions, NotificationsSlice } from './notifications-slice.ts';

export function createNotificationsActions({
  client,
  read,
  change,
}: SliceTools<NotificationsSlice>): NotificationsActions {
  return {
    async requestPermission() {
      if ('Notification' in globalThis) await Notification.requestPermission();
      read().readPermission();
    },
    async take() {
      try {
        return (await client.notifications.take()).notifications;
      } catch {
        // Without a connection to the app; the frame says so.
        return [];
      }
    },
    async sendTest() {
      await runRequest(
        (testing) => change({ testing }),
        () => client.notifications.sendTest(),
      );
    },
  };
}
