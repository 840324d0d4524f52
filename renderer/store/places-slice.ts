// Place search for every field with a place. Each field has its own text and results; a late result for an older text is discarded.
import type { Place } from '@rainbell/contract/app-rpc';
import { idle, type Request, runRequest } from './request.ts';
import type { Slice, SliceTools } from './slice.ts';

export type PlaceField = { text: string; found: readonly Place[]; request: Request };

export type PlacesSlice = PlacesActions & {
  fields: Readonly<Record<string, PlaceField>>;
};

export type PlacesActions = {
  search(field: string, text: string): Promise<void>;
};

export const emptyPlaceField: PlaceField = { text: '', found: [], request: idle };

export function createPlacesSlice(tools: SliceTools<PlacesSlice>): Slice<PlacesSlice> {
  return {
    onConnectionChange: { does: 'keep', because: 'places come from the index in the app' },
    fields: {},
    ...createPlacesActions(tools),
  };
}

function createPlacesActions({ client, read, change }: SliceTools<PlacesSlice>): PlacesActions {
  const changeField = (field: string, part: Partial<PlaceField>) => {
    const { fields } = read();
    change({ fields: { ...fields, [field]: { ...(fields[field] ?? emptyPlaceField), ...part } } });
  };
  return {
    async search(field, text) {
      changeField(field, { text });
      if (text.trim() === '') {
        changeField(field, { found: [], request: idle });
        return;
      }
      const isCurrent = () => read().fields[field]?.text === text;
      const found = await runRequest(
        (request) => {
          if (isCurrent()) changeField(field, { request });
        },
        () => client.places.search({ text, limit: 8 }),
      );
      if (found && isCurrent()) changeField(field, { found });
    },
  };
}
