// Selected callbacks, and what is done with many at once.
import type { CallbackChoice } from '#contract/app-rpc/callback-files.ts';
import { laterActions } from '#renderer/store/later-actions.ts';
import { idle, type Request } from '#renderer/store/request.ts';
import type { OtherSlices } from '#renderer/store/app-state.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';
import { laterModule } from '#renderer/ui/hooks/load-later.ts';

export type CallbackSelectionSlice = CallbackSelectionActions & {
  selected: ReadonlySet<number>;
  /** All that the list finds up to this ID, also what is not loaded; null if not. `selected` is empty then. */
  allThroughId: number | null;
  deleting: Request;
};

export type CallbackSelectionActions = {
  selectAll(throughId: number): void;
  /** Selects it or not; after all were selected, the selection restarts. */
  toggle(id: number): void;
  selectMany(ids: readonly number[]): void;
  clear(): void;
  /** Hides them at once; for 8 s a toast offers the way back. */
  remove(choice: CallbackChoice): Promise<boolean>;
};

const loadActions = laterModule(() => import('./selection-actions.ts'));

export function createCallbackSelectionSlice(
  tools: SliceTools<CallbackSelectionSlice>,
  others: OtherSlices,
): Slice<CallbackSelectionSlice> {
  return {
    onConnectionChange: { does: 'keep', because: 'the selected callbacks come from the receiver' },
    selected: new Set(),
    allThroughId: null,
    deleting: idle,
    ...laterActions(
      { selectAll: true, toggle: true, selectMany: true, clear: true, remove: true },
      loadActions,
      ({ createCallbackSelectionActions }) => createCallbackSelectionActions(tools, others),
    ),
  };
}
