// Selected callbacks, and what is done with many at once, or with two.
import type { Callback, CallbackChoice } from '@rainbell/contract/app-rpc';
import { idle } from '../../../store/request.ts';
import type { OtherSlices } from '../../../store/app-state.ts';
import type { SliceTools } from '../../../store/slice.ts';
import type { CallbackLog } from '../common/callback-log.ts';
import { plural } from '@rainbell/shared';

export interface CallbackSelectionSlice extends ReturnType<typeof createCallbackSelectionSlice> {}

export function createCallbackSelectionSlice(
  { client, read, change, run, runCancelable }: SliceTools<CallbackSelectionSlice>,
  { get, show }: OtherSlices,
) {
  async function undo(deletionId: string): Promise<void> {
    const restored = await run('deleting', () => client.callbacks.undoDelete({ deletionId }));
    if (restored)
      show({ tone: 'good', message: plural(restored.count, ['# callback restored', '# callbacks restored']) });
  }
  return {
    onConnectionChange: { does: 'keep', because: 'the selected callbacks come from the receiver' } as const,
    selected: new Set() as ReadonlySet<number>,
    /** All that the list finds up to this ID, also what is not loaded; null if not. `selected` is empty then. */
    allThroughId: null as number | null,
    /** How many those are; null until they are counted. */
    allCount: null as number | null,
    deleting: idle,
    compared: null as { older: Callback; newer: Callback } | null,
    comparing: idle,
    /** Selects it or not; after all were selected, the selection restarts. */
    toggle(id: number): void {
      const selected = new Set(read().selected);
      if (!selected.delete(id)) selected.add(id);
      change({ selected, allThroughId: null });
    },
    selectMany: (ids: readonly number[]): void =>
      change({ selected: new Set([...read().selected, ...ids]), allThroughId: null }),
    async selectAll(throughId: number): Promise<void> {
      change({ selected: new Set(), allThroughId: throughId, allCount: null });
      const { filter } = get().callbackSearch;
      const result = await client.callbacks.count({ ...filter, throughId }).catch(() => null);
      const isCurrent = read().allThroughId === throughId && get().callbackSearch.filter === filter;
      if (result && isCurrent) change({ allCount: result.count });
    },
    /** Without what the list no longer shows. */
    keep({ newer, older }: CallbackLog): void {
      const { selected } = read();
      const ids = [...newer, ...older].map(({ id }) => id);
      change({ selected: new Set(ids.filter((id) => selected.has(id))), allThroughId: null });
    },
    clear: (): void => change({ selected: new Set(), allThroughId: null }),
    async compare(olderId: number, newerId: number): Promise<void> {
      // What was compared before goes first: bodies are large.
      change({ compared: null });
      const pair = await runCancelable('comparing', (signal) =>
        Promise.all([
          client.callbacks.get({ id: olderId }, { signal }),
          client.callbacks.get({ id: newerId }, { signal }),
        ]),
      );
      if (pair) change({ compared: { older: pair[0], newer: pair[1] } });
    },
    /** Hides them at once; for 8 s a toast offers the way back. */
    async remove(choice: CallbackChoice): Promise<boolean> {
      const deleted = await run('deleting', () => client.callbacks.delete({ choice }));
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
