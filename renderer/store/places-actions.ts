// Searches places for a field: loaded after the first screen.
import { emptyPlaceField, type PlaceField, type PlacesActions, type PlacesSlice } from './places-slice.ts';
import { idle, runRequest } from './request.ts';
import type { SliceTools } from './slice.ts';

export function createPlacesActions({ client, read, change }: SliceTools<PlacesSlice>): PlacesActions {
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
