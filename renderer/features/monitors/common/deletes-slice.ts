// Deletes that core holds back for some seconds, with Undo.
import type { AppMonitor } from '@rainbell/contract/app-rpc';
import type { SliceTools } from '../../../store/slice.ts';
import { callOrToast, type NewToast } from '../../../store/toasts-slice.ts';
import { plural } from '@rainbell/shared';
import type { MonitorListState } from './monitor-list-slice.ts';

export interface DeletesPart extends ReturnType<typeof createDeletesPart> {}

const undoSeconds = 8;

export function createDeletesPart(
  { client, read, change }: SliceTools<MonitorListState & DeletesPart>,
  show: (toast: NewToast) => void,
) {
  const setDeletion = (ids: ReadonlySet<string>, deletion: AppMonitor['deletion']) =>
    change({ items: read().items.map((monitor) => (ids.has(monitor.id) ? { ...monitor, deletion } : monitor)) });
  return {
    async deleteLater(ids: readonly string[]): Promise<void> {
      const result = await callOrToast(
        show,
        () => client.monitors.deleteLater({ ids: [...ids] }),
        'Nothing was deleted',
      );
      if (!result) return;
      setDeletion(new Set(ids), { state: 'held' });
      const [first, ...others] = ids;
      show({
        tone: 'plain',
        message:
          others.length === 0 ? `Deleting ${first}` : plural(ids.length, ['Deleting # monitor', 'Deleting # monitors']),
        seconds: undoSeconds,
        action: { label: 'Undo', run: () => void read().undoDelete(ids) },
      });
    },
    async undoDelete(ids: readonly string[]): Promise<void> {
      const result = await callOrToast(show, () => client.monitors.undoDelete({ ids: [...ids] }));
      if (!result) return;
      setDeletion(new Set(result.restored), null);
      const late = ids.length - result.restored.length;
      if (late > 0)
        show({
          tone: 'bad',
          message: plural(late, [
            'Couldn’t keep # monitor: already deleted',
            'Couldn’t keep # monitors: already deleted',
          ]),
        });
    },
  };
}
