// Selected callbacks, and what is done with many at once.
import type { CallbackChoice } from '@rainbell/contract/app-rpc';
import { idle, type Request, runRequest } from '../../../store/request.ts';
import type { OtherSlices } from '../../../store/app-state.ts';
import type { Slice, SliceTools } from '../../../store/slice.ts';
import { plural } from '@rainbell/shared';

export type CallbackSelectionSlice = CallbackSelectionActions & {
  selected: ReadonlySet<number>;
  /** All that the list finds up to this ID, also what is not loaded; null if not. `selected` is empty then. */
  allThroughId: number | null;
  /** How many those are; null until they are counted. */
  allCount: number | null;
  deleting: Request;
};

export type CallbackSelectionActions = {
  selectAll(throughId: number): Promise<void>;
  /** Selects it or not; after all were selected, the selection restarts. */
  toggle(id: number): void;
  selectMany(ids: readonly number[]): void;
  clear(): void;
  /** Hides them at once; for 8 s a toast offers the way back. */
  remove(choice: CallbackChoice): Promise<boolean>;
};

export function createCallbackSelectionSlice(
  tools: SliceTools<CallbackSelectionSlice>,
  others: OtherSlices,
): Slice<CallbackSelectionSlice> {
  return {
    onConnectionChange: { does: 'keep', because: 'the selected callbacks come from the receiver' },
    selected: new Set(),
    allThroughId: null,
    allCount: null,
    deleting: idle,
    ...createCallbackSelectionActions(tools, others),
  };
}

function createCallbackSelectionActions(
  { client, read, change }: SliceTools<CallbackSelectionSlice>,
  { get, show }: OtherSlices,
): CallbackSelectionActions {
  async function undo(deletionId: string): Promise<void> {
    const restored = await runRequest(
      (deleting) => change({ deleting }),
      () => client.callbacks.undoDelete({ deletionId }),
    );
    if (restored)
      show({ tone: 'good', message: plural(restored.count, ['# callback restored', '# callbacks restored']) });
  }
  return {
    toggle(id) {
      const selected = new Set(read().selected);
      if (!selected.delete(id)) selected.add(id);
      change({ selected, allThroughId: null });
    },
    selectMany: (ids) => change({ selected: new Set([...read().selected, ...ids]), allThroughId: null }),
    async selectAll(throughId) {
      change({ selected: new Set(), allThroughId: throughId, allCount: null });
      const { filter } = get().callbackSearch;
      const result = await client.callbacks.count({ ...filter, throughId }).catch(() => null);
      const isCurrent = read().allThroughId === throughId && get().callbackSearch.filter === filter;
      if (result && isCurrent) change({ allCount: result.count });
    },
    clear: () => change({ selected: new Set(), allThroughId: null }),
    async remove(choice) {
      const deleted = await runRequest(
        (deleting) => change({ deleting }),
        () => client.callbacks.delete({ choice }),
      );
      if (!deleted) return false;
      read().clear();
      const seconds = Math.max(1, (Date.parse(deleted.undoUntil) - Date.now()) / 1000);
      show({
        tone: 'plain',
        message: plural(deleted.count, ['# callback deleted', '# callbacks deleted']),
        seconds,
        action: { label: 'Undo', run: () => void undo(deleted.deletionId) },
      });
      return true;
    },
  };
}
