// Monitors in the database. An application has access only to its own. Edits never change the cool-down (docs/delivery.md S1).
import { type Kysely, PostgresAdapter, type Transaction } from 'kysely';
import { type Clock, normalUrl } from '@rainbell/shared';
import { type LatLng, pausedReason } from '@rainbell/contract/service-api';
import { takeNumbers } from '../database/counters.ts';
import { retryOnDeadlock } from '../database/retry-on-deadlock.ts';
import type { Tables } from '../database/tables.ts';
import { endUnsent, isOfMonitor, updatePendingUrls } from './delivery/events.ts';
import { StoreRefusal } from '../accounts/store-refusal.ts';
import { countLimited } from '../accounts/application-store.ts';
import { ServiceError } from '../errors/service-error.ts';
import { openSeal, type SecretSeal } from '../secrets/secret-seal.ts';
import { type MonitorFields, optionsAfter } from './monitor-body.ts';
import type { MonitorOwner } from '../accounts/plans.ts';
import { placeOf, type MonitorRow } from './monitor-json.ts';
import { closeEpisode } from './sweep/episodes.ts';

export type MonitorStore = ReturnType<typeof createMonitorStore>;

type Dependencies = {
  db: Kysely<Tables>;
  clock: Clock;
  cellOf: (place: LatLng) => string;
  seal?: SecretSeal;
};

export function createMonitorStore({ db, clock, cellOf, seal = openSeal }: Dependencies) {
  const engine = db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
  const own = (applicationId: string) =>
    db.selectFrom('monitors').selectAll().where('application_id', '=', applicationId);
  const inTransaction = <Result>(work: (trx: Transaction<Tables>) => Promise<Result>) =>
    retryOnDeadlock(() => db.transaction().execute(work));
  return {
    listAfter: (applicationId: string, id: string, limit: number) =>
      own(applicationId).where('id', '>', id).orderBy('id').limit(limit).execute(),
    /** A number that is different after each change of the application's monitors. */
    async listVersion(applicationId: string): Promise<number> {
      const row = await db
        .selectFrom('counters')
        .select('last_number')
        .where('name', '=', applicationId)
        .executeTakeFirst();
      return Number(row?.last_number ?? 0);
    },
    find: (applicationId: string, id: string) => own(applicationId).where('id', '=', id).executeTakeFirst(),

    /**
     * Undefined if the application already has `limit` monitors. Throws a StoreRefusal: `monitor_limit` if its account already
     * has as many as it may, `unknown` if the application was deleted.
     */
    create: (applicationId: string, fields: MonitorFields, limit: number, account?: MonitorOwner) =>
      inTransaction(async (trx) => {
        // Taking the number first also serializes concurrent creations, so the limit is exact.
        const number = await takeNumbers(trx, 'monitor');
        if ((await countMonitors(trx, applicationId)) >= limit) return undefined;
        if (account) await checkAccount(trx, applicationId, account);
        const row: MonitorRow = {
          id: `${fields.monitor_type}_${number}`,
          application_id: applicationId,
          created_at: clock.now(),
          gate_opens_at: 0,
          latest_event_at: 0,
          off_since: null,
          off_reason: null,
          failed_events: 0,
          callback_credentials: sealedCredentials(fields.credentials ?? '', seal),
          rules: optionsAfter(null, fields.options),
          episode: null,
          ...columns(fields, cellOf),
        };
        await trx.insertInto('monitors').values(row).execute();
        await enterCell(trx, row, clock.now());
        await takeNumbers(trx, applicationId);
        return row;
      }),

    change: (applicationId: string, id: string, changes: Partial<MonitorFields>) =>
      inTransaction(async (trx) => {
        // Changes nothing, but locks the row in both databases, so that concurrent edits see each other.
        const before = await trx
          .updateTable('monitors')
          .set((row) => ({ id: row.ref('id') }))
          .where('id', '=', id)
          .where('application_id', '=', applicationId)
          .returningAll()
          .executeTakeFirst();
        if (!before) return undefined;
        const moved = {
          ...columns({ ...fieldsOf(before), ...changes }, cellOf),
          rules: optionsAfter(before.rules, changes.options),
          callback_credentials: credentialsAfter(before, changes, seal),
          ...revived(before, changes),
        };
        const isSame =
          moved.rules === before.rules && moved.latitude === before.latitude && moved.longitude === before.longitude;
        const next = { ...before, ...moved };
        const episode = isSame ? before.episode : await closeEpisode(trx, engine, before, next, clock.now());
        const changed = { ...moved, episode };
        await trx.updateTable('monitors').set(changed).where('id', '=', id).execute();
        const after = { ...next, episode };
        await updatePendingUrls(trx, after);
        if (after.cell !== before.cell) {
          const leave = () => leaveCell(trx, before.cell);
          const enter = () => enterCell(trx, after, clock.now());
          // Locks the cells in the order of their keys, like sweeps (watched-cells.ts).
          for (const step of before.cell < after.cell ? [leave, enter] : [enter, leave]) await step();
        }
        await takeNumbers(trx, applicationId);
        return after;
      }),

    remove: (applicationId: string, id: string) =>
      inTransaction(async (trx) => {
        const gone = await trx
          .deleteFrom('monitors')
          .where('id', '=', id)
          .where('application_id', '=', applicationId)
          .returning('cell')
          .executeTakeFirst();
        if (!gone) return false;
        await leaveCell(trx, gone.cell);
        await endUnsent(trx, engine, isOfMonitor(id), 'deleted');
        await takeNumbers(trx, applicationId);
        return true;
      }),
  };
}

/** After the lock of `takeNumbers`, like deletions (delete-account.ts), so no monitor outlives its application. */
async function checkAccount(trx: Kysely<Tables>, applicationId: string, { id, limit }: MonitorOwner): Promise<void> {
  const owned = await trx.selectFrom('applications').select('id').where('id', '=', applicationId).executeTakeFirst();
  if (!owned) throw new StoreRefusal('unknown');
  if (limit !== undefined && (await countAccountMonitors(trx, id)) >= limit) throw new StoreRefusal('monitor_limit');
}

function fieldsOf(row: MonitorRow): MonitorFields {
  return { monitor_type: 'precipitation', callback_uri: row.callback_uri, geo: placeOf(row) };
}

function columns({ monitor_type, callback_uri, geo }: MonitorFields, cellOf: Dependencies['cellOf']) {
  const place = { latitude: decimalText(geo.lat), longitude: decimalText(geo.lng) };
  return { monitor_type, callback_uri, ...place, cell: cellOf(geo) };
}

function sealedCredentials(credentials: string, seal: SecretSeal): string | null {
  if (credentials === '') return null;
  if (seal.source !== 'none') return seal.seal(credentials);
  throw new ServiceError(
    'invalid_request',
    'callback_uri must not have a password: this service has no key to encrypt it with. The operator must set RAINBELL_SECRET_KEY.',
  );
}

/** Credentials belong to scheme, host, and port: another path keeps them; another server never gets them. */
function credentialsAfter(
  before: MonitorRow,
  { callback_uri, credentials }: Partial<MonitorFields>,
  seal: SecretSeal,
): string | null {
  if (callback_uri === undefined) return before.callback_credentials;
  if (credentials !== undefined) return sealedCredentials(credentials, seal);
  const isSameServer = new URL(callback_uri).origin === new URL(before.callback_uri).origin;
  return isSameServer ? before.callback_credentials : null;
}

/** Turns delivery on again after a new callback URL or password (docs/delivery.md S10), unless its owner paused it. */
function revived(before: MonitorRow, changes: Partial<MonitorFields>): Partial<MonitorRow> {
  const { callback_uri, credentials = '' } = changes;
  const isOther = callback_uri !== undefined && normalUrl(callback_uri) !== normalUrl(before.callback_uri);
  const isNew = (isOther || credentials !== '') && before.off_reason !== pausedReason;
  return isNew ? { off_since: null, off_reason: null, failed_events: 0 } : {};
}

function decimalText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Schedules a new check of the cell, because no check has covered this monitor yet. */
async function enterCell(trx: Transaction<Tables>, row: MonitorRow, now: number): Promise<void> {
  const { lat, lng } = placeOf(row);
  await trx
    .insertInto('watch_cells')
    .values({ cell: row.cell, latitude: lat, longitude: lng, monitor_count: 1, next_look_at: now, held_until: 0 })
    .onConflict((conflict) =>
      conflict.column('cell').doUpdateSet((values) => ({
        monitor_count: values('watch_cells.monitor_count', '+', 1),
        next_look_at: now,
      })),
    )
    .execute();
}

async function leaveCell(trx: Transaction<Tables>, cell: string): Promise<void> {
  await trx
    .updateTable('watch_cells')
    .set((values) => ({ monitor_count: values('monitor_count', '-', 1) }))
    .where('cell', '=', cell)
    .execute();
  await trx.deleteFrom('watch_cells').where('cell', '=', cell).where('monitor_count', '<=', 0).execute();
}

export async function countMonitors(db: Kysely<Tables>, applicationId: string): Promise<number> {
  const { count } = await db
    .selectFrom('monitors')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('application_id', '=', applicationId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Counts the monitors of all of an account's applications, except those on the in-house plan, which has no limit. */
async function countAccountMonitors(db: Kysely<Tables>, accountId: string): Promise<number> {
  const monitors = countLimited(db, accountId).innerJoin('monitors', 'monitors.application_id', 'applications.id');
  return Number((await monitors.executeTakeFirstOrThrow()).count);
}
