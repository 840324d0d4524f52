// What the receiver answers: the rules and the pause, as core keeps them.
import type { HeldResponse, HeldRequest, ReceiverRules } from '#contract/app-rpc/rules.ts';
import { idle, type Request } from '#renderer/store/request.ts';
import { laterModule } from '#renderer/ui/hooks/load-later.ts';
import { laterActions } from '#renderer/store/later-actions.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';

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

const loadActions = laterModule(() => import('./rules-actions.ts'));

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
    ...laterActions(
      { loadHeld: true, respondToHeld: true, load: true, replace: true },
      loadActions,
      ({ createRulesActions }) => createRulesActions(tools),
    ),
  };
}
