// Notifications for the user outside of the screens. The desktop app shows them itself; in a browser, one open tab does.
import { z } from 'zod';
import { doneSchema, procedure } from './base.ts';

/** What a click opens. */
export const notificationTargetSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('callback'), id: z.int() }),
  z.object({ kind: z.literal('monitor'), id: z.string() }),
]);
export type NotificationTarget = z.infer<typeof notificationTargetSchema>;

export const appNotificationSchema = z.object({
  id: z.int(),
  title: z.string(),
  body: z.string(),
  /** If null, a click only opens the window. */
  target: notificationTargetSchema.nullable(),
});
export type AppNotification = z.infer<typeof appNotificationSchema>;

export const notifications = {
  /** Takes the notifications that no other tab has taken, so that exactly one tab shows each. Always empty in the desktop app. */
  take: procedure.output(z.object({ notifications: z.array(appNotificationSchema) })),
  /** Sends a test notification, even in quiet hours. */
  sendTest: procedure.output(doneSchema),
};
