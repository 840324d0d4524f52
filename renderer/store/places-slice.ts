// Place search for every field with a place. Each field has its own text and results; a late result for an older text is discarded.
import type { Place } from '#contract/app-rpc/places.ts';
import { laterModule } from '#renderer/ui/hooks/load-later.ts';
import { laterActions } from './later-actions.ts';
import { idle, type Request } from './request.ts';
import type { Slice, SliceTools } from './slice.ts';

export type PlaceField = { text: string; found: readonly Place[]; request: Request };

export type PlacesSlice = PlacesActions & {
  fields: Readonly<Record<string, PlaceField>>;
};

export type PlacesActions = {
  search(field: string, text: string): Promise<void>;
};

export const emptyPlaceField: PlaceField = { text: '', found: [], request: idle };

const loadActions = laterModule(() => import('./places-actions.ts'));

export function createPlacesSlice(tools: SliceTools<PlacesSlice>): Slice<PlacesSlice> {
  return {
    onConnectionChange: { does: 'keep', because: 'places come from the index in the app' },
    fields: {},
    ...laterActions({ search: true }, loadActions, ({ createPlacesActions }) => createPlacesActions(tools)),
  };
}
