import type { Feature, Parts } from '../app/feature.ts';
import { sandboxId } from '../connection/connection.ts';
import { createInbox } from './inbox.ts';
import { createFeedReader } from './feed-reader.ts';

/** Reads events from the service's feed, for an app that no callback can reach. */
export function feed(parts: Parts): Feature<'feed'> {
  const { events, screens, settings, storage, activeConnection, receiver, rules, clock, log } = parts;
  const { feedCursors: cursors } = parts;
  const reader = createFeedReader({
    wanted() {
      if (!settings.get().readsFeed) return 'off';
      if (rules.get().pause !== 'off' || storage.isDamaged()) return 'paused';
      return activeConnection.present() ?? 'starting';
    },
    cursors,
    receiver,
    clock,
    log,
    onChanged: () => screens.publish({ topic: 'status' }),
  });
  for (const name of ['settingsChanged', 'connectionChanged', 'receiverRulesChanged', 'damageFound'] as const)
    events.on(name, reader.apply);
  events.on('connectionsChanged', () => {
    try {
      cursors.deleteExcept([sandboxId, ...settings.get().connections.map(({ id }) => id)]);
    } catch (error) {
      // Another program may lock the database. The next change of the connections deletes them.
      log.warn({ err: error }, 'feed cursors for deleted connections could not be deleted');
    }
  });
  const inbox = createInbox(activeConnection);
  return {
    handlers: { feed: { inbox: inbox.state, openInbox: inbox.open, closeInbox: inbox.close } },
    status: () => ({ feed: reader.state() }),
    resume: reader.resume,
    close: reader.close,
  };
}
