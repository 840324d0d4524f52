// Fronts that core found among the events, and what is silenced.
import type { Front, Silence } from '@rainbell/contract/app-rpc';
import { runRequest } from '../../../store/request.ts';
import type { SliceTools } from '../../../store/slice.ts';
import { failedToast, type NewToast } from '../../../store/toasts-slice.ts';

export type FrontsPart = FrontActions & { fronts: readonly Front[]; silences: readonly Silence[] };

export type FrontActions = {
  loadFronts(): Promise<void>;
  acknowledgeFront(id: string, note: string): Promise<void>;
  saveSilences(silences: readonly Silence[]): Promise<void>;
};

export function createFrontActions(
  { client, read, change }: SliceTools<FrontsPart>,
  show: (toast: NewToast) => void,
): FrontActions {
  const write = async (call: () => Promise<unknown>, failed: string) => {
    await runRequest((request) => {
      if (request.state === 'failed') show(failedToast(request.failure, failed));
    }, call);
    await read().loadFronts();
  };
  return {
    async loadFronts() {
      try {
        const { fronts, silences } = await client.monitorFronts.list();
        change({ fronts, silences });
      } catch {
        // The list of monitors reports what is wrong with the service.
      }
    },
    acknowledgeFront: (id, note) =>
      write(() => client.monitorFronts.acknowledge({ id, note }), 'Couldn’t acknowledge the front'),
    saveSilences: (silences) =>
      write(() => client.monitorFronts.replaceSilences({ silences: [...silences] }), 'Couldn’t update the silences'),
  };
}
