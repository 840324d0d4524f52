// Changes that agents propose and that wait for the user's consent.
import type { ConsentRequest } from '@rainbell/contract/app-rpc';
import { idle, type Request, runRequest } from '../../store/request.ts';
import type { Slice, SliceTools } from '../../store/slice.ts';

export type ConsentsSlice = ConsentsActions & {
  /** Oldest first. */
  consents: readonly ConsentRequest[];
  deciding: Request;
};

export type ConsentsActions = {
  load(): Promise<void>;
  decide(id: string, isAllowed: boolean): Promise<void>;
};

export function createConsentsSlice(tools: SliceTools<ConsentsSlice>): Slice<ConsentsSlice> {
  return {
    onConnectionChange: { does: 'keep', because: 'agents ask the app' },
    consents: [],
    deciding: idle,
    ...createConsentsActions(tools),
  };
}

function createConsentsActions({ client, change }: SliceTools<ConsentsSlice>): ConsentsActions {
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
