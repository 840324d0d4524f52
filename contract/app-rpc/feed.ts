// The inbox of the active connection's service: it receives webhooks of any sender for this app (docs/feed.md).
import { z } from 'zod';
import { procedure } from './base.ts';

/** `isOffered`: whether the service has inboxes. `url` has a secret token; null while the inbox is closed. */
export const inboxStateSchema = z.object({ isOffered: z.boolean(), url: z.string().nullable() });
export type InboxState = z.infer<typeof inboxStateSchema>;

export const feed = {
  inbox: procedure.output(inboxStateSchema),
  /** Gives the inbox a new address; an earlier one stops working. */
  openInbox: procedure.output(inboxStateSchema),
  /** Deletes the address and what the app has not read yet. */
  closeInbox: procedure.output(inboxStateSchema),
};
