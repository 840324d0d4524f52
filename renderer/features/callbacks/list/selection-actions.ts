// Selects callbacks, and deletes many at once: loaded after the first screen.
import { runRequest } from '#renderer/store/request.ts';
import type { OtherSlices } from '#renderer/store/app-state.ts';
import type { SliceTools } from '#renderer/store/slice.ts';
import { plural } from '#shared/text/plural.ts';
import type { CallbackSelectionActions, CallbackSelectionSlice } from './selection-slice.ts';

export function createCallbackSelectionActions(
  { client, read, change }: SliceTools<CallbackSelectionSlice>,
  { show }: OtherSlices,
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
    selectAll: (throughId) => change({ selected: new Set(), allThroughId: throughId }),
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
