// Selected callbacks, and what is done with many at once.
import type { CallbackChoice } from '#contract/app-rpc/callback-files.ts';
import { idle, type Request, runRequest } from '#renderer/store/request.ts';
import type { OtherSlices } from '#renderer/store/app-state.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';
import { formatCount } from '#renderer/ui/text/format-count.ts';

export type CallbackSelectionSlice = {
  marked: ReadonlySet<number>;
  /** All that the list finds up to this ID, also what is not loaded; null if not. `marked` is empty then. */
  allThroughId: number | null;
  deleting: Request;
  markAll(throughId: number): void;
  /** Selects it or not; after all were selected, it begins anew. */
  toggle(id: number): void;
  mark(ids: readonly number[]): void;
  unmarkAll(): void;
  /** Hides them at once; for 8 s a toast offers the way back. */
  remove(choice: CallbackChoice): Promise<boolean>;
};

export function createCallbackSelectionSlice(
  { client, read, change }: SliceTools<CallbackSelectionSlice>,
  { show }: OtherSlices,
): Slice<CallbackSelectionSlice> {
  async function undo(deletionId: string): Promise<void> {
    const restored = await runRequest(
      (deleting) => change({ deleting }),
      () => client.callbacks.undoDelete({ deletionId }),
    );
    if (restored) show({ tone: 'good', message: `${formatCount(restored.count, 'callback')} back.` });
  }
  return {
    onConnectionChange: { does: 'keep', because: 'the selected callbacks come from the receiver' },
    marked: new Set(),
    allThroughId: null,
    deleting: idle,
    toggle(id) {
      const marked = new Set(read().marked);
      if (!marked.delete(id)) marked.add(id);
      change({ marked, allThroughId: null });
    },
    mark: (ids) => change({ marked: new Set([...read().marked, ...ids]), allThroughId: null }),
    markAll: (throughId) => change({ marked: new Set(), allThroughId: throughId }),
    unmarkAll: () => change({ marked: new Set(), allThroughId: null }),
    async remove(choice) {
      const deleted = await runRequest(
        (deleting) => change({ deleting }),
        () => client.callbacks.delete({ choice }),
      );
      if (!deleted) return false;
      read().unmarkAll();
      const seconds = Math.max(1, (Date.parse(deleted.undoUntil) - Date.now()) / 1000);
      show({
        tone: 'plain',
        message: `${formatCount(deleted.count, 'callback')} deleted.`,
        seconds,
        action: { label: 'Undo', run: () => void undo(deleted.deletionId) },
      });
      return true;
    },
  };
}
