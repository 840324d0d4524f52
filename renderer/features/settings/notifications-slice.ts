// Notifications: the browser's permission for them, and those that wait to be shown.
import type { AppNotification } from '@rainbell/contract/app-rpc';
import { idle, type Request, runRequest } from '../../store/request.ts';
import type { Slice, SliceTools } from '../../store/slice.ts';

/** `unsupported`: this browser has no notifications, or not on this page. */
export type NotificationPermissionState = NotificationPermission | 'unsupported';

export type NotificationsSlice = NotificationsActions & {
  permission: NotificationPermissionState;
  testing: Request;
  readPermission(): void;
};

export type NotificationsActions = {
  /** Call it in a click: browsers ignore or block a request without one. */
  requestPermission(): Promise<void>;
  take(): Promise<readonly AppNotification[]>;
  sendTest(): Promise<void>;
};

export function createNotificationsSlice(tools: SliceTools<NotificationsSlice>): Slice<NotificationsSlice> {
  const { change } = tools;
  return {
    onConnectionChange: { does: 'keep', because: 'the permission belongs to the browser' },
    permission: presentPermission(),
    testing: idle,
    readPermission: () => change({ permission: presentPermission() }),
    ...createNotificationsActions(tools),
  };
}

function presentPermission(): NotificationPermissionState {
  return 'Notification' in globalThis ? Notification.permission : 'unsupported';
}

function createNotificationsActions({ client, read, change }: SliceTools<NotificationsSlice>): NotificationsActions {
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
