import type { InboxState } from '@rainbell/contract/app-rpc';
import { inboxSchema } from '@rainbell/contract/service-api';
import type { Feature, Parts } from '../app/feature.ts';
import { isUnknownAddress, readAs } from '../connection/api-client.ts';
import { createFeedReader } from './feed-reader.ts';

/** Reads events from the service's feed, for an app that no callback can reach. */
export function feed(parts: Parts): Feature<'feed'> {
  const { events, screens, settings, storage, activeConnection, rules } = parts;
  const reader = createFeedReader({
    wanted() {
      if (!settings.get().readsFeed) return 'off';
      if (rules.get().pause !== 'off' || storage.isDamaged()) return 'paused';
      return activeConnection.present() ?? 'starting';
    },
    ...parts,
    onChanged: () => screens.publish({ topic: 'status' }),
  });
  for (const name of ['settingsChanged', 'connectionChanged', 'receiverRulesChanged', 'damageFound'] as const)
    events.on(name, reader.apply);
  /** Its address is a secret, so what succeeds is not logged. */
  const callInbox = async (method: 'GET' | 'PUT' | 'DELETE') => {
    const { api } = await activeConnection.current();
    return api.call({ method, path: '/v2/inbox/', logged: 'on failure' });
  };
  const askInbox = async (method: 'GET' | 'PUT'): Promise<InboxState> => {
    const { url } = await readAs(await callInbox(method), inboxSchema, 'an unknown inbox');
    return { isOffered: true, url };
  };
  return {
    handlers: {
      feed: {
        inbox: () =>
          askInbox('GET').catch((error: unknown) => {
            if (isUnknownAddress(error)) return { isOffered: false, url: null };
            throw error;
          }),
        openInbox: () => askInbox('PUT'),
        async closeInbox() {
          await callInbox('DELETE');
          return { isOffered: true, url: null };
        },
      },
    },
    status: () => ({ feed: reader.state() }),
    resume: reader.resume,
    close: reader.close,
  };
}
