/** How long the delivery log and the feed keep finished events. */
export const retentionMs = 30 * 24 * 3_600_000;
