// Reads what agents propose, and sends the user's decision: loaded after the first screen.
import { runRequest } from '#renderer/store/request.ts';
import type { SliceTools } from '#renderer/store/slice.ts';
import type { ConsentsActions, ConsentsSlice } from './consents-slice.ts';

export function createConsentsActions({ client, change }: SliceTools<ConsentsSlice>): ConsentsActions {
  return {
    async load() {
      const result = await client.agents.consents().catch(() => undefined);
      if (result) change({ consents: result.consents });
    },
    async decide(id, isAllowed) {
      await runRequest(
        (deciding) => change({ deciding }),
        () => client.agents.decide({ id, isAllowed }),
      );
    },
  };
}
