// What the receiver answers: the rules and the pause, as core keeps them.
import type { ReceiverRules } from '#contract/app-rpc/rules.ts';
import { idle, type Request, runRequest } from '#renderer/store/request.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';

export type RulesSlice = {
  values: ReceiverRules | null;
  request: Request;
  saving: Request;
  isOpen: boolean;
  open(isOpen: boolean): void;
  load(): Promise<void>;
  replace(values: ReceiverRules): Promise<boolean>;
};

export function createRulesSlice({ client, change }: SliceTools<RulesSlice>): Slice<RulesSlice> {
  return {
    onConnectionChange: { does: 'keep', because: 'rules are settings of the receiver' },
    values: null,
    request: idle,
    saving: idle,
    isOpen: false,
    open: (isOpen) => change({ isOpen, saving: idle }),
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
