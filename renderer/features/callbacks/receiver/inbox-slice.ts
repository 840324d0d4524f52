// Where the service receives webhooks of any sender for this app, while it is closed.
import type { InboxState } from '@rainbell/contract/app-rpc';
import { idle, runRequest } from '../../../store/request.ts';
import type { SliceTools } from '../../../store/slice.ts';

export interface InboxSlice extends ReturnType<typeof createInboxSlice> {}

export function createInboxSlice({ client, change }: SliceTools<InboxSlice>) {
  const run = async (ask: () => Promise<InboxState>) => {
    const state = await runRequest((request) => change({ request }), ask);
    if (state) change({ state });
  };
  return {
    onConnectionChange: { does: 'reset', keeping: [] } as const,
    /** Null until it is loaded. */
    state: null as InboxState | null,
    request: idle,
    load: () => run(() => client.feed.inbox()),
    open: () => run(() => client.feed.openInbox()),
    close: () => run(() => client.feed.closeInbox()),
  };
}
