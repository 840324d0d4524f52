// Notifications: the browser's permission for them, and those that wait to be shown.
import type { AppNotification } from '@rainbell/contract/app-rpc';
import type { OtherSlices } from '../../store/app-state.ts';
import type { SliceTools } from '../../store/slice.ts';
import { callOrToast } from '../../store/toasts-slice.ts';

/** `unsupported`: this browser has no notifications, or not on this page. */
export type NotificationPermissionState = NotificationPermission | 'unsupported';

export interface NotificationsSlice extends ReturnType<typeof createNotificationsSlice> {}

function presentPermission(): NotificationPermissionState {
  return 'Notification' in globalThis ? Notification.permission : 'unsupported';
}

export function createNotificationsSlice(
  { client, read, change }: SliceTools<NotificationsSlice>,
  { show }: OtherSlices,
) {
  return {
    onConnectionChange: { does: 'keep', because: 'the permission belongs to the browser' } as const,
    permission: presentPermission() as NotificationPermissionState,
    readPermission: (): void => change({ permission: presentPermission() }),
    /** Call it in a click: browsers ignore or block a request without one. */
    async requestPermission(): Promise<void> {
      if ('Notification' in globalThis) await Notification.requestPermission();
      read().readPermission();
    },
    async take(): Promise<readonly AppNotification[]> {
      try {
        return (await client.notifications.take()).notifications;
      } catch {
        // Without a connection to the app; the frame says so.
        return [];
      }
    },
    sendTest: (): Promise<unknown> => callOrToast(show, () => client.notifications.sendTest()),
  };
}
