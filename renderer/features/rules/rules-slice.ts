// What the receiver answers: the rules and the pause, as core keeps them.
import type { HeldRequest, HeldResponse, ReceiverRules } from '@rainbell/contract/app-rpc';
import { idle, type Request, runRequest } from '../../store/request.ts';
import type { Slice, SliceTools } from '../../store/slice.ts';

export type RulesSlice = RulesActions & {
  values: ReceiverRules | null;
  request: Request;
  saving: Request;
  isOpen: boolean;
  /** Requests that wait for a manual response, oldest first. */
  held: readonly HeldRequest[];
  responding: Request;
  open(isOpen: boolean): void;
};

export type RulesActions = {
  loadHeld(): Promise<void>;
  respondToHeld(callbackId: number, response: HeldResponse): Promise<boolean>;
  load(): Promise<void>;
  replace(values: ReceiverRules): Promise<boolean>;
};

export function createRulesSlice(tools: SliceTools<RulesSlice>): Slice<RulesSlice> {
  const { change } = tools;
  return {
    onConnectionChange: { does: 'keep', because: 'rules are settings of the receiver' },
    values: null,
    request: idle,
    saving: idle,
    isOpen: false,
    held: [],
    responding: idle,
    open: (isOpen) => change({ isOpen, saving: idle }),
    ...createRulesActions(tools),
  };
}

function createRulesActions({ client, change }: SliceTools<RulesSlice>): RulesActions {
  return {
    async loadHeld() {
      const result = await client.rules.held().catch(() => undefined);
      if (result) change({ held: result.held });
    },
    async respondToHeld(callbackId, response) {
      const done = await runRequest(
        (responding) => change({ responding }),
        () => client.rules.respondToHeld({ callbackId, ...response }),
      );
      return done !== undefined;
    },
    async load() {
      const values = await runRequest(
        (request) => change({ request }),
        () => client.rules.get(),
      );
      if (values) change({ values });
    },
    async replace(wanted) {
      const values = await runRequest(
        (saving) => change({ saving }),
        () => client.rules.replace(wanted),
      );
      if (values) change({ values });
      return values !== undefined;
    },
  };
}
