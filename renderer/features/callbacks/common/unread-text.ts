// Describes unread callbacks, and returns which they are.
import type { UnreadCallbacks } from '@rainbell/contract/app-rpc';

/** `3`, or `999+`. */
export function formatUnread({ count, isMore }: Pick<UnreadCallbacks, 'count' | 'isMore'>): string {
  return isMore ? `${count}+` : String(count);
}

export function isUnread({ throughId, ids }: UnreadCallbacks, id: number): boolean {
  return id > throughId && !ids.includes(id);
}
