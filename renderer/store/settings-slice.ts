// The user's settings, as core publishes them in notices. A change shows at once and is reverted if saving fails.
import { defaultSettings, type Place, type Settings } from '@rainbell/contract/app-rpc';
import { samePlace } from '../ui/text/format-place.ts';
import { toFailure } from './request.ts';
import type { OtherSlices } from './app-state.ts';
import type { SliceTools } from './slice.ts';

export interface SettingsSlice extends ReturnType<typeof createSettingsSlice> {}

const maxRecentPlaces = 8;

export function createSettingsSlice({ client, read, change }: SliceTools<SettingsSlice>, { show }: OtherSlices) {
  const first = Promise.withResolvers<void>();
  let stored = defaultSettings;
  const onTheWay: Partial<Settings>[] = [];
  const showNewest = (): void => change({ values: Object.assign({}, stored, ...onTheWay) as Settings });
  return {
    onConnectionChange: { does: 'keep', because: 'settings belong to the app' } as const,
    // What is shown until core has reported.
    values: stored,
    isKnown: false,
    whenKnown: first.promise,
    /** The zone that a link requested; it applies to this window, until another zone is chosen. */
    linkedZone: null as Settings['zone'] | null,
    showZone: (linkedZone: Settings['zone'] | null): void => change({ linkedZone }),
    /** What core has stored now, changed here or elsewhere. */
    receive(values: Settings): void {
      stored = values;
      showNewest();
      change({ isKnown: true });
      first.resolve();
    },
    async update(part: Partial<Settings>): Promise<void> {
      onTheWay.push(part);
      showNewest();
      if (part.zone !== undefined) change({ linkedZone: null });
      try {
        await client.settings.update(part);
        stored = { ...stored, ...part };
      } catch (error) {
        show({ tone: 'bad', message: `Couldn’t save the setting: ${toFailure(error).message}` });
      }
      onTheWay.splice(onTheWay.indexOf(part), 1);
      showNewest();
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
