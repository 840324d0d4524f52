// Chooses, tests, and writes connections: loaded after the first screen.
import type { SavedConnection } from '#contract/app-rpc/connections.ts';
import { idle, runCancelableRequest, runRequest } from '#renderer/store/request.ts';
import type { OtherSlices } from '#renderer/store/app-state.ts';
import type { SliceTools } from '#renderer/store/slice.ts';
import { failedToast } from '#renderer/store/toasts-slice.ts';
import type { ConnectionActions, ConnectionsSlice, ConnectionTest } from './connections-slice.ts';

export function createConnectionActions(tools: SliceTools<ConnectionsSlice>, { show }: OtherSlices): ConnectionActions {
  const { client, read, change } = tools;
  const save = async (call: () => Promise<SavedConnection>, done: (name: string) => string): Promise<boolean> => {
    const saved = await runRequest((saving) => change({ saving }), call);
    if (!saved) return false;
    const { [saved.id]: _outdated, ...tests } = read().tests;
    change({ editor: null, tests });
    show({ tone: 'good', message: done(saved.name) });
    await read().load();
    return true;
  };
  return {
    async select(id) {
      if (id === read().selectedId) return;
      const list = await runRequest(
        (selecting) => {
          change({ selecting });
          if (selecting.state === 'failed') show(failedToast(selecting.failure));
        },
        () => client.connections.select({ id }),
      );
      if (list) change({ items: list.connections, selectedId: list.selectedId });
    },
    create: (fields, clientSecret) =>
      save(
        () => client.connections.create({ ...fields, clientSecret }),
        (name) => `Created ${name}`,
      ),
    update: (id, changes, clientSecret) =>
      save(
        () => client.connections.update({ id, changes, ...(clientSecret === undefined ? {} : { clientSecret }) }),
        (name) => `Saved ${name}`,
      ),
    async delete(id) {
      const deleted = await runRequest(
        (deleting) => change({ deleting }),
        () => client.connections.delete({ id }),
      );
      if (deleted) await read().load();
      return deleted !== undefined;
    },
    test: (id) => testConnection(tools, id),
  };
}

async function testConnection({ client, read, change }: SliceTools<ConnectionsSlice>, id: string): Promise<void> {
  const put = (part: Partial<ConnectionTest>) => {
    const known = read().tests[id] ?? { request: idle, testedAt: null, steps: [] };
    change({ tests: { ...read().tests, [id]: { ...known, ...part } } });
  };
  const result = await runCancelableRequest(
    (request) => put({ request }),
    (signal) => client.connections.test({ id }, { signal }),
  );
  if (result) put(result);
}
