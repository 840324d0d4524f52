// Metags in the database. Valid for half an hour, deleted after a day. A user's newer report about the same place replaces the
// older one, so that no one outvotes others by repeating.
import type { Selectable } from 'kysely';
import type { Clock } from '@rainbell/shared';
import { distanceKm, type LatLng, type Status } from '@rainbell/contract/service-api';
import { isAround, isInBox } from '../database/area.ts';
import { bigint, double, type RowsOf, table, text } from '../database/table.ts';
import type { Db, Tables } from '../database/tables.ts';
import { ServiceError } from '../errors/service-error.ts';
import { newId } from '../secrets/random-text.ts';

export const metagTables = {
  metags: table(
    {
      id: text('PRIMARY KEY'),
      application_id: text(),
      account_id: text(),
      latitude: double(),
      longitude: double(),
      status: text<Status>(),
      created_at: bigint(),
    },
    { indexes: { metags_by_age: '(created_at, latitude)' } },
  ),
};

declare module '../database/tables.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only interfaces merge
  interface Tables extends RowsOf<typeof metagTables> {}
}

export const metagRadiusKm = 5;
export const metagMinutes = 30;
const retentionMs = 86_400_000;
const listLimit = 500;

export type Metag = Selectable<Tables['metags']>;
type NewMetag = { applicationId: string; accountId: string; geo: LatLng; status: Status };
/** South-west and north-east corner. If `west` is greater than `east`, it crosses the antimeridian. */
export type Rectangle = { south: number; west: number; north: number; east: number };

export type MetagStore = ReturnType<typeof createMetagStore>;

export function createMetagStore({ db, clock }: { db: Db; clock: Clock }) {
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
    /** Returns those valid at a place now, newest first. */
    async reportsNear(place: LatLng, radiusKm = metagRadiusKm): Promise<Metag[]> {
      const rows = await counting()
        .where(isAround({ center: place, radiusKm }))
        .execute();
      return rows.filter((row) => distanceKm(place, { lat: row.latitude, lng: row.longitude }) <= radiusKm);
    },

    /** Returns undefined if it is not valid now. */
    find: (id: string) => counting().where('id', '=', id).executeTakeFirst(),

    /** Returns those valid now, newest first, at most 500. */
    inside({ south, west, north, east }: Rectangle): Promise<Metag[]> {
      const spans = west <= east ? [[west, east] as const] : [[west, 180] as const, [-180, east] as const];
      return counting().where(isInBox({ south, north, spans })).limit(listLimit).execute();
    },

    /** Throws `access_denied` if the account was deleted. */
    add: ({ applicationId, accountId, geo, status }: NewMetag) =>
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
          .where(isAround({ center: geo, radiusKm: metagRadiusKm }))
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
