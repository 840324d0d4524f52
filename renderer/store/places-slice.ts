// Place search for every field with a place. Each field has its own text and results; a late result for an older text is discarded.
import type { Place, PlaceBox } from '@rainbell/contract/app-rpc';
import { idle, type Request, runRequest } from './request.ts';
import type { SliceTools } from './slice.ts';

export type PlaceField = { text: string; found: readonly Place[]; request: Request };

export interface PlacesSlice extends ReturnType<typeof createPlacesSlice> {}

export const emptyPlaceField: PlaceField = { text: '', found: [], request: idle };

const maxNames = 80;

export function createPlacesSlice({ client, read, change }: SliceTools<PlacesSlice>) {
  const changeField = (field: string, part: Partial<PlaceField>) => {
    const { fields } = read();
    change({ fields: { ...fields, [field]: { ...(fields[field] ?? emptyPlaceField), ...part } } });
  };
  return {
    onConnectionChange: { does: 'keep', because: 'places come from the index in the app' } as const,
    /** For the names on a map; none if they can't be loaded. */
    within: (box: PlaceBox): Promise<readonly Place[]> =>
      client.places.within({ ...box, limit: maxNames }).catch(() => []),
    fields: {} as Readonly<Record<string, PlaceField>>,
    async search(field: string, text: string): Promise<void> {
      changeField(field, { text });
      if (text.trim() === '') {
        changeField(field, { found: [], request: idle });
        return;
      }
      const found = await runRequest(
        (request) => changeField(field, { request }),
        () => client.places.search({ text, limit: 8 }),
        { isCurrent: () => read().fields[field]?.text === text },
      );
      if (found) changeField(field, { found });
    },
  };
}
