// What the website calls monitors: their places' names.
import type { Kysely } from 'kysely';
import type { LatLng, Location } from '@rainbell/contract/service-api';
import type { Tables } from '../../database/tables.ts';

/** By ID. Those that were deleted, or are near no town, have none. */
export type NameMonitors = (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

export function createMonitorNames(
  db: Kysely<Tables>,
  locate: (place: LatLng) => Promise<Location | undefined>,
): NameMonitors {
  return async (ids) => {
    if (ids.length === 0) return new Map();
    const rows = await db
      .selectFrom('monitors')
      .select(['id', 'latitude', 'longitude'])
      .where('id', 'in', ids)
      .execute();
    const named = rows.map(async ({ id, latitude, longitude }): Promise<[string, string]> => {
      const { locality, country } = (await locate({ lat: Number(latitude), lng: Number(longitude) })) ?? {};
      return [id, [locality, country].filter((part) => part !== undefined).join(', ')];
    });
    return new Map(await Promise.all(named));
  };
}
