import { lazy } from 'react';
import type { Front, NewSilence, Silence } from '@rainbell/contract/app-rpc';
import { formatInstant } from '@rainbell/shared';
import type { Feature, OtherSlices } from '../../store/app-state.ts';
import type { SlicesOf, SliceTools } from '../../store/slice.ts';
import { callOrToast } from '../../store/toasts-slice.ts';
import { selectMonitorsReadAt, selectServiceOffers } from '../monitors/selectors.ts';

type FrontDialog = { kind: 'acknowledge' | 'silence'; front: Front } | null;
/** Epoch milliseconds by the service's clock. */
type FrontDay = { from: number; to: number } | null;

interface FrontsSlice extends ReturnType<typeof createFrontsSlice> {}

/** Fronts from the service's record of events, what is silenced, and which dialog about them is open. */
function createFrontsSlice({ client, read, change }: SliceTools<FrontsSlice>, { get, show }: OtherSlices) {
  const write = async (call: () => Promise<unknown>, failed: string) => {
    await callOrToast(show, call, failed);
    await read().load();
  };
  return {
    onConnectionChange: { does: 'reset', keeping: [] } as const,
    isAvailable: false,
    items: [] as readonly Front[],
    silences: [] as readonly Silence[],
    /** Earlier fronts are missing, because the record has too many events. */
    missingBefore: null as string | null,
    /** Null: the last 24 hours. */
    day: null as FrontDay,
    dialog: null as FrontDialog,
    openDialog: (dialog: FrontDialog): void => change({ dialog }),
    async load(): Promise<void> {
      const { day, items, silences } = read();
      // A service without states of deliveries has no record of events.
      if (selectServiceOffers(get()) === null) return;
      try {
        const range = day === null ? {} : { from: formatInstant(day.from), to: formatInstant(day.to) };
        const { fronts, ...rest } = await client.monitorFronts.list(range);
        if (read().day !== day) return;
        // Most of the time nothing is new; then the monitors are not searched again.
        const isNew = JSON.stringify([fronts, rest.silences]) !== JSON.stringify([items, silences]);
        if (isNew || rest.isAvailable !== read().isAvailable || rest.missingBefore !== read().missingBefore)
          change({ items: fronts, ...rest });
      } catch {
        // The list of monitors reports what is wrong with the service.
      }
    },
    async showDay(day: FrontDay): Promise<void> {
      change({ day });
      await read().load();
    },
    acknowledge: (id: string, note: string): Promise<void> =>
      write(() => client.monitorFronts.acknowledge({ id, note }), 'Couldn’t acknowledge the front'),
    silence(hours: number, silence: Omit<NewSilence, 'until'>): Promise<void> {
      const until = formatInstant(Date.now() + hours * 3_600_000);
      return write(() => client.monitorFronts.silence({ ...silence, until }), 'Couldn’t silence the monitors');
    },
    endSilence: (id: string): Promise<void> =>
      write(() => client.monitorFronts.endSilence({ id }), 'Couldn’t end the silence'),
  };
}

const slices = { fronts: createFrontsSlice };
declare module '../../store/app-state.ts' {
  interface AppState extends SlicesOf<typeof slices> {}
}

export const fronts: Feature = {
  slices,
  dialogs: [
    {
      isOpen: (state) => state.fronts.dialog !== null,
      View: lazy(async () => ({ default: (await import('./FrontDialog.tsx')).FrontDialog })),
    },
  ],
  parts: { 'monitors top': lazy(async () => ({ default: (await import('./FrontLines.tsx')).FrontLines })) },
  afterChange(state, before) {
    // Not after each event: finding the fronts in a day of events takes time, and FrontLines reloads them while it is open.
    const isListRead = selectMonitorsReadAt(state) !== selectMonitorsReadAt(before);
    const isOffered = selectServiceOffers(before) === null && selectServiceOffers(state) !== null;
    if (isListRead || isOffered) void state.fronts.load();
  },
};
