// The envelope of list responses (docs/interface.md §2.1).
import { z } from 'zod';

/** `{objects, meta}`; `meta` is an empty object in all known responses; other members are tolerated. */
export function collectionSchema<Item extends z.ZodType>(item: Item) {
  return z.looseObject({ objects: z.array(item), meta: z.looseObject({}).optional() });
}

export type Collection<Item> = { objects: Item[]; meta: Record<string, never> };

export function collection<Item>(objects: Item[]): Collection<Item> {
  return { objects, meta: {} };
}
