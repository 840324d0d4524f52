// Where the service receives webhooks of any sender for this app, while it is closed.
import type { InboxState } from '@rainbell/contract/app-rpc';
import { idle } from '../../../store/request.ts';
import type { SliceTools } from '../../../store/slice.ts';

export interface InboxSlice extends ReturnType<typeof createInboxSlice> {}

export function createInboxSlice({ client, change, run }: SliceTools<InboxSlice>) {
  const ask = (question: () => Promise<InboxState>): Promise<void> =>
    run('request', async () => change({ state: await question() }));
  return {
    onConnectionChange: { does: 'reset', keeping: [] } as const,
    /** Null until it is loaded. */
    state: null as InboxState | null,
    request: idle,
    load: () => ask(() => client.feed.inbox()),
    open: () => ask(() => client.feed.openInbox()),
    close: () => ask(() => client.feed.closeInbox()),
  };
}
