// IDs of events in the feed. Without zod, so that the receiver's thread loads less.
/** IDs of webhooks from the inbox begin with it: that they are in the feed does not prove who sent them. */
export const inboxIdPrefix = 'in_';
