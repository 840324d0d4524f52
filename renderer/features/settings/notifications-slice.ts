// Notifications: the browser's permission for them, and those that wait to be shown.
import type { AppNotification } from '#contract/app-rpc/notifications.ts';
import { idle, type Request } from '#renderer/store/request.ts';
import { laterModule } from '#renderer/ui/hooks/load-later.ts';
import { laterActions } from '#renderer/store/later-actions.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';

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

const loadActions = laterModule(() => import('./notification-actions.ts'));

export function createNotificationsSlice(tools: SliceTools<NotificationsSlice>): Slice<NotificationsSlice> {
  const { change } = tools;
  return {
    onConnectionChange: { does: 'keep', because: 'the permission belongs to the browser' },
    permission: presentPermission(),
    testing: idle,
    readPermission: () => change({ permission: presentPermission() }),
    ...laterActions(
      { requestPermission: true, take: true, sendTest: true },
      loadActions,
      ({ createNotificationsActions }) => createNotificationsActions(tools),
    ),
  };
}

function presentPermission(): NotificationPermissionState {
  return 'Notification' in globalThis ? Notification.permission : 'unsupported';
}
