import type { Notice } from '@rainbell/contract/app-rpc';
import type { Feature, Parts } from '../app/feature.ts';
import { createBoundedRate } from '../ports/bounded-rate.ts';
import { createReadMarks } from './read-marks.ts';

/** Stored callbacks: their list, and what is known of one. */
export function callbacks(parts: Parts): Feature<'callbacks'> {
  const { callbacks: stored, pages, webhookSecrets, screens, events, clock } = parts;
  let readings = 0;
  const readMarks = createReadMarks({
    ...parts,
    onChanged() {
      readings += 1;
      screens.publish({ topic: 'callbacks-read', version: readings });
    },
  });
  let changes = 0;
  const counts = (): Notice => ({ topic: 'callbacks', ...pages.counts() });
  const changesNotice = (): Notice => ({ topic: 'callback-changes', version: changes });
  events.on('callbacksArrived', () => screens.publish(counts()));
  // A replay of many changes callbacks many times a second, and screens read their lists again.
  const changed = createBoundedRate(clock, 500, () => {
    changes += 1;
    for (const notice of [counts(), changesNotice()]) screens.publish(notice);
  });
  events.on('callbacksChanged', changed.report);
  return {
    handlers: {
      callbacks: {
        ...stored.handlers,
        unread: readMarks.unread,
        markRead({ input }) {
          readMarks.mark(input.throughId);
          return readMarks.unread();
        },
        webhookSecret: async () => ({ source: await webhookSecrets.source() }),
        setWebhookSecret: ({ input }) => webhookSecrets.set(input.secret),
      },
    },
    status: () => ({ callbackCount: pages.counts().total, newestCallbackId: pages.counts().newestId }),
    notices: () => [counts(), changesNotice()],
    close: changed.cancel,
  };
}
