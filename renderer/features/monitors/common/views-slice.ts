// Views of the table that were saved under a name.
import type { SavedMonitorView } from '@rainbell/contract/app-rpc';
import type { SliceTools } from '../../../store/slice.ts';
import { callOrToast, type NewToast } from '../../../store/toasts-slice.ts';

export interface ViewsPart extends ReturnType<typeof createViewsPart> {}

export function createViewsPart(
  { client, change }: Pick<SliceTools<ViewsPart>, 'client' | 'change'>,
  show: (toast: NewToast) => void,
) {
  return {
    views: [] as readonly SavedMonitorView[],
    async loadViews(): Promise<void> {
      try {
        const { views } = await client.monitors.views();
        change({ views });
      } catch {
        // Views are a convenience; the list reports what is wrong with core.
      }
    },
    async replaceViews(views: readonly SavedMonitorView[]): Promise<void> {
      const done = await callOrToast(
        show,
        () => client.monitors.replaceViews({ views: [...views] }),
        'Couldn’t save the view',
      );
      if (done) change({ views });
    },
  };
}
