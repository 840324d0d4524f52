// The user's settings, as core stores them. A change shows at once and is reverted if saving fails.
import { defaultSettings, type Place, type Settings } from '@rainbell/contract/app-rpc';
import { samePlace } from '../ui/text/format-place.ts';
import { idle, runRequest, toFailure } from './request.ts';
import type { OtherSlices } from './app-state.ts';
import type { SliceTools } from './slice.ts';

export interface SettingsSlice extends ReturnType<typeof createSettingsSlice> {}

const maxRecentPlaces = 8;

export function createSettingsSlice({ client, read, change }: SliceTools<SettingsSlice>, { show }: OtherSlices) {
  const complain = (message: string) => show({ tone: 'bad', message });
  // What core returns is older than the screen while a later change is on its way; the response to that one follows.
  let newestUpdate = 0;
  let updatesOnTheWay = 0;
  return {
    onConnectionChange: { does: 'keep', because: 'settings belong to the app' } as const,
    // What is shown until core has answered.
    values: { ...defaultSettings, savedPlaces: [], recentPlaces: [], recentCommands: [] } as Settings,
    /** The zone that a link requested; it applies to this window, until another zone is chosen. */
    linkedZone: null as Settings['zone'] | null,
    request: idle,
    showZone: (linkedZone: Settings['zone'] | null): void => change({ linkedZone }),
    async load(): Promise<void> {
      if (updatesOnTheWay > 0) return;
      const turn = newestUpdate;
      const values = await runRequest(
        (request) => change({ request }),
        () => client.settings.get(),
      );
      if (values && turn === newestUpdate) change({ values });
    },
    async update(part: Partial<Settings>): Promise<void> {
      const turn = ++newestUpdate;
      const before = read().values;
      change({ values: { ...before, ...part }, ...(part.zone === undefined ? {} : { linkedZone: null }) });
      updatesOnTheWay += 1;
      try {
        const values = await client.settings.update(part).finally(() => (updatesOnTheWay -= 1));
        if (turn === newestUpdate) change({ values });
      } catch (error) {
        if (turn === newestUpdate) change({ values: before });
        complain(`Couldn’t save the setting: ${toFailure(error).message}`);
        await read().load();
      }
    },
    /** Makes it the place shown, also at the next start, and the newest of the recent ones. */
    async showPlace(place: Place): Promise<void> {
      const others = read().values.recentPlaces.filter((recent) => !samePlace(recent, place));
      await read().update({ place, recentPlaces: [place, ...others].slice(0, maxRecentPlaces) });
    },
    /** Saves a place to the board, or takes it off. */
    async toggleSavedPlace(place: Place): Promise<void> {
      const { savedPlaces } = read().values;
      const others = savedPlaces.filter((saved) => !samePlace(saved, place));
      await read().update({ savedPlaces: others.length < savedPlaces.length ? others : [...savedPlaces, place] });
    },
  };
}
