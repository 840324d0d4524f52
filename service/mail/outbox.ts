// The outbox: every email is written here first and forgotten after 30 days. Without a mail server it stays, for the
// operator to read.
import type { Kysely, Selectable } from 'kysely';
import type { Clock } from '#contract/clock.ts';
import type { Tables } from '../database/tables.ts';
import { newId } from '../oauth/random-text.ts';
import type { MailTables } from './tables.ts';

const keptMs = 30 * 86_400_000;
const shownLimit = 200;

export type Mail = Selectable<MailTables['mails']>;
export type NewMail = { to: string; replyTo?: string; subject: string; text: string };

export type Outbox = {
  /** `isSent`: a mail server will send it; otherwise it is kept. */
  put(mail: NewMail, isSent: boolean): Promise<Mail>;
  due(): Promise<Mail[]>;
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
    due: () =>
      db
        .selectFrom('mails')
        .selectAll()
        .where('state', '=', 'waiting')
        .where('next_attempt_at', '<=', clock.now())
        .orderBy('created_at')
        .limit(20)
        .execute(),
    async settle(id, change) {
      await db.updateTable('mails').set(change).where('id', '=', id).execute();
    },
    list: () =>
      db.selectFrom('mails').selectAll().orderBy('created_at', 'desc').orderBy('id').limit(shownLimit).execute(),
  };
}
