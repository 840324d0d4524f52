// The inbox of the active connection's service (docs/feed.md). Its address is a secret, so these responses are not logged.
import { inboxSchema } from '@rainbell/contract/service-api';
import type { InboxState } from '@rainbell/contract/app-rpc';
import { readAs } from '../connection/api-client.ts';
import type { ActiveConnection } from '../connection/active-connection.ts';
import { AppFailure } from '../errors/app-failure.ts';

const path = '/v2/inbox/';
const logged = 'on failure';

export function createInbox(activeConnection: ActiveConnection) {
  async function ask(method: 'GET' | 'PUT'): Promise<InboxState> {
    const { api } = await activeConnection.current();
    const response = await api.call({ method, path, logged });
    const { url } = await readAs(response, inboxSchema, 'an unknown inbox');
    return { isOffered: true, url };
  }

  return {
    async state(): Promise<InboxState> {
      try {
        return await ask('GET');
      } catch (error) {
        if (error instanceof AppFailure && error.details.httpStatus === 404) return { isOffered: false, url: null };
        throw error;
      }
    },
    open: () => ask('PUT'),
    async close(): Promise<InboxState> {
      const { api } = await activeConnection.current();
      await api.call({ method: 'DELETE', path, logged });
      return { isOffered: true, url: null };
    },
  };
}
