// The outbox: every email is written here first and forgotten after 30 days. Without a mail server it stays, for the
// operator to read.
import type { Kysely, Selectable } from 'kysely';
import type { Clock } from '#contract/clock.ts';
import type { Tables } from '../database/tables.ts';
import { newId } from '../oauth/random-text.ts';
import type { MailTables } from './tables.ts';

const keptMs = 30 * 86_400_000;
const shownLimit = 200;
/** Longer than any attempt takes; then the process that took an email has died, and another may try. */
const takenMs = 5 * 60_000;

export type Mail = Selectable<MailTables['mails']>;
export type NewMail = { to: string; replyTo?: string; subject: string; text: string };

export type Outbox = {
  /** `isSent`: a mail server will send it; otherwise it is kept. */
  put(mail: NewMail, isSent: boolean): Promise<Mail>;
  /** An email that is due, for the caller alone: no other process takes it meanwhile. */
  takeDue(): Promise<Mail | undefined>;
  /** When the next one that waits is due. */
  nextDueAt(): Promise<number | undefined>;
  settle(id: string, change: Partial<Pick<Mail, 'state' | 'attempts' | 'next_attempt_at'>>): Promise<void>;
  /** The newest first. */
  list(): Promise<Mail[]>;
};

export function createOutbox({ db, clock }: { db: Kysely<Tables>; clock: Clock }): Outbox {
  return {
    async put({ to, replyTo, subject, text }, isSent) {
      await db
        .deleteFrom('mails')
        .where('created_at', '<', clock.now() - keptMs)
        .execute();
      const mail: Mail = {
        id: newId(),
        recipient: to,
        reply_to: replyTo ?? null,
        subject,
        body: text,
        created_at: clock.now(),
        state: isSent ? 'waiting' : 'kept',
        attempts: 0,
        next_attempt_at: isSent ? clock.now() : null,
      };
      await db.insertInto('mails').values(mail).execute();
      return mail;
    },
    async takeDue() {
      const now = clock.now();
      const waiting = db.selectFrom('mails').selectAll().where('state', '=', 'waiting');
      const isDue = waiting.where('next_attempt_at', '<=', now).orderBy('created_at').limit(1);
      for (let mail = await isDue.executeTakeFirst(); mail; mail = await isDue.executeTakeFirst()) {
        const { numUpdatedRows } = await db
          .updateTable('mails')
          .set({ next_attempt_at: now + takenMs })
          .where('id', '=', mail.id)
          .where('next_attempt_at', '=', mail.next_attempt_at)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 1n) return mail;
      }
      return undefined;
    },
    async nextDueAt() {
      const first = db.selectFrom('mails').select('next_attempt_at').where('state', '=', 'waiting');
      return (await first.orderBy('next_attempt_at').limit(1).executeTakeFirst())?.next_attempt_at ?? undefined;
    },
    async settle(id, change) {
      await db.updateTable('mails').set(change).where('id', '=', id).execute();
    },
    list: () =>
      db.selectFrom('mails').selectAll().orderBy('created_at', 'desc').orderBy('id').limit(shownLimit).execute(),
  };
}
