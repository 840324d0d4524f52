// Metags in the database. Valid for half an hour, deleted after a day. A user's newer report about the same place replaces the
// older one, so that no one outvotes others by repeating.
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Clock } from '@rainbell/shared';
import { distanceKm, type LatLng, type Status } from '@rainbell/contract/service-api';
import type { Tables } from '../database/tables.ts';
import { ServiceError } from '../errors/service-error.ts';
import { newId } from '../secrets/random-text.ts';
import type { MetagTables } from './tables.ts';

export const metagRadiusKm = 5;
export const metagMinutes = 30;
const retentionMs = 86_400_000;
const listLimit = 500;
/** Rounded down, so that a rectangle is never too small. */
const kmPerDegree = 111;

export type Metag = Selectable<MetagTables['metags']>;
export type NewMetag = { applicationId: string; accountId: string; geo: LatLng; status: Status };
/** South-west and north-east corner. If `west` is greater than `east`, it crosses the antimeridian. */
export type Rectangle = { south: number; west: number; north: number; east: number };

/** The reports that weather uses: those valid at a place now, newest first. */
export type MetagPort = { reportsNear(place: LatLng, radiusKm?: number): Promise<Metag[]> };

export type MetagStore = MetagPort & {
  /** Throws `access_denied` if the account was deleted. */
  add(metag: NewMetag): Promise<Metag>;
  /** Returns undefined if it is not valid now. */
  find(id: string): Promise<Metag | undefined>;
  /** Returns those valid now, newest first, at most 500. */
  inside(rectangle: Rectangle): Promise<Metag[]>;
};

export function createMetagStore({ db, clock }: { db: Kysely<Tables>; clock: Clock }): MetagStore {
  const counting = () =>
    db
      .selectFrom('metags')
      .selectAll()
      .where('created_at', '>', clock.now() - metagMinutes * 60_000)
      // Moving a clock back leaves reports in the future; they are not valid.
      .where('created_at', '<=', clock.now())
      .orderBy('created_at', 'desc')
      .orderBy('id');

  return {
    async reportsNear(place, radiusKm = metagRadiusKm) {
      const rows = await counting().where(isAround(place, radiusKm)).execute();
      return rows.filter((row) => distanceKm(place, { lat: row.latitude, lng: row.longitude }) <= radiusKm);
    },

    find: (id) => counting().where('id', '=', id).executeTakeFirst(),

    inside({ south, west, north, east }) {
      const query = counting().where('latitude', '>=', south).where('latitude', '<=', north).limit(listLimit);
      if (west <= east) return query.where('longitude', '>=', west).where('longitude', '<=', east).execute();
      return query
        .where((where) => where.or([where('longitude', '>=', west), where('longitude', '<=', east)]))
        .execute();
    },

    add: ({ applicationId, accountId, geo, status }) =>
      db.transaction().execute(async (trx) => {
        const now = clock.now();
        // Locks the account's row: a deletion either sees this report or has removed the row before.
        const account = await trx
          .updateTable('accounts')
          .set((row) => ({ created_at: row.ref('created_at') }))
          .where('id', '=', accountId)
          .executeTakeFirst();
        if (account.numUpdatedRows !== 1n) throw new ServiceError('access_denied', 'This account was deleted.');
        await trx
          .deleteFrom('metags')
          .where('created_at', '<', now - retentionMs)
          .execute();
        const near = await trx
          .selectFrom('metags')
          .selectAll()
          .where('account_id', '=', accountId)
          .where('created_at', '>', now - metagMinutes * 60_000)
          .where(isAround(geo, metagRadiusKm))
          .execute();
        const older = near.filter((row) => distanceKm(geo, { lat: row.latitude, lng: row.longitude }) <= metagRadiusKm);
        for (const { id } of older) await trx.deleteFrom('metags').where('id', '=', id).execute();
        const metag: Metag = {
          id: newId(),
          application_id: applicationId,
          account_id: accountId,
          latitude: geo.lat,
          longitude: geo.lng,
          status,
          created_at: now,
        };
        await trx.insertInto('metags').values(metag).execute();
        return metag;
      }),
  };
}

/** Whether a report may be within the distance; the rectangle is a little larger than the circle. */
function isAround({ lat, lng }: LatLng, radiusKm: number) {
  const margin = radiusKm / kmPerDegree;
  const apart = sql`abs(longitude - ${lng})`;
  // At a pole, this is more than all longitudes.
  const wide = margin / Math.cos((Math.min(90, Math.abs(lat) + margin) * Math.PI) / 180);
  return sql<boolean>`latitude between ${lat - margin} and ${lat + margin}
    and (${apart} <= ${wide} or ${apart} >= ${360 - wide})`;
}
