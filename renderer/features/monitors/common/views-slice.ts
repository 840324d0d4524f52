// Views of the table that were saved under a name.
import type { SavedMonitorView } from '@rainbell/contract/app-rpc';
import { runRequest } from '../../../store/request.ts';
import type { SliceTools } from '../../../store/slice.ts';
import { failedToast, type NewToast } from '../../../store/toasts-slice.ts';

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
      const done = await runRequest(
        (request) => {
          if (request.state === 'failed') show(failedToast(request.failure, 'Couldn’t save the view'));
        },
        () => client.monitors.replaceViews({ views: [...views] }),
      );
      if (done) change({ views });
    },
  };
}
