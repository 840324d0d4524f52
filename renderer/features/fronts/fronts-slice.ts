// Fronts that core found among the events, what is silenced, and which dialog about them is open.
import type { Front, Silence } from '@rainbell/contract/app-rpc';
import type { OtherSlices } from '../../store/app-state.ts';
import { runRequest } from '../../store/request.ts';
import type { SliceTools } from '../../store/slice.ts';
import { failedToast } from '../../store/toasts-slice.ts';
import { selectMonitors } from '../monitors/selectors.ts';

type FrontDialog = { kind: 'acknowledge' | 'silence'; front: Front } | null;

export interface FrontsSlice extends ReturnType<typeof createFrontsSlice> {}

export function createFrontsSlice({ client, read, change }: SliceTools<FrontsSlice>, { get, show }: OtherSlices) {
  const write = async (call: () => Promise<unknown>, failed: string) => {
    await runRequest((request) => {
      if (request.state === 'failed') show(failedToast(request.failure, failed));
    }, call);
    await read().load();
  };
  return {
    onConnectionChange: { does: 'reset', keeping: [] } as const,
    items: [] as readonly Front[],
    silences: [] as readonly Silence[],
    dialog: null as FrontDialog,
    openDialog: (dialog: FrontDialog): void => change({ dialog }),
    /** After the monitors were read. */
    async load(): Promise<void> {
      if (selectMonitors(get()).length === 0 && read().items.length === 0) return;
      try {
        const { fronts, silences } = await client.monitorFronts.list();
        change({ items: fronts, silences });
      } catch {
        // The list of monitors reports what is wrong with the service.
      }
    },
    acknowledge: (id: string, note: string): Promise<void> =>
      write(() => client.monitorFronts.acknowledge({ id, note }), 'Couldn’t acknowledge the front'),
    saveSilences: (silences: readonly Silence[]): Promise<void> =>
      write(() => client.monitorFronts.replaceSilences({ silences: [...silences] }), 'Couldn’t update the silences'),
  };
}

/** The value of `front:` for the monitors that failed in a front. */
export function failedFront(frontId: string): string {
  return `${frontId}:failed`;
}

/** In lower case, as the filter compares them. */
export function termsByMonitor(fronts: readonly Front[]): ReadonlyMap<string, readonly string[]> {
  const byMonitor = new Map<string, string[]>();
  const add = (monitorIds: readonly string[], term: string) => {
    for (const monitorId of monitorIds)
      byMonitor.set(monitorId, [...(byMonitor.get(monitorId) ?? []), term.toLowerCase()]);
  };
  for (const { id, monitorIds, failedIds } of fronts) {
    add(monitorIds, id);
    add(failedIds, failedFront(id));
  }
  return byMonitor;
}
