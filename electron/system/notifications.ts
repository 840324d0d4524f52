// Desktop notifications. A system may refuse them: macOS refuses those of an unsigned app, and a Linux desktop may have no service
// for them. The first refusal becomes a banner; every refusal is logged.
import { Notification } from 'electron';
import type { HostNotice, Log } from '@rainbell/core';
import type { HostNotices } from './host-notices.ts';

export type Notifications = ReturnType<typeof createNotifications>;

/** `onClick` runs at each click, before the `onClick` of the notice. */
type Options = { notices: HostNotices; onClick: () => void; log: Log };

export function createNotifications({ notices, onClick, log }: Options) {
  // A notification without a reference is garbage-collected, and its click is lost.
  const shown = new Set<Notification>();

  function reportFailure(reason: string): void {
    log.warn({ reason }, 'a notification could not be shown');
    notices.set(
      'notifications',
      `The system isn’t showing Rainbell’s notifications (${reason}). New callbacks still appear on the Callbacks screen. Check your system’s notification settings.`,
    );
  }

  return {
    show({ title, body, onClick: onOwnClick }: HostNotice) {
      if (!Notification.isSupported()) {
        reportFailure('not supported on this desktop');
        return;
      }
      const notification = new Notification({ title, body });
      shown.add(notification);
      notification.on('click', () => {
        onClick();
        onOwnClick?.();
      });
      notification.on('close', () => shown.delete(notification));
      notification.on('failed', (_event, error) => {
        shown.delete(notification);
        reportFailure(error);
      });
      notification.show();
    },
  };
}
