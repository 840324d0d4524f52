// Receives webhooks of any sender for an application whose computer is off (docs/feed.md): each request waits in the application's feed.
// The address has a token, so that no one else can fill the inbox; it is computed, and a new one is made by opening the inbox again.
import { randomUUID } from 'node:crypto';
import type { Clock } from '@rainbell/shared';
import { inboxIdPrefix, type InboxRequest } from '@rainbell/contract/service-api';
import { isSignatureOf, signatureOf } from '../secrets/stored-keys.ts';
import { bigint, type RowsOf, table, text } from '../database/table.ts';
import type { Db } from '../database/tables.ts';
import { takeFeedPositions } from '../monitors/delivery/events.ts';
import { retentionMs } from '../monitors/delivery/tables.ts';

export const inboxTables = {
  inboxes: table({ application_id: text('PRIMARY KEY'), opened_at: bigint(), held_bytes: bigint() }),
  /** Requests as received, in the feed's order. `request`: an InboxRequest as JSON. */
  inbox_requests: table(
    {
      id: text('PRIMARY KEY'),
      application_id: text(),
      received_at: bigint(),
      feed_position: bigint(),
      request: text(),
    },
    {
      indexes: {
        inbox_requests_by_feed: '(application_id, feed_position)',
        inbox_requests_by_time: '(received_at)',
      },
    },
  ),
};

declare module '../database/tables.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only interfaces merge
  interface Tables extends RowsOf<typeof inboxTables> {}
}

/** Of an application, as stored: base64 and JSON. */
const maxHeldBytes = 256 * 1024 * 1024;

export type Inbox = ReturnType<typeof createInbox>;

type Dependencies = { db: Db; clock: Clock; signingKey: Buffer; baseUrl: string; onRequest: () => void };

export function createInbox({ db, clock, signingKey, baseUrl, onRequest }: Dependencies) {
  const find = (applicationId: string) =>
    db.selectFrom('inboxes').selectAll().where('application_id', '=', applicationId).executeTakeFirst();
  const tokenOf = (id: string, openedAt: number) => `${id}-${signatureOf(signingKey, 'inbox', `${id} ${openedAt}`)}`;

  return {
    /** The address under which senders' paths begin; null while the inbox is closed. */
    async addressOf(applicationId: string): Promise<string | null> {
      const inbox = await find(applicationId);
      return inbox ? `${baseUrl}/in/${tokenOf(applicationId, Number(inbox.opened_at))}/` : null;
    },
    /** Opens the inbox, or gives an open one another address. What it holds stays. */
    async open(applicationId: string): Promise<void> {
      const opened_at = clock.now();
      await db
        .insertInto('inboxes')
        .values({ application_id: applicationId, opened_at, held_bytes: 0 })
        .onConflict((conflict) => conflict.column('application_id').doUpdateSet({ opened_at }))
        .execute();
    },
    close: (applicationId: string): Promise<void> => db.transaction().execute((trx) => removeInbox(trx, applicationId)),
    /** `unknown`: no open inbox has this token. `full`: it holds as much as it may. */
    async receive(token: string, request: InboxRequest): Promise<'stored' | 'unknown' | 'full'> {
      const [applicationId = '', signature = ''] = token.split(/-(.*)/s);
      const inbox = await find(applicationId);
      const openedAt = Number(inbox?.opened_at);
      if (!inbox || !isSignatureOf(signingKey, 'inbox', `${applicationId} ${openedAt}`, signature)) return 'unknown';
      const text = JSON.stringify(request);
      const isStored = await db.transaction().execute(async (trx) => {
        const counted = await trx
          .updateTable('inboxes')
          .set((row) => ({ held_bytes: row('held_bytes', '+', text.length) }))
          .where('application_id', '=', applicationId)
          .where('held_bytes', '<=', maxHeldBytes - text.length)
          .returning('application_id')
          .executeTakeFirst();
        if (!counted) return false;
        const row = {
          id: inboxIdPrefix + randomUUID(),
          application_id: applicationId,
          received_at: clock.now(),
          request: text,
        };
        const feed_position = await takeFeedPositions(trx, 1);
        await trx
          .insertInto('inbox_requests')
          .values({ ...row, feed_position })
          .execute();
        return true;
      });
      if (isStored) onRequest();
      return isStored ? 'stored' : 'full';
    },
  };
}

export async function removeInbox(trx: Db, applicationId: string): Promise<void> {
  await trx.deleteFrom('inboxes').where('application_id', '=', applicationId).execute();
  await trx.deleteFrom('inbox_requests').where('application_id', '=', applicationId).execute();
}

export async function deleteOldRequests(db: Db, now: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const old = await trx
      .deleteFrom('inbox_requests')
      .where('received_at', '<', now - retentionMs)
      .returning(['application_id', (row) => row.fn<number>('length', ['request']).as('bytes')])
      .execute();
    for (const [applicationId, rows] of Map.groupBy(old, ({ application_id }) => application_id)) {
      const freed = rows.reduce((sum, { bytes }) => sum + Number(bytes), 0);
      await trx
        .updateTable('inboxes')
        .set((row) => ({ held_bytes: row('held_bytes', '-', freed) }))
        .where('application_id', '=', applicationId)
        .execute();
    }
  });
}
