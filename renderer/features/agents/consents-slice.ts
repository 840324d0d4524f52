// Changes that agents propose and that wait for the user's consent.
import type { ConsentRequest } from '#contract/app-rpc/agents.ts';
import { idle, type Request } from '#renderer/store/request.ts';
import { laterModule } from '#renderer/ui/hooks/load-later.ts';
import { laterActions } from '#renderer/store/later-actions.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';

export type ConsentsSlice = ConsentsActions & {
  /** Oldest first. */
  consents: readonly ConsentRequest[];
  deciding: Request;
};

export type ConsentsActions = {
  load(): Promise<void>;
  decide(id: string, isAllowed: boolean): Promise<void>;
};

const loadActions = laterModule(() => import('./consents-actions.ts'));

export function createConsentsSlice(tools: SliceTools<ConsentsSlice>): Slice<ConsentsSlice> {
  return {
    onConnectionChange: { does: 'keep', because: 'agents ask the app' },
    consents: [],
    deciding: idle,
    ...laterActions({ load: true, decide: true }, loadActions, ({ createConsentsActions }) =>
      createConsentsActions(tools),
    ),
  };
}
