// What the website calls monitors: their places' names.
import type { Website, WebsiteDependencies } from '../website.ts';

type Dependencies = Pick<WebsiteDependencies, 'db' | 'locate'>;

export function createMonitorNames({ db, locate }: Dependencies): Website['nameMonitors'] {
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
