// Wires the feed: when it is read, where its events go, and which parts are notified of its state.
import type { DatabaseSync } from 'node:sqlite';
import type { Forwarder } from '../callbacks/forwarder.ts';
import type { ActiveConnection } from '../connection/active-connection.ts';
import { sandboxId } from '../connection/connection.ts';
import { createFeedReader, type FeedReader } from '../feed/feed-reader.ts';
import type { CoreEventHub } from '../ports/events.ts';
import type { Log } from '../ports/log.ts';
import { createFeedCursors } from '../receiver/records/feed-store.ts';
import type { ReceiverRulesStore } from '../receiver/rules/receiver-rules.ts';
import type { Receiver } from '../receiver/server/receiver.ts';
import type { AppSettings } from '../settings/app-settings.ts';
import type { Clock } from '@rainbell/shared';

type Dependencies = {
  events: CoreEventHub;
  db: DatabaseSync;
  settings: AppSettings;
  activeConnection: ActiveConnection;
  receiver: Receiver;
  rules: Pick<ReceiverRulesStore, 'get'>;
  forwarder: Pick<Forwarder, 'whenCaughtUp'>;
  isDamaged: () => boolean;
  clock: Clock;
  log: Log;
};

export function composeFeed(dependencies: Dependencies): FeedReader {
  const { events, db, settings, activeConnection, receiver, rules, forwarder, isDamaged, clock, log } = dependencies;
  const cursors = createFeedCursors(db);
  const feed = createFeedReader({
    wanted() {
      if (!settings.get().readsFeed) return 'off';
      if (rules.get().pause !== 'off' || isDamaged()) return 'paused';
      return activeConnection.present() ?? 'starting';
    },
    cursors,
    receiver,
    whenForwarded: forwarder.whenCaughtUp,
    clock,
    log,
    onChanged: () => events.emit('feedChanged'),
  });
  for (const name of ['settingsChanged', 'connectionChanged', 'receiverRulesChanged', 'damageFound'] as const)
    events.on(name, feed.apply);
  events.on('connectionsChanged', () => {
    try {
      cursors.deleteExcept([sandboxId, ...settings.get().connections.map(({ id }) => id)]);
    } catch (error) {
      // Another program may lock the database. The next change of the connections deletes them.
      log.warn({ err: error }, 'feed cursors for deleted connections could not be deleted');
    }
  });
  return feed;
}
